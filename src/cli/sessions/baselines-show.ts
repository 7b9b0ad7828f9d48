import { encodeBaselines } from '../../api/encode/session-lists.ts';
import { showBaselines } from '../../operations/session/show-baselines.ts';
import { baselineDocument, baselineTable } from '../../session/documents/baselines.ts';
import type { Command } from '../command.ts';
import { FORMAT_OPTION } from '../format-options.ts';
import { listWith, printResult } from '../print-result.ts';
import { textOf } from '../text-of.ts';

export const command: Command = {
  name: 'sessions baselines show',
  summary: 'The baselines that efficiency is measured against',
  options: {
    baselines: {
      type: 'string',
      value: 'FILE',
      doc: 'A set made by baselines fit (default: the shipped set)',
    },
    format: FORMAT_OPTION,
  },
  examples: ['assay sessions baselines show'],
  run: async (args, terminal) => {
    const baselines = textOf(args, 'baselines');
    const set = await showBaselines(baselines === undefined ? {} : { baselines });
    await printResult(args, terminal, {
      ...listWith(encodeBaselines(set), 'task_types', baselineTable(set)),
      document: () => baselineDocument(set),
    });
    return 0;
  },
};
