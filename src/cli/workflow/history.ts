import { encode } from '../../api/wire.ts';
import { readHistory } from '../../operations/workflow/read-history.ts';
import { historyView, scoresTable } from '../../workflow/views/history.ts';
import { ALL_OPTION, defineCommand, FORMAT_OPTION, STORE_OPTIONS } from '../command.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { typedOf } from './options.ts';

export const command = defineCommand({
  name: 'workflow history',
  summary: 'Show scores of workflows over time, and what keeps falling',
  options: {
    workflow: { type: 'text', value: 'NAME', doc: 'Only this workflow' },
    task: { type: 'text', value: 'NAME', doc: 'Only this task' },
    format: FORMAT_OPTION,
    all: {
      ...ALL_OPTION,
      doc: 'Include series with earlier ground truths or matchers, and every row',
    },
    ...STORE_OPTIONS,
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
    return await withPorts(args, terminal, async (ports) => {
      const { workflow, task, all: earlier } = args.values;
      const request = { workflow, task, earlier };
      const views = await readHistory(request, ports);
      await printResult(args, terminal, {
        jsonl: async () => encode((await import('../../api/schema/workflow.ts')).historyRows, views),
        csv: () => scoresTable(views),
        json: async () => encode((await import('../../api/schema/workflow.ts')).workflowHistory, views),
        document: () => historyView(views, typedOf(args)),
      });
      return views.length === 0 ? 2 : 0;
    });
  },
});
