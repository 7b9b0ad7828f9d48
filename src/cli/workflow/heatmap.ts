import { renderCsv } from '../../report/csv.ts';
import { renderJsonl } from '../../report/jsonl.ts';
import {
  type CategoryHeatmap,
  categoryHeatmap,
  heatmapJson,
} from '../../workflow/reports/category-heatmap.ts';
import type { Arguments, Command, Terminal } from '../command.ts';
import { FORMAT_OPTION, printDocument } from '../print-report.ts';
import { ARMS_OPTIONS, ARMS_USAGE, readArms } from './examined-arms.ts';
import { heatmapDocument, heatmapRows } from './heatmap-document.ts';

export const command: Command = {
  name: 'workflow heatmap',
  summary: 'Which kinds of error each workflow finds, and where it is blind',
  positionals: { usage: ARMS_USAGE, max: Number.POSITIVE_INFINITY },
  options: { ...ARMS_OPTIONS, format: FORMAT_OPTION },
  examples: [
    'assay workflow heatmap examples/workflow',
    'assay workflow heatmap examples/workflow --format markdown',
    'assay workflow heatmap examples/workflow --format html > heatmap.html',
  ],
  notes: ['Exit codes: 0 measured, 2 no task expects an error, 3 could not run.'],
  run: async (args, terminal) => {
    const { arms, inputs, mappings, notes } = readArms(args, 'workflow heatmap');
    const heatmap = categoryHeatmap(arms.flatMap(({ runs }) => runs));
    const { format } = args.values;
    if (format === 'csv') terminal.print(renderCsv(heatmapRows(heatmap)));
    else if (format === 'jsonl') terminal.print(renderJsonl(heatmapRows(heatmap)));
    else {
      await printDocument(args, terminal, { ...heatmapJson(heatmap), mappings, notes }, () =>
        heatmapDocument(heatmap, isTurned(args, terminal, heatmap), inputs, notes),
      );
    }
    return heatmap.rows.some(({ cells }) => cells.length > 0) ? 0 : 2;
  },
};

const NAME_COLUMNS = 20;
const CELL_COLUMNS = 11;

/** A page and most terminals have no room for ten columns; Markdown has the documented table. */
export function isTurned(args: Arguments, terminal: Terminal, { categories }: CategoryHeatmap): boolean {
  if (args.values.format !== 'table') return args.values.format === 'html';
  return terminal.width < NAME_COLUMNS + CELL_COLUMNS * categories.length;
}
