import { checkProbabilities, checkShare, type Numbers } from './check-input.ts';
import type { Interval } from './intervals.ts';

/**
 * Shares of the largest bet that can never lose everything: from bold to timid, because the best one depends on an
 * effect that nobody knows. Each gets the same part of the stake.
 */
const BETS = Array.from({ length: 9 }, (_, step) => 0.95 * 2 ** -step);

/**
 * A confidence sequence for the mean of values between 0 and 1: an interval that may be looked at after every value.
 * The chance that it ever, at any look, leaves the true mean out is at most 1 − `confidence`, for every number of values
 * and whatever their distribution; so a test that stops as soon as it excludes something keeps its level.
 *
 * When: whoever waits for the answer looks more than once. An ordinary 95% interval looked at after each of 2,000 values
 * leaves the truth out at some look more often than one time in three.
 * Reference: I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by betting", JRSS B 86 (2024),
 * the hedged grid Kelly capital: half of a stake of 1 bets that the mean is above m, half that it is below, spread over
 * fixed bets; a true m makes a fair game, whose capital reaches 1/α with a chance of at most α (Ville, 1939). Here the
 * bets halve from one to the next instead of being equally far apart, which the proof allows, and what was once
 * excluded stays so.
 * Cost: O(n) for each of 2 × 40 steps of bisection; ends early where a mean is excluded early.
 * Worked value: twenty times 1 → 0.739 to 1. No values: 0 to 1.
 */
export function confidenceSequence(values: Numbers, confidence = 0.95): Interval {
  checkShare(confidence, 'confidence');
  checkProbabilities(values, 'values');
  const goal = 1 / (1 - confidence);
  const flipped = Float64Array.from(values, (value) => 1 - value);
  const low = excludedUpTo(values, goal);
  return { low, high: Math.max(low, 1 - excludedUpTo(flipped, goal)) };
}

/**
 * How much the values speak against `mean`, at the look where they spoke most: a p value that may be looked at after
 * every value and still is below α with a chance of at most α. The mean is outside of the confidence sequence of
 * 1 − α exactly when this is at most α.
 */
export function anytimeP(values: Numbers, mean: number): number {
  checkProbabilities(values, 'values');
  checkShare(mean, 'mean');
  const flipped = Float64Array.from(values, (value) => 1 - value);
  return Math.min(1, 1 / Math.max(highestCapital(values, mean), highestCapital(flipped, 1 - mean)));
}

/** The largest mean that a bet on more than it refutes: refuting one refutes all below it. */
function excludedUpTo(values: Numbers, goal: number): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2;
    if (highestCapital(values, middle, goal) >= goal) low = middle;
    else high = middle;
  }
  return low;
}

/** The most that half the stake ever grew to, betting that the mean is above `mean`; `enough` is where it may stop. */
function highestCapital(values: Numbers, mean: number, enough = 1e150): number {
  const capital = new Float64Array(BETS.length).fill(0.5 / BETS.length);
  let highest = 0;
  for (let i = 0; i < values.length; i++) {
    const gain = (values[i] as number) / mean - 1;
    let total = 0;
    for (let bet = 0; bet < BETS.length; bet++)
      total += capital[bet] = (capital[bet] as number) * (1 + (BETS[bet] as number) * gain);
    if (total > highest) highest = total;
    if (highest >= enough) return highest;
  }
  return highest;
}

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

/**
 * Weights of the prior, in units: a light one sees a gross deviation after a dozen units, a heavy one a small deviation
 * after thousands. Their mean does both.
 */
const PRIORS = [2, 20, 200, 2000];

/**
 * Did units come to the two arms in the planned ratio? A p value that may be looked at after every unit: it ever falls
 * to α with a chance of at most α if they did.
 *
 * When: before anything of an experiment is believed. Where arms are not filled as planned, something (a cache, a
 * crash, a bot) decides who is in which, and it may decide the outcome as well.
 * Reference: M. Lindon and A. Malek, "Anytime-valid inference for multinomial count data", NeurIPS 35 (2022): the Bayes
 * factor of a beta prior around the planned ratio against the ratio itself; here the mean over `PRIORS`, which is one
 * prior as well.
 * Cost: O(n). Worked value: 12 of 12 in the second arm, planned ratio 0.5 → P12. No units: 1.
 */
export function sampleRatioP(isSecond: readonly boolean[], ratio: number): number {
  checkShare(ratio, 'ratio');
  const counts: [number, number] = [0, 0];
  const planned = [1 - ratio, ratio] as const;
  const factors = PRIORS.map(() => 1 / PRIORS.length);
  let highest = 1;
  for (const inSecond of isSecond) {
    const arm = inSecond ? 1 : 0;
    const before = counts[0] + counts[1];
    let total = 0;
    for (const [place, weight] of PRIORS.entries()) {
      const expected = (weight * planned[arm] + counts[arm]) / (weight + before);
      total += factors[place] = (factors[place] as number) * (expected / planned[arm]);
    }
    counts[arm]++;
    highest = Math.max(highest, total);
  }
  return 1 / highest;
}
