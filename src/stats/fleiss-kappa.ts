export type FleissKappa = {
  /** 1 is perfect agreement, 0 what chance would give. */
  readonly kappa: number;
  /** The share of pairs of raters that agree on an item, averaged over items. */
  readonly agreement: number;
  /** The same if all raters drew labels at random with the frequencies seen. */
  readonly expected: number;
  /** Items. */
  readonly n: number;
  readonly raters: number;
};

/**
 * Fleiss' kappa: how far several raters agree beyond chance. `counts[item][category]` says how many raters put the
 * item into the category; which rater it was does not matter.
 *
 * When: the same number of raters for each item. With two raters it is close to, but not, Cohen's kappa (chance is
 * pooled over raters). Missing labels: `krippendorffAlpha`, which also has an interval.
 * Reference: J. L. Fleiss, Psychological Bulletin 76 (1971); R `irr::kappam.fleiss`.
 * Cost: O(items × categories); counted in whole numbers, so order cannot change a digit.
 * Worked value: [[3, 0], [2, 1], [0, 3]] → agreement 7/9, expected 41/81, kappa 11/20 = 0.55.
 * No items, fewer than two raters, or one category only: `undefined`.
 */
export function fleissKappa(counts: readonly (readonly number[])[]): FleissKappa | undefined {
  const n = counts.length;
  const categories = counts[0]?.length ?? 0;
  const raters = sum(counts[0] ?? []);
  for (const [item, row] of counts.entries()) {
    if (row.length !== categories || row.some((count) => !Number.isInteger(count) || count < 0)) {
      throw new RangeError(`counts[${item}] must hold ${categories} counts, got [${row.join(', ')}]`);
    }
    if (sum(row) !== raters) {
      throw new RangeError(`every item needs the same ${raters} raters; counts[${item}] has ${sum(row)}`);
    }
  }
  if (n === 0 || raters < 2) return undefined;

  const agreeingPairs = sum(counts.map((row) => sum(row.map((count) => count * (count - 1)))));
  const agreement = agreeingPairs / (n * raters * (raters - 1));
  const perCategory = Array.from({ length: categories }, (_, c) =>
    sum(counts.map((row) => row[c] as number)),
  );
  const expected = sum(perCategory.map((count) => count * count)) / (n * raters) ** 2;
  if (expected >= 1) return undefined;
  return { kappa: (agreement - expected) / (1 - expected), agreement, expected, n, raters };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
