import type { z } from 'zod';
import type { SuiteRun } from '../decomposition/suite-run.ts';
import type { Verdict } from '../judge/verdict.ts';
import { decompositionRun } from './schema/decomposition.ts';
import { run } from './schema/run.ts';
import { scoredReviews } from './schema/workflow.ts';
import { encode, type Source } from './wire.ts';

type Stored = {
  readonly verdict: Verdict;
  readonly suite?: SuiteRun;
  readonly reviews?: Source<typeof scoredReviews>;
};

/** A stored run in the shape in which it left when it was measured. `notes`: as they were said then. */
export function encodeStoredRun(
  { verdict, suite, reviews }: Stored,
  notes?: readonly string[],
): z.infer<typeof run> {
  if (suite) return encode(decompositionRun, { ...suite, notes });
  return reviews === undefined ? encode(run, verdict) : encode(scoredReviews, reviews);
}
