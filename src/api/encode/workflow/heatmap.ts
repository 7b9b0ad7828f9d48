import type { z } from 'zod';
import type { Mapping } from '../../../workflow/ingest/mapping.ts';
import type { CategoryCell, CategoryHeatmap } from '../../../workflow/reports/category-heatmap.ts';
import type {
  categories,
  categoryCell,
  categoryRow,
  workflowHeatmap,
} from '../../schema/workflow/heatmap.ts';
import { encodeMeasurement } from '../measurement.ts';

export function encodeHeatmap({
  heatmap,
  mappings,
  notes,
}: {
  readonly heatmap: CategoryHeatmap;
  readonly mappings: readonly Mapping[];
  readonly notes: readonly string[];
}): z.infer<typeof workflowHeatmap> {
  return {
    format: 'assay-workflow-heatmap',
    version: 1,
    ...encodeCategories(heatmap),
    mappings: [...mappings],
    notes: [...notes],
  };
}

export function encodeCategories({ categories: names, rows }: CategoryHeatmap): z.infer<typeof categories> {
  return {
    categories: [...names],
    legend: { '✓': 'over 75%', '~': '50% to 75%', '✗': 'under 50%' },
    workflows: rows.map(({ workflow, tasks, runs, cells, cc, ccPresent }) => ({
      workflow,
      tasks,
      runs,
      cc: encodeMeasurement(cc),
      cc_present: encodeMeasurement(ccPresent),
      cells: cells.map(encodeCell),
    })),
  };
}

export function encodeCell({ few, blindSpot, ...cell }: CategoryCell): z.infer<typeof categoryCell> {
  return { ...cell, few_errors: few, blind_spot: blindSpot ?? 'no' };
}

export function encodeCategoryRows({ rows }: CategoryHeatmap): z.infer<typeof categoryRow>[] {
  return rows.flatMap(({ workflow, runs, cells }) =>
    cells.map((cell) => ({ workflow, runs, ...encodeCell(cell) })),
  );
}
