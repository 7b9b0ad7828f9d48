import { checkShare } from './check-input.ts';
import { anytimeP, confidenceSequence } from './confidence-sequence.ts';
import type { Interval } from './interval.ts';

/** One unit of an experiment: which arm chance put it in, and what came of it, between 0 and 1. */
export type ArmValue = { readonly inSecond: boolean; readonly value: number };

export type DifferenceSequence = {
  /** Mean of the second arm minus mean of the first. Absent while an arm is empty. */
  readonly difference: number | undefined;
  readonly means: readonly [number | undefined, number | undefined];
  readonly n: readonly [number, number];
  readonly interval: Interval;
  /** Of no difference. */
  readonly p: number;
};

/**
 * The difference of two arms with an interval that may be looked at after every unit (`confidenceSequence`).
 *
 * When: an experiment whose arms chance fills, `share` of the units going to the second. `units` in the order in which
 * they became known: looking again later must only add to the end.
 * Reference: each unit becomes one score whose mean is the difference, whatever was guessed for the means of the arms
 * (J. Robins, A. Rotnitzky and L. P. Zhao, JASA 89 (1994): augmented inverse propensity weighting with known propensity);
 * the guesses are the means of the units before, so the scores stay fair bets. A score lies between ±1/min(share,
 * 1 − share), which is brought to 0–1.
 * Cost: that of `confidenceSequence`.
 * Worked value: units (second, 1), (first, 0) with share 0.5 → difference 1, interval −1 to 1 (two units prove nothing).
 */
export function differenceSequence(
  units: readonly ArmValue[],
  share: number,
  confidence = 0.95,
): DifferenceSequence {
  checkShare(share, 'share');
  const reach = 1 / Math.min(share, 1 - share);
  const { scores, sums, counts } = scoresOf(units, share, reach);
  const { low, high } = confidenceSequence(scores, confidence);
  const back = (scaled: number) => Math.min(1, Math.max(-1, (2 * scaled - 1) * reach));
  const means = [meanOf(sums[0], counts[0]), meanOf(sums[1], counts[1])] as const;
  return {
    difference: means[0] === undefined || means[1] === undefined ? undefined : means[1] - means[0],
    means,
    n: counts,
    interval: { low: back(low), high: back(high) },
    p: anytimeP(scores, 0.5),
  };
}

/** Scores brought to 0–1, where no difference is 0.5. */
function scoresOf(units: readonly ArmValue[], share: number, reach: number) {
  const sums: [number, number] = [0, 0];
  const counts: [number, number] = [0, 0];
  const scores = Float64Array.from(units, ({ inSecond, value }) => {
    const [first, second] = [guess(sums[0], counts[0]), guess(sums[1], counts[1])];
    const surprise = inSecond ? (value - second) / share : -(value - first) / (1 - share);
    const arm = inSecond ? 1 : 0;
    sums[arm] += value;
    counts[arm]++;
    // Rounding may leave the range by the last digit.
    return Math.min(1, Math.max(0, ((second - first + surprise) / reach + 1) / 2));
  });
  return { scores, sums, counts };
}

/** The mean so far, with half a unit of each end thrown in. */
function guess(sum: number, n: number): number {
  return (sum + 0.5) / (n + 1);
}

function meanOf(sum: number, n: number): number | undefined {
  return n === 0 ? undefined : sum / n;
}
