/** Builds arms for tests of reports: numbered errors, and which of them each run finds. */
import { examineRun } from '../match/examine-run.ts';
import type { ExaminedArm } from '../reports/error-matrix.ts';
import type { Finding, ReviewRun } from '../review.ts';
import type { GroundTruth, KnownError } from '../truth.ts';
import { runOf, truthOf } from './build.ts';

export function placeOf(number: number): { file: string; lines: [number, number] } {
  return { file: 'src/app.ts', lines: [20 * number, 20 * number + 2] };
}

/** Errors E1, E2 … of the given categories, each at a different place. */
export function truthIn(
  task: string,
  errors: readonly (string | Partial<KnownError>)[],
  rest: Partial<GroundTruth> = {},
): GroundTruth {
  return truthOf(
    errors.map((error, i) => ({
      locations: [placeOf(i + 1)],
      description: `error ${i + 1} of ${task}`,
      ...(typeof error === 'string' ? { category: error } : error),
    })),
    [],
    { task, hash: `hash of ${task}`, ...rest },
  );
}

/** One run per list of the error numbers it finds; complete findings are accepted instead. */
export function armOf(
  workflow: string,
  truth: GroundTruth,
  found: readonly (readonly (number | Partial<Finding>)[])[],
  rest: Partial<ReviewRun> = {},
): ExaminedArm {
  const reviews = found.map((one, index) =>
    runOf(
      one.map((finding, i) =>
        typeof finding === 'number'
          ? { id: `F${i + 1}`, title: `finding of error ${finding}`, ...placeOf(finding) }
          : { id: `F${i + 1}`, ...finding },
      ),
      { workflow, task: truth.task, run: String(index + 1), ...rest },
    ),
  );
  return {
    workflow,
    task: truth.task,
    truth,
    reviews,
    runs: reviews.map((review) => examineRun(truth, review)),
  };
}
