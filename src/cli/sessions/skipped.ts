import { encode } from '../../api/wire.ts';
import { listSkipped } from '../../operations/session/list-skipped.ts';
import { skippedTable, skippedView } from '../../session/views/sources.ts';
import { ALL_OPTION, defineCommand, FORMAT_OPTION } from '../command.ts';
import { listWith, printResult } from '../print-result.ts';
import { look } from './ask.ts';
import { LOOKING_OPTIONS, PATHS } from './options.ts';
import { sessionsGiven } from './session-request.ts';

export const command = defineCommand({
  name: 'sessions skipped',
  summary: 'List skipped lines and records, per file and reason',
  positionals: PATHS,
  options: { format: FORMAT_OPTION, all: ALL_OPTION, ...LOOKING_OPTIONS },
  examples: ['assay sessions skipped', 'assay sessions skipped transcripts/ --format csv'],
  run: async (args, terminal) => {
    const skipped = await look(args, terminal, listSkipped);
    await printResult(args, terminal, {
      ...listWith(
        async () => encode((await import('../../api/schema/session-lists.ts')).sessionSkipped, skipped),
        'skipped',
        skippedTable(skipped),
      ),
      document: () => skippedView(skipped, terminal.cwd, sessionsGiven(args)),
    });
    return 0;
  },
});
