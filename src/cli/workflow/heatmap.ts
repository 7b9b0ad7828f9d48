import { encode, encodeEach } from '../../api/wire.ts';
import { mapCategories } from '../../operations/workflow/map-categories.ts';
import type { CategoryHeatmap } from '../../workflow/reports/category-heatmap.ts';
import { categoryCells, heatmapRows, heatmapView } from '../../workflow/views/heatmap.ts';
import { CONFIG_OPTION, defineCommand, FORMAT_OPTION, type Terminal } from '../command.ts';
import { printResult } from '../print-result.ts';
import { ARMS_OPTIONS, ARMS_USAGE, inputsWithMatching, typedOf } from './options.ts';

export const command = defineCommand({
  name: 'workflow heatmap',
  summary: 'Show detection by error category for each workflow',
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
      inputs: await inputsWithMatching(args, terminal, 'workflow heatmap'),
      workflow: args.values.workflow,
    });
    const { heatmap, notes } = mapped;
    await printResult(args, terminal, {
      jsonl: async () =>
        encodeEach((await import('../../api/schema/workflow.ts')).categoryRow, categoryCells(heatmap)),
      csv: () => heatmapRows(heatmap),
      json: async () => encode((await import('../../api/schema/workflow.ts')).workflowHeatmap, mapped),
      document: () =>
        heatmapView(heatmap, isTurned(args.values.format, terminal, heatmap), notes, typedOf(args)),
    });
    return heatmap.rows.some(({ cells }) => cells.length > 0) ? 0 : 2;
  },
});

const NAME_COLUMNS = 20;
const CELL_COLUMNS = 11;

/** A page and most terminals have no room for ten columns; Markdown has the documented table. */
export function isTurned(format: string, terminal: Terminal, { categories }: CategoryHeatmap): boolean {
  if (format !== 'table') return format === 'html';
  return terminal.width < NAME_COLUMNS + CELL_COLUMNS * categories.length;
}
