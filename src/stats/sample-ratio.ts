import { checkShare } from './check-input.ts';

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
