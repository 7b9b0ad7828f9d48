import { estimate, type Measurement, unmeasured } from '../measure/metric.ts';
import type { RunEvidence } from './evidence.ts';

/** In how many of repeated runs each expected error was found, in the order of the ground truth. */
export function errorsAcross(
  runs: readonly RunEvidence[],
): { readonly id: string; readonly found: number }[] {
  const found = new Map<string, number>();
  for (const { errors } of runs) {
    for (const { id, credit } of errors) found.set(id, (found.get(id) ?? 0) + (credit > 0 ? 1 : 0));
  }
  return [...found].map(([id, count]) => ({ id, found: count }));
}

/** The share of errors found often enough, over at least two runs. */
export function shareFound(
  runs: readonly RunEvidence[],
  enough: (found: number, runs: number) => boolean,
): Measurement {
  if (runs.length < 2) return unmeasured('needs at least two runs');
  const errors = errorsAcross(runs);
  if (errors.length === 0) return unmeasured('the ground truth expects no errors');
  const share = errors.filter(({ found }) => enough(found, runs.length)).length / errors.length;
  return estimate(100 * share, runs.length);
}
