import { encodeReport } from '../../api/encode/workflow/report.ts';
import { reportExperiment } from '../../operations/workflow/report-experiment.ts';
import { reportDocument } from '../../workflow/documents/report.ts';
import { CONFIG_OPTION, type Command } from '../command.ts';
import { ALL_OPTION, FORMAT_OPTION } from '../format-options.ts';
import { printResult } from '../print-result.ts';
import { isTurned } from './heatmap.ts';
import { oesOption } from './oes-option.ts';
import { ARMS_OPTIONS, ARMS_USAGE, OES_OPTION } from './options.ts';
import { type ReportTable, TABLES } from './report-table.ts';
import { inputsOf, textsOf, toleranceOf, typedOf } from './review-request.ts';

export const command: Command = {
  name: 'workflow report',
  summary:
    'A whole experiment: scores side by side, errors across runs, what to fix next, what may be claimed',
  positionals: { usage: ARMS_USAGE, max: Number.POSITIVE_INFINITY },
  options: {
    ...ARMS_OPTIONS,
    ...CONFIG_OPTION,
    ...OES_OPTION,
    baseline: {
      type: 'string',
      value: 'NAME',
      doc: 'The workflow that the others are held against (default: the first)',
    },
    format: FORMAT_OPTION,
    table: {
      type: 'string',
      choices: Object.keys(TABLES),
      default: 'experiments',
      doc: 'The table that csv and jsonl print',
    },
    all: ALL_OPTION,
  },
  examples: [
    'assay workflow report experiments/login/',
    'assay workflow report experiments/login/ --format html > report.html',
    'assay workflow report experiments/login/ --format csv --table errors',
  ],
  notes: [
    'Exit codes: 0 measured, 2 nothing could be measured, 3 could not run. Nothing is stored; assay workflow score does that.',
  ],
  run: async (args, terminal) => {
    const reported = reportExperiment({
      inputs: { ...inputsOf(args, command.name), ...(await toleranceOf(args, terminal)) },
      ...textsOf(args, 'workflow', 'baseline'),
      ...(await oesOption(args, terminal)),
    });
    const { report } = reported;
    const table = TABLES[args.values.table as ReportTable];
    await printResult(args, terminal, {
      jsonl: () => table.jsonl(reported),
      csv: () => table.csv(report),
      json: () => encodeReport(reported),
      document: () =>
        reportDocument(reported, isTurned(args, terminal, report.heatmap), typedOf(args, command.options)),
    });
    return report.experiments.some(({ dr }) => dr.mean.measured) ? 0 : 2;
  },
};
