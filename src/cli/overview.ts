import { listSources } from '../operations/session/list-sources.ts';
import type { Command } from './command.ts';
import { command as example } from './example.ts';
import { command as score } from './sessions/score.ts';
import { machineOf } from './sessions/session-request.ts';

export const command: Command = {
  name: 'overview',
  summary: 'Score the agent sessions on this machine, or show the example when there are none',
  options: score.options,
  examples: ['assay', 'assay --since 7d'],
  run: async (args, terminal) => {
    const isThere = () => listSources(machineOf(terminal)).sources.some(({ files }) => files.length > 0);
    if (args.values['from-store'] === true || isThere()) return score.run(args, terminal);
    terminal.note(
      'No agent sessions found on this machine (assay sessions sources). This is the bundled example.\n',
    );
    return example.run(args, terminal);
  },
};
