/** Which kinds of error each workflow finds, and in which it finds little. */
import { mean } from '../../stats/descriptive.ts';
import type { RunEvidence } from '../evidence.ts';
import type { Reading } from '../ingest/mapping.ts';
import { categoryCoverage } from '../metrics/category-coverage.ts';
import { categoryCoveragePresent } from '../metrics/category-coverage-present.ts';
import { workflowsOf } from './error-matrix.ts';

export type CategoryHeatmap = ReturnType<typeof categoryHeatmap>;
/** One per workflow. */
export type HeatmapRow = CategoryHeatmap['rows'][number];
/** One per category that has expected errors. */
export type CategoryCell = HeatmapRow['cells'][number];

export type MappedCategories = Reading & { readonly heatmap: CategoryHeatmap };

export const FEW_ERRORS = 5;
export const TASKS_FOR_BLIND_SPOT = 3;

/** Floating-point sums miss their line by a few ulps. */
const TOLERANCE = 1e-9;

export function categoryHeatmap(runs: readonly RunEvidence[]) {
  const categories = [...new Set(runs.flatMap((run) => run.categories))];
  return { categories, rows: workflowsOf(runs).map((workflow) => rowOf(workflow, runs, categories)) };
}

function rowOf(workflow: string, all: readonly RunEvidence[], categories: readonly string[]) {
  const runs = all.filter((run) => run.workflow === workflow);
  const errors = creditsPerError(runs);
  return {
    workflow,
    tasks: new Set(runs.map(({ task }) => task)).size,
    runs: runs.length,
    cells: categories.flatMap((category) => {
      const own = errors.filter((error) => error.category === category);
      return own.length === 0 ? [] : [cellOf(category, own)];
    }),
    cc: categoryCoverage.compute(runs),
    ccPresent: categoryCoveragePresent.compute(runs),
  };
}

/** The credits of every error, over the runs. */
function creditsPerError(runs: readonly RunEvidence[]) {
  const outcomes = runs.flatMap(({ task, errors }) => errors.map((error) => ({ task, ...error })));
  return [...Map.groupBy(outcomes, ({ task, id }) => JSON.stringify([task, id])).values()].flatMap((own) =>
    own
      .slice(0, 1)
      .map(({ task, category }) => ({ task, category, credits: own.map(({ credit }) => credit) })),
  );
}

function cellOf(category: string, errors: ReturnType<typeof creditsPerError>) {
  // Of each error the mean credit over the runs, so it may be a fraction.
  const detected = errors.reduce((sum, { credits }) => sum + (mean(credits) as number), 0);
  const rate = detected / errors.length;
  const tasks = new Set(errors.map(({ task }) => task)).size;
  const mark = rate > 0.75 + TOLERANCE ? '✓' : rate >= 0.5 - TOLERANCE ? '~' : '✗';
  // A low rate is a blind spot only over enough tasks.
  const spot = tasks >= TASKS_FOR_BLIND_SPOT ? 'yes' : 'too few tasks';
  return {
    category,
    errors: errors.length,
    detected,
    rate,
    mark,
    // Too few errors for an informative rate.
    few: errors.length < FEW_ERRORS,
    tasks,
    blindSpot: mark === '✗' ? spot : undefined,
  } as const;
}
