import { findSources } from '../session/ingest/files/find-sources.ts';
import type { Command } from './command.ts';
import { command as example } from './example.ts';
import { homeOf } from './home.ts';
import { command as score } from './sessions/score.ts';

export const command: Command = {
  name: 'overview',
  summary: 'Score the agent sessions on this machine, or show the example when there are none',
  options: score.options,
  examples: ['assay', 'assay --since 7d'],
  run: async (args, terminal) => {
    if (
      args.values['from-store'] === true ||
      findSources(homeOf(terminal), terminal.env).some(({ files }) => files.length > 0)
    ) {
      return score.run(args, terminal);
    }
    terminal.note(
      'No agent sessions found on this machine (assay sessions sources). This is the bundled example.\n',
    );
    return example.run(args, terminal);
  },
};
