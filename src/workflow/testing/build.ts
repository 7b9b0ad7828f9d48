/** Builds small truths and runs for tests, with defaults for unnamed fields. */
import type { Finding, ReviewRun } from '../review.ts';
import { CATEGORIES, type GroundTruth, type KnownError, type Trap } from '../truth.ts';

export function truthOf(
  errors: readonly Partial<KnownError>[],
  traps: readonly Partial<Trap>[] = [],
  rest: Partial<GroundTruth> = {},
): GroundTruth {
  return {
    task: 'T1',
    version: '1',
    categories: [...new Set([...CATEGORIES, ...errors.flatMap(({ category }) => category ?? [])])],
    errors: errors.map((error, i) => ({
      id: `E${i + 1}`,
      severity: 'IMPORTANT',
      category: 'SCOPE',
      description: 'something is wrong',
      locations: [],
      ...error,
    })),
    traps: traps.map((trap, i) => ({ id: `T${i + 1}`, description: 'looks wrong', locations: [], ...trap })),
    hash: 'hash',
    ...rest,
  };
}

export function runOf(findings: readonly Partial<Finding>[], rest: Partial<ReviewRun> = {}): ReviewRun {
  return {
    workflow: 'v1',
    task: 'T1',
    run: '1',
    concerns: [],
    findings: findings.map((finding, i) => ({
      id: `F${i + 1}`,
      title: `finding ${i + 1}`,
      labels: [],
      ...finding,
    })),
    ...rest,
  };
}
