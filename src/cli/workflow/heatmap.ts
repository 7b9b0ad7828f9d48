import { encodeCategoryRows, encodeHeatmap } from '../../api/encode/workflow/heatmap.ts';
import { mapCategories } from '../../operations/workflow/map-categories.ts';
import { heatmapDocument, heatmapRows } from '../../workflow/documents/heatmap.ts';
import type { CategoryHeatmap } from '../../workflow/reports/category-heatmap.ts';
import { type Arguments, CONFIG_OPTION, type Command, type Terminal } from '../command.ts';
import { FORMAT_OPTION } from '../format-options.ts';
import { printResult } from '../print-result.ts';
import { ARMS_OPTIONS, ARMS_USAGE } from './options.ts';
import { inputsOf, textsOf, toleranceOf, typedOf } from './review-request.ts';

export const command: Command = {
  name: 'workflow heatmap',
  summary: 'Which kinds of error each workflow finds, and where it is blind',
  positionals: { usage: ARMS_USAGE, max: Number.POSITIVE_INFINITY },
  options: { ...ARMS_OPTIONS, ...CONFIG_OPTION, format: FORMAT_OPTION },
  examples: [
    'assay workflow heatmap examples/workflow',
    'assay workflow heatmap examples/workflow --format markdown',
    'assay workflow heatmap examples/workflow --format html > heatmap.html',
  ],
  notes: ['Exit codes: 0 measured, 2 no task expects an error, 3 could not run.'],
  run: async (args, terminal) => {
    const mapped = mapCategories({
      inputs: { ...inputsOf(args, command.name), ...(await toleranceOf(args, terminal)) },
      ...textsOf(args, 'workflow'),
    });
    const { heatmap, notes } = mapped;
    await printResult(args, terminal, {
      jsonl: () => encodeCategoryRows(heatmap),
      csv: () => heatmapRows(heatmap),
      json: () => encodeHeatmap(mapped),
      document: () =>
        heatmapDocument(heatmap, isTurned(args, terminal, heatmap), notes, typedOf(args, command.options)),
    });
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
