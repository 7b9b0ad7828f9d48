import type { Interval } from './interval.ts';

/** The answer of `pearson` and `spearman`. */
export type Correlation = {
  /** −1 to 1. */
  readonly r: number;
  /** Two-sided, of no association. */
  readonly p: number;
  readonly n: number;
  /** Absent with three pairs and at exactly ±1, where the Fisher transformation has no width or no end. */
  readonly interval: Interval | undefined;
};
