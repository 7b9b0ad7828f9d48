import { readAnswers } from '../../workflow/blind/answers.ts';
import { shownStatement } from '../../workflow/blind/material.ts';
import { type Submitted, showTruth, submit } from '../../workflow/blind/steps.ts';

/** Step 2. Refused until step 1 of this evaluator is sealed, and written down: from here on they know. */
export function errorsToPredict({ folder, by }: { readonly folder: string; readonly by: string }) {
  const session = showTruth(folder, by);
  return { session, errors: session.material.truth.errors.map(shownStatement) };
}

export type PredictRequest = { readonly folder: string; readonly by: string; readonly file: string };

export function predictBlindly({ folder, by, file }: PredictRequest): Submitted {
  return submit(folder, by, 'predict', readAnswers('predict', file));
}
