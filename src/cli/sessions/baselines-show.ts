import { encode } from '../../api/wire.ts';
import { showBaselines } from '../../operations/session/session-baselines.ts';
import { baselineTable, baselineView } from '../../session/views/baselines.ts';
import { defineCommand, FORMAT_OPTION } from '../command.ts';
import { listWith, printResult } from '../print-result.ts';

export const command = defineCommand({
  name: 'sessions baselines show',
  summary: 'The baselines that efficiency is measured against',
  options: {
    baselines: {
      type: 'path',
      value: 'FILE',
      doc: 'A set made by baselines fit (default: the shipped set)',
    },
    format: FORMAT_OPTION,
  },
  examples: ['assay sessions baselines show'],
  run: async (args, terminal) => {
    const baselines = args.values.baselines;
    const set = await showBaselines(baselines === undefined ? {} : { baselines });
    await printResult(args, terminal, {
      ...listWith(
        async () => encode((await import('../../api/schema/session-lists.ts')).sessionBaselines, set),
        'task_types',
        baselineTable(set),
      ),
      document: () => baselineView(set),
    });
    return 0;
  },
});
