import { checkCount, checkProbabilities, checkSameLength, type Numbers } from './check-input.ts';
import { mean } from './descriptive.ts';
import { type Interval, wilson } from './intervals.ts';

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

export type ReliabilityBin = {
  /** The probabilities this bin takes: from `low` up to but without `high`; the last bin takes 1 as well. */
  readonly low: number;
  readonly high: number;
  readonly meanPredicted: number;
  /** The share of the items in this bin that came true. */
  readonly observed: number;
  /** Wilson's interval of `observed`. */
  readonly interval: Interval;
  readonly n: number;
};

/**
 * The reliability curve of probability forecasts: of the items that were given about 70%, did about 70% come
 * true? On the diagonal `meanPredicted` = `observed` the forecaster is calibrated.
 *
 * When: beside `brier`, to see where a forecaster is too sure.
 * Reference: M. H. DeGroot and S. E. Fienberg, The Statistician 32 (1983); scikit-learn `calibration_curve` with
 * bins of equal width. Cost: O(n).
 * Worked value: 0.62 no, 0.68 yes, 0.9 yes with 2 bins → one bin 0.5–1: predicted 0.733, observed 0.667, n 3.
 * Bins that no item falls into are left out; no items: an empty curve.
 */
export function reliability(
  probabilities: Numbers,
  outcomes: readonly boolean[],
  { bins = 10, confidence = 0.95 }: { readonly bins?: number; readonly confidence?: number } = {},
): ReliabilityBin[] {
  checkSameLength(probabilities, outcomes, ['probabilities', 'outcomes']);
  checkProbabilities(probabilities);
  checkCount(bins, 'bins', 1);

  const members = Array.from({ length: bins }, () => ({ predicted: [] as number[], happened: 0 }));
  for (let i = 0; i < probabilities.length; i++) {
    const probability = probabilities[i] as number;
    const bin = members[binOf(probability, bins)] as (typeof members)[number];
    bin.predicted.push(probability);
    if (outcomes[i]) bin.happened++;
  }

  return members.flatMap(({ predicted, happened }, i) => {
    const n = predicted.length;
    const meanPredicted = mean(predicted);
    const interval = wilson(happened, n, confidence);
    if (meanPredicted === undefined || interval === undefined) return [];
    return [{ low: i / bins, high: (i + 1) / bins, meanPredicted, observed: happened / n, interval, n }];
  });
}

function binOf(probability: number, bins: number): number {
  const bin = Math.min(bins - 1, Math.floor(probability * bins));
  // 0.29 · 100 is 28.999999999999996: the edges decide, not the product.
  if (bin < bins - 1 && probability >= (bin + 1) / bins) return bin + 1;
  return probability < bin / bins ? bin - 1 : bin;
}
