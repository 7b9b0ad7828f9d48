import { checkProbabilities } from './check-input.ts';

/**
 * Holm's correction for several tests: adjusted p values that can be held against 0.05 together. The smallest is
 * multiplied by how many tests there are, the next by one less, and so on, and none may overtake a smaller one.
 *
 * When: more than one metric is tested and a claim is made about any of them. Never weaker than Bonferroni and
 * needs no independence.
 * Reference: S. Holm, Scandinavian Journal of Statistics 6 (1979); R `p.adjust(p, 'holm')`.
 * Cost: O(n log n). The answer keeps the order of the input.
 * Worked value: 0.01, 0.04, 0.03 → 0.03, 0.06, 0.06.
 */
export function holm(pValues: readonly number[]): number[] {
  checkProbabilities(pValues, 'pValues');
  const ascending = pValues.map((p, place) => ({ p, place })).sort((a, b) => a.p - b.p);
  const adjusted = new Array<number>(pValues.length);
  let floor = 0;
  for (const [rank, { p, place }] of ascending.entries()) {
    floor = Math.max(floor, Math.min(1, p * (pValues.length - rank)));
    adjusted[place] = floor;
  }
  return adjusted;
}
