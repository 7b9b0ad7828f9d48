import type { SuiteRun } from '../../decomposition/suite-run.ts';
import type { Verdict } from '../../judge/verdict.ts';
import { encodeSuiteRun } from './decomposition-run.ts';
import { encodeRun, type RunWire } from './run.ts';
import { encodeScoredReviews } from './workflow/score.ts';

type Stored = {
  readonly verdict: Verdict;
  readonly suite?: SuiteRun;
  readonly reviews?: Parameters<typeof encodeScoredReviews>[0];
};

/** A run that the store remembers, in the shape in which it left when it was measured. `notes`: as they were said then. */
export function encodeStoredRun({ verdict, suite, reviews }: Stored, notes?: readonly string[]): RunWire {
  if (suite) return encodeSuiteRun(suite, notes);
  return reviews === undefined ? encodeRun(verdict) : encodeScoredReviews(reviews);
}
