import { checkShare } from './check-input.ts';
import type { Interval } from './interval.ts';
import type { JointShares } from './joint-shares.ts';
import { jointShares } from './joint-shares.ts';
import type { Label } from './label.ts';
import { waldInterval } from './wald-interval.ts';

export type CohenKappaOptions = {
  readonly confidence?: number;
  /** How much a near miss counts, for ordered categories. Without it, a miss is a miss. */
  readonly weights?: 'linear' | 'quadratic';
  /** The categories from lowest to highest; needed with `weights`. */
  readonly categories?: readonly Label[];
};

export type CohenKappa = {
  /** 1 is perfect agreement, 0 what chance would give, below 0 less than chance. */
  readonly kappa: number;
  /** The share on which both agree (weighted, if weights were given). */
  readonly agreement: number;
  /** The share on which they would agree by chance, each keeping to their own habits. */
  readonly expected: number;
  readonly n: number;
  /** Absent where the large-sample error is 0, as at perfect agreement: it would claim certainty. */
  readonly interval: Interval | undefined;
};

/** How much it counts when one rater says category `row` and the other `col`: 1 for agreement. */
type Weight = (row: number, col: number) => number;

/**
 * Cohen's kappa: how far two raters agree beyond what chance would give.
 *
 * When: exactly two raters, each item labelled by both. More raters: `fleissKappa`; missing labels:
 * `krippendorffAlpha`.
 * Reference: J. Cohen, Educational and Psychological Measurement 20 (1960). Weights and large-sample error:
 * J. L. Fleiss, J. Cohen and B. S. Everitt, Psychological Bulletin 72 (1969), as in SAS PROC FREQ; the weights are
 * 'equal' and 'squared' of R `irr::kappa2`.
 * Cost: O(n + k²) for k categories.
 * Worked value: yes yes no no against yes no no no → agreement 0.75, expected 0.5, kappa 0.5.
 * No items, or an expected agreement of 1 (both use the same one label): `undefined`.
 */
export function cohenKappa(
  first: readonly Label[],
  second: readonly Label[],
  { confidence = 0.95, weights, categories }: CohenKappaOptions = {},
): CohenKappa | undefined {
  checkShare(confidence, 'confidence');
  if (weights !== undefined && categories === undefined) {
    throw new RangeError('weights need categories in order, from lowest to highest');
  }
  const table = jointShares(first, second, categories);
  // With one category there is nothing to disagree about.
  if (table.n === 0 || table.rows.length < 2) return undefined;
  const weight = weightBy(weights, table.rows.length);

  const agreement = sumOver(table, (row, col, share) => share * weight(row, col));
  const expected = sumOver(table, (row, col) => at(table.rows, row) * at(table.cols, col) * weight(row, col));
  if (1 - expected < 1e-12) return undefined;
  const kappa = (agreement - expected) / (1 - expected);
  const error = standardError(table, weight, kappa, expected);
  return {
    kappa,
    agreement,
    expected,
    n: table.n,
    interval: waldInterval(kappa, error, [-1, 1], confidence),
  };
}

function standardError(table: JointShares, weight: Weight, kappa: number, expected: number): number {
  // The weight that chance alone would give an item, knowing what the one rater said, or the other.
  const byRow = table.rows.map((_, row) => sum(table.cols.map((share, col) => share * weight(row, col))));
  const byCol = table.cols.map((_, col) => sum(table.rows.map((share, row) => share * weight(row, col))));
  const square = sumOver(table, (row, col, share) => {
    return share * (weight(row, col) - (at(byRow, row) + at(byCol, col)) * (1 - kappa)) ** 2;
  });
  const variance = square - (kappa - expected * (1 - kappa)) ** 2;
  return Math.sqrt(Math.max(0, variance) / table.n) / (1 - expected);
}

function weightBy(weights: CohenKappaOptions['weights'], categories: number): Weight {
  const furthest = categories - 1;
  if (weights === 'linear') return (row, col) => 1 - Math.abs(row - col) / furthest;
  if (weights === 'quadratic') return (row, col) => 1 - ((row - col) / furthest) ** 2;
  return (row, col) => (row === col ? 1 : 0);
}

function sumOver(table: JointShares, term: (row: number, col: number, share: number) => number): number {
  return sum(table.cells.flatMap((shares, row) => shares.map((share, col) => term(row, col, share))));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function at(values: readonly number[], index: number): number {
  return values[index] as number;
}
