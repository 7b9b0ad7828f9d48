import { listSources } from '../operations/session/list-sources.ts';
import type { Command } from './command.ts';
import { SCORE_OPTIONS } from './sessions/options.ts';
import { machineOf } from './sessions/session-request.ts';

export const command: Command = {
  name: 'overview',
  summary: 'Score the agent sessions on this machine, or show the example when there are none',
  options: SCORE_OPTIONS,
  examples: ['assay', 'assay --since 7d'],
  run: async (args, terminal) => {
    const isThere = () => listSources(machineOf(terminal)).sources.some(({ files }) => files.length > 0);
    if (args.values['from-store'] === true || isThere()) {
      const { command: score } = await import('./sessions/score.ts');
      return score.run(args, terminal);
    }
    terminal.note(
      'No agent sessions found on this machine (assay sessions sources). This is the bundled example.\n',
    );
    const { showExample } = await import('./example.ts');
    return showExample(args, terminal, { keep: false });
  },
};
