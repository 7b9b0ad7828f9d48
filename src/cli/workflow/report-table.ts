/** The tables of a report that csv and jsonl print. */
import { encodeCategoryRows } from '../../api/encode/workflow/heatmap.ts';
import { encodeReport } from '../../api/encode/workflow/report.ts';
import { streamScoreRows } from '../../api/encode/workflow/score.ts';
import type { ReportedExperiment } from '../../operations/workflow/report-experiment.ts';
import type { TableBlock } from '../../report/document.ts';
import { heatmapRows } from '../../workflow/documents/heatmap.ts';
import { concernsTable, crossRows, errorRows, metricRows } from '../../workflow/documents/report-tables.ts';
import type { Report } from '../../workflow/reports/report.ts';

export const TABLES: Readonly<
  Record<
    ReportTable,
    {
      readonly jsonl: (reported: ReportedExperiment) => Iterable<object>;
      readonly csv: (report: Report) => TableBlock;
    }
  >
> = {
  experiments: { jsonl: (reported) => encodeReport(reported).experiments, csv: crossRows },
  metrics: {
    jsonl: ({ report }) => report.experiments.values().flatMap(({ summary }) => streamScoreRows(summary)),
    csv: metricRows,
  },
  errors: { jsonl: (reported) => encodeReport(reported).errors, csv: errorRows },
  categories: {
    jsonl: ({ report }) => encodeCategoryRows(report.heatmap),
    csv: ({ heatmap }) => heatmapRows(heatmap),
  },
  concerns: { jsonl: (reported) => encodeReport(reported).concerns, csv: concernsTable },
};

export type ReportTable = 'experiments' | 'metrics' | 'errors' | 'categories' | 'concerns';
