/** Which kinds of error each workflow finds, and in which it finds little. */
import type { Measurement } from '../../measure/metric.ts';
import { mean } from '../../stats/descriptive.ts';
import type { RunEvidence } from '../evidence.ts';
import type { Reading } from '../ingest/mapping.ts';
import { categoryCoverage } from '../metrics/category-coverage.ts';
import { categoryCoveragePresent } from '../metrics/category-coverage-present.ts';
import { workflowsOf } from './error-matrix.ts';

/** ✓ over 75%, ~ from 50% to 75%, ✗ under 50%. */
type CategoryMark = '✓' | '~' | '✗';

export type CategoryCell = {
  readonly category: string;
  /** Expected errors of the category, over the tasks of the workflow. */
  readonly errors: number;
  /** The sum over those errors of the mean credit over the runs, so it may be a fraction. */
  readonly detected: number;
  readonly rate: number;
  readonly mark: CategoryMark;
  /** Too few errors for the rate to say much. */
  readonly few: boolean;
  /** Tasks that expect an error of the category. */
  readonly tasks: number;
  /** A low rate is a blind spot only over enough tasks. */
  readonly blindSpot?: 'yes' | 'too few tasks';
};

export type HeatmapRow = {
  readonly workflow: string;
  readonly tasks: number;
  readonly runs: number;
  /** One per category that has expected errors. */
  readonly cells: readonly CategoryCell[];
  readonly cc: Measurement;
  readonly ccPresent: Measurement;
};

export type CategoryHeatmap = {
  readonly categories: readonly string[];
  readonly rows: readonly HeatmapRow[];
};

export type MappedCategories = Reading & { readonly heatmap: CategoryHeatmap };

export const FEW_ERRORS = 5;
export const TASKS_FOR_BLIND_SPOT = 3;

/** Floating-point sums miss their line by a few ulps. */
const TOLERANCE = 1e-9;

export function categoryHeatmap(runs: readonly RunEvidence[]): CategoryHeatmap {
  const categories = [...new Set(runs.flatMap((run) => run.categories))];
  return { categories, rows: workflowsOf(runs).map((workflow) => rowOf(workflow, runs, categories)) };
}

function rowOf(workflow: string, all: readonly RunEvidence[], categories: readonly string[]): HeatmapRow {
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

type Credited = { readonly task: string; readonly category: string; readonly credits: number[] };

function creditsPerError(runs: readonly RunEvidence[]): Credited[] {
  const errors = new Map<string, Credited>();
  for (const { task, errors: outcomes } of runs) {
    for (const { id, category, credit } of outcomes) {
      const key = JSON.stringify([task, id]);
      const known = errors.get(key);
      if (known === undefined) errors.set(key, { task, category, credits: [credit] });
      else known.credits.push(credit);
    }
  }
  return [...errors.values()];
}

function cellOf(category: string, errors: readonly Credited[]): CategoryCell {
  const detected = errors.reduce((sum, { credits }) => sum + (mean(credits) as number), 0);
  const rate = detected / errors.length;
  const tasks = new Set(errors.map(({ task }) => task)).size;
  const mark = markOf(rate);
  return {
    category,
    errors: errors.length,
    detected,
    rate,
    mark,
    few: errors.length < FEW_ERRORS,
    tasks,
    ...(mark === '✗' && { blindSpot: tasks >= TASKS_FOR_BLIND_SPOT ? 'yes' : 'too few tasks' }),
  };
}

function markOf(rate: number): CategoryMark {
  if (rate > 0.75 + TOLERANCE) return '✓';
  return rate >= 0.5 - TOLERANCE ? '~' : '✗';
}
