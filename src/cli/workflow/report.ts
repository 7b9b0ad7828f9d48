import { encode, encodeEach } from '../../api/wire.ts';
import { reportExperiment } from '../../operations/workflow/report-experiment.ts';
import type { TableBlock } from '../../report/view.ts';
import type { Report, ReportedExperiment } from '../../workflow/reports/report.ts';
import { categoryCells, heatmapRows } from '../../workflow/views/heatmap.ts';
import { reportView } from '../../workflow/views/report.ts';
import { concernsTable, crossRows, errorRows, metricRows } from '../../workflow/views/report-tables.ts';
import { scoreRows } from '../../workflow/views/score-metrics.ts';
import { ALL_OPTION, CONFIG_OPTION, defineCommand, FORMAT_OPTION } from '../command.ts';
import { printResult } from '../print-result.ts';
import { isTurned } from './heatmap.ts';
import { ARMS_OPTIONS, ARMS_USAGE, inputsWithMatching, OES_OPTION, oesOption, typedOf } from './options.ts';

/** The tables that csv and jsonl print. */
const TABLES: Readonly<
  Record<
    'experiments' | 'metrics' | 'errors' | 'categories' | 'concerns',
    {
      readonly jsonl: (reported: ReportedExperiment) => Promise<Iterable<object>>;
      readonly csv: (report: Report) => TableBlock;
    }
  >
> = {
  experiments: { jsonl: async (reported) => (await wireOf(reported)).experiments, csv: crossRows },
  metrics: {
    jsonl: async ({ report }) => {
      const { scoreRow } = await import('../../api/schema/workflow.ts');
      return encodeEach(
        scoreRow,
        report.experiments.flatMap(({ summary }) => scoreRows(summary)),
      );
    },
    csv: metricRows,
  },
  errors: { jsonl: async (reported) => (await wireOf(reported)).errors, csv: errorRows },
  categories: {
    jsonl: async ({ report }) =>
      encodeEach((await import('../../api/schema/workflow.ts')).categoryRow, categoryCells(report.heatmap)),
    csv: ({ heatmap }) => heatmapRows(heatmap),
  },
  concerns: { jsonl: async (reported) => (await wireOf(reported)).concerns, csv: concernsTable },
};

export const command = defineCommand({
  name: 'workflow report',
  summary:
    'Report on a whole experiment: scores side by side, errors across runs, what to fix, which claims hold',
  positionals: { usage: ARMS_USAGE, max: Number.POSITIVE_INFINITY },
  options: {
    ...ARMS_OPTIONS,
    ...CONFIG_OPTION,
    ...OES_OPTION,
    baseline: {
      type: 'text',
      value: 'NAME',
      doc: 'The workflow that the others are compared with (default: the first)',
    },
    format: FORMAT_OPTION,
    table: {
      type: 'choice',
      choices: ['experiments', 'metrics', 'errors', 'categories', 'concerns'],
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
      inputs: await inputsWithMatching(args, terminal, 'workflow report'),
      workflow: args.values.workflow,
      baseline: args.values.baseline,
      ...(await oesOption(args, terminal)),
    });
    const { report } = reported;
    const table = TABLES[args.values.table];
    await printResult(args, terminal, {
      jsonl: () => table.jsonl(reported),
      csv: () => table.csv(report),
      json: () => wireOf(reported),
      document: () =>
        reportView(reported, isTurned(args.values.format, terminal, report.heatmap), typedOf(args)),
    });
    return report.experiments.some(({ dr }) => dr.mean.measured) ? 0 : 2;
  },
});

async function wireOf(reported: ReportedExperiment) {
  return encode((await import('../../api/schema/workflow.ts')).workflowReport, reported);
}
