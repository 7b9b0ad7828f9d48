import { checkFinite, checkSameLength, checkShare, type Numbers } from './check-input.ts';
import { averageRanks } from './correlation.ts';
import { mean, sampleSd } from './descriptive.ts';
import { type Interval, waldInterval } from './intervals.ts';

export type Auc = {
  readonly auc: number;
  readonly positives: number;
  readonly negatives: number;
  /** DeLong's, cut off at 0 and 1. Absent with a single item in a class and when the classes do not overlap. */
  readonly interval: Interval | undefined;
};

/**
 * The area under the ROC curve: the chance that a positive item scores higher than a negative one, ties counting
 * half. 0.5 is guessing, 1 a perfect ranking.
 *
 * When: a score should separate yes from no and no threshold has been chosen.
 * Reference: the area is U / (m·n) of scipy `mannwhitneyu`. The interval is that of E. R. DeLong, D. M. DeLong and
 * D. L. Clarke-Pearson, Biometrics 44 (1988), as in R `pROC::ci.auc`, computed from ranks as in X. Sun and W. Xu,
 * IEEE Signal Processing Letters 21 (2014). Cost: O(n log n).
 * Worked value: positives 0.9, 0.8, 0.4; negatives 0.7, 0.4 → (2 + 2 + 0.5) / 6 = 0.75.
 * One class missing: `undefined`.
 */
export function auc(scores: Numbers, labels: readonly boolean[], confidence = 0.95): Auc | undefined {
  checkSameLength(scores, labels, ['scores', 'labels']);
  checkFinite(scores, 'scores');
  checkShare(confidence, 'confidence');
  const ranks = averageRanks(scores);
  // For each positive, the share of negatives below it; for each negative, the share of positives above it.
  const beaten = placements(scores, ranks, labels, true);
  const beating = placements(scores, ranks, labels, false).map((share) => 1 - share);
  const area = mean(beaten);
  if (area === undefined || beating.length === 0) return undefined;

  const sdBeaten = sampleSd(beaten);
  const sdBeating = sampleSd(beating);
  const error =
    sdBeaten === undefined || sdBeating === undefined
      ? 0
      : Math.sqrt(sdBeaten ** 2 / beaten.length + sdBeating ** 2 / beating.length);
  return {
    auc: area,
    positives: beaten.length,
    negatives: beating.length,
    interval: waldInterval(area, error, [0, 1], confidence),
  };
}

/** For each item of one class, the share of the other class that scores below it: rank among all − rank among its own. */
function placements(
  scores: Numbers,
  ranks: Float64Array,
  labels: readonly boolean[],
  ofClass: boolean,
): Float64Array {
  const places = [...labels.keys()].filter((place) => labels[place] === ofClass);
  const own = averageRanks(places.map((place) => scores[place] as number));
  const others = labels.length - places.length;
  if (others === 0) return new Float64Array(0);
  return Float64Array.from(places, (place, i) => ((ranks[place] as number) - (own[i] as number)) / others);
}
