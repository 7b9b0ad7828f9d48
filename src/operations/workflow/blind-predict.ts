import { readAnswers } from '../../workflow/blind/answers.ts';
import { shownStatement } from '../../workflow/blind/material.ts';
import { type Submitted, showTruth, submit } from '../../workflow/blind/steps.ts';
import type { Ports } from '../ports.ts';

/** Step 2. Refused until step 1 of this evaluator is sealed, and written down: from here on they know. */
export function errorsToPredict(
  { folder, by }: { readonly folder: string; readonly by: string },
  { now }: Pick<Ports, 'now'>,
) {
  const session = showTruth(folder, { who: by, now });
  return { session, errors: session.material.truth.errors.map(shownStatement) };
}

export type PredictRequest = { readonly folder: string; readonly by: string; readonly file: string };

export function predictBlindly({ folder, by, file }: PredictRequest, { now }: Pick<Ports, 'now'>): Submitted {
  return submit(folder, { who: by, now }, 'predict', readAnswers('predict', file));
}
