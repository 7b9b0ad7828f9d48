import { checkProbabilities, checkSameLength } from './check-input.ts';
import { mean } from './mean.ts';
import type { Numbers } from './numbers.ts';

/**
 * The Brier score of probability forecasts: the mean squared distance between the probability given and what
 * happened (1 or 0). 0 is perfect; always saying 0.5 scores 0.25.
 *
 * When: to compare two forecasters on the same items. It rewards being sharp as well as being calibrated; for
 * calibration alone see `reliability`.
 * Reference: G. W. Brier, Monthly Weather Review 78 (1950); scikit-learn `brier_score_loss`.
 * Worked value: 0.9 and it happened, 0.2 and it did not → (0.01 + 0.04) / 2 = 0.025. No items: `undefined`.
 */
export function brier(probabilities: Numbers, outcomes: readonly boolean[]): number | undefined {
  checkSameLength(probabilities, outcomes, ['probabilities', 'outcomes']);
  checkProbabilities(probabilities);
  return mean(Float64Array.from(probabilities, (probability, i) => (probability - Number(outcomes[i])) ** 2));
}
