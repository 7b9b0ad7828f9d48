import { encodeHistory, encodeHistoryRows } from '../../api/encode/workflow/history.ts';
import { readHistory } from '../../operations/workflow/read-history.ts';
import { historyDocument, scoresTable } from '../../workflow/documents/history.ts';
import { CONFIG_OPTION, type Command, STORE_OPTION } from '../command.ts';
import { ALL_OPTION, FORMAT_OPTION } from '../format-options.ts';
import { openPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { textsOf, typedOf } from './review-request.ts';

export const command: Command = {
  name: 'workflow history',
  summary: 'How the scores of workflows moved over time, and what keeps falling',
  options: {
    workflow: { type: 'string', value: 'NAME', doc: 'Only this workflow' },
    task: { type: 'string', value: 'NAME', doc: 'Only this task' },
    format: FORMAT_OPTION,
    all: {
      ...ALL_OPTION,
      doc: 'Also series against earlier ground truths or by earlier matchers, and every row',
    },
    ...STORE_OPTION,
    ...CONFIG_OPTION,
  },
  examples: [
    'assay workflow history',
    'assay workflow history --workflow review-2 --format html > history.html',
  ],
  notes: [
    'Only scores of the same workflow on the same task, against the same ground truth by the same matcher, form a series.',
    'Exit codes: 0 there is a history, 2 there is none yet, 3 could not run. An alert does not change it.',
  ],
  run: async (args, terminal) => {
    const ports = openPorts(args, terminal);
    try {
      const request = { ...textsOf(args, 'workflow', 'task'), earlier: args.values.all === true };
      const views = await readHistory(request, ports);
      await printResult(args, terminal, {
        jsonl: () => encodeHistoryRows(views),
        csv: () => scoresTable(views),
        json: () => encodeHistory(views),
        document: () => historyDocument(views, typedOf(args, command.options)),
      });
      return views.length === 0 ? 2 : 0;
    } finally {
      await ports.close();
    }
  },
};
