import { listSources } from '../operations/session/list-sources.ts';
import { defineCommand } from './command.ts';
import { SCORE_OPTIONS } from './sessions/options.ts';
import { machineOf } from './sessions/session-request.ts';

export const command = defineCommand({
  name: 'overview',
  summary: 'Score the agent sessions on this machine, or show an example of everything when there are none',
  options: SCORE_OPTIONS,
  examples: ['assay', 'assay --since 7d'],
  run: async (args, terminal) => {
    const isThere = () => listSources(machineOf(terminal)).sources.some(({ files }) => files.length > 0);
    if (args.values['no-sync'] || isForMachines(args.values.format) || isThere()) {
      const { command: score } = await import('./sessions/score.ts');
      return score.run(args, terminal);
    }
    await (await import('./first-look.ts')).printFirstLook(args, terminal);
    return 0;
  },
});

/** A program that asks for sessions gets none, not an example. */
function isForMachines(format: string): boolean {
  return format === 'csv' || format === 'jsonl' || format === 'json';
}
