import { chiSquareUpperP } from './distributions.ts';

export type SameShares = {
  readonly chiSquare: number;
  readonly degreesOfFreedom: number;
  readonly p: number;
};

/**
 * Pearson's chi-square test of homogeneity: do two groups fall into the same categories in the same shares? Categories that
 * nobody is in are left out; those with few expected are put together, so that the approximation holds.
 *
 * When: the distribution of predicates or of confidence in one time beside another.
 * Reference: K. Pearson, Philosophical Magazine 50 (1900); R `chisq.test(rbind(a, b), correct = FALSE)`;
 * scipy `chi2_contingency([a, b], correction=False)`.
 * Worked value: 30, 20, 50 beside 20, 30, 50 → chi-square 4, df 2, p = 0.135.
 * Fewer than two categories that are left, or an empty group: `undefined`.
 */
export function sameShares(before: readonly number[], after: readonly number[]): SameShares | undefined {
  const [totalBefore, totalAfter] = [sum(before), sum(after)];
  const total = totalBefore + totalAfter;
  if (totalBefore <= 0 || totalAfter <= 0) return undefined;
  const smaller = Math.min(totalBefore, totalAfter) / total;
  const cells = combined(
    before.map((count, i) => [count, after[i] ?? 0] as const),
    LEAST_EXPECTED / smaller,
  );
  if (cells.length < 2) return undefined;
  const chiSquare = sum(
    cells.flatMap(([a, b]) => {
      const [expectedBefore, expectedAfter] = [
        ((a + b) * totalBefore) / total,
        ((a + b) * totalAfter) / total,
      ];
      return [(a - expectedBefore) ** 2 / expectedBefore, (b - expectedAfter) ** 2 / expectedAfter];
    }),
  );
  const degreesOfFreedom = cells.length - 1;
  return { chiSquare, degreesOfFreedom, p: chiSquareUpperP(chiSquare, degreesOfFreedom) };
}

/** W. G. Cochran, Biometrics 10 (1954). */
const LEAST_EXPECTED = 5;

/** Neighbours are put together until each has enough of both groups. */
function combined(cells: readonly (readonly [number, number])[], least: number): [number, number][] {
  const joined: [number, number][] = [];
  let [a, b] = [0, 0];
  for (const [before, after] of cells) {
    a += before;
    b += after;
    if (a + b < least) continue;
    joined.push([a, b]);
    [a, b] = [0, 0];
  }
  const last = joined.at(-1);
  if (last !== undefined) {
    last[0] += a;
    last[1] += b;
  }
  return joined;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
