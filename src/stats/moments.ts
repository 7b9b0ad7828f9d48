/** What a mean and its spread are worked out from, where the values themselves are not kept. */
export type Moments = { readonly n: number; readonly sum: number; readonly sumOfSquares: number };

/**
 * The sample standard deviation from sums.
 *
 * When: values were added up as they came and are not kept. Where they are, `sampleSd` is exact.
 * Reference: the textbook formula (Σx² − (Σx)²/n) / (n − 1). It loses digits where the spread is small beside the mean:
 * with values of 0 to 1 and sums to the billionth, a spread below 0.0001 is not told from none.
 * Worked value: 2, 4, 4, 4, 5, 5, 7, 9 (n 8, sum 40, squares 232) → √(32/7) = 2.138. Fewer than two values: `undefined`.
 */
export function sdOfMoments({ n, sum, sumOfSquares }: Moments): number | undefined {
  if (n < 2) return undefined;
  return Math.sqrt(Math.max(0, (sumOfSquares - (sum * sum) / n) / (n - 1)));
}
