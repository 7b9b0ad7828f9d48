import { AssayError } from '../../errors.ts';
import { renderCsv } from '../../report/csv.ts';
import type { TableBlock } from '../../report/document.ts';
import { renderJsonl } from '../../report/jsonl.ts';
import { didYouMean } from '../../suggest.ts';
import { type ExaminedArm, workflowsOf } from '../../workflow/reports/examined-arm.ts';
import { type Report, reportOf } from '../../workflow/reports/report.ts';
import { reportJson } from '../../workflow/reports/report-json.ts';
import type { Arguments, Command } from '../command.ts';
import { ALL_OPTION, FORMAT_OPTION, printDocument } from '../print-report.ts';
import { ARMS_OPTIONS, ARMS_USAGE, OES_OPTION, readArms } from './examined-arms.ts';
import { isTurned } from './heatmap.ts';
import { heatmapRows } from './heatmap-document.ts';
import { oesOption, textOf } from './options.ts';
import { reportDocument } from './report-document.ts';
import { concernsTable, crossRows, errorRows, metricRows } from './report-tables.ts';

const TABLES: Readonly<Record<string, (report: Report) => TableBlock>> = {
  experiments: crossRows,
  metrics: metricRows,
  errors: errorRows,
  categories: ({ heatmap }) => heatmapRows(heatmap),
  concerns: concernsTable,
};

export const command: Command = {
  name: 'workflow report',
  summary:
    'A whole experiment: scores side by side, errors across runs, what to fix next, what may be claimed',
  positionals: { usage: ARMS_USAGE, max: Number.POSITIVE_INFINITY },
  options: {
    ...ARMS_OPTIONS,
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
    const { name, inputs, arms, mappings, notes } = readArms(args, 'workflow report');
    const report = reportOf(arms, baselineOption(args, arms), oesOption(args));
    const { format, table } = args.values;
    const rows = () => (TABLES[String(table)] ?? crossRows)(report);
    if (format === 'csv') terminal.print(renderCsv(rows()));
    else if (format === 'jsonl') terminal.print(renderJsonl(rows()));
    else {
      const data = { ...reportJson(name, report), mappings, notes };
      await printDocument(args, terminal, data, () =>
        reportDocument({ name, inputs, report, turned: isTurned(args, terminal, report.heatmap), notes }),
      );
    }
    return report.experiments.some(({ dr }) => dr.mean.measured) ? 0 : 2;
  },
};

function baselineOption(args: Arguments, arms: readonly ExaminedArm[]): string | undefined {
  const name = textOf(args, 'baseline');
  const names = workflowsOf(arms);
  if (name === undefined || names.includes(name)) return name;
  throw new AssayError('USAGE', `--baseline: no run is of workflow "${name}"${didYouMean(name, names)}`, {
    remedy: `There are runs of ${names.join(', ')}.`,
  });
}
