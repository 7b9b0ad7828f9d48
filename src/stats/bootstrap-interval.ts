import { extent } from 'd3-array';
import { bcaInterval } from './bca-interval.ts';
import { checkShare } from './check-input.ts';
import type { Cluster } from './group-by-cluster.ts';
import type { Interval } from './interval.ts';
import { percentileInterval } from './percentile-interval.ts';

export type BootstrapOptions = {
  /** 2,000 unless told: enough that the ends of a 95% interval move by less than a tenth of its width. */
  readonly resamples?: number;
  readonly seed?: number;
  readonly confidence?: number;
  /** 'bca' unless told: better ends for skewed values; 'percentile' is the simpler one. */
  readonly method?: 'bca' | 'percentile';
  /** The cluster of each unit: then whole clusters are drawn, because units of one cluster resemble each other. */
  readonly clusters?: readonly Cluster[];
};

export type Bootstrap = {
  /** The statistic of the units as they are. */
  readonly estimate: number;
  readonly interval: Interval;
  /** How many things were drawn from: units, or clusters where there are clusters. */
  readonly n: number;
  /** Resamples that had a value; the others were left out. */
  readonly resamples: number;
};

/** What `bootstrap` and `bootstrapMean` have drawn, before it is made into an interval. */
export type Replicates = {
  readonly estimate: number;
  readonly n: number;
  readonly drawn: number;
  readonly values: Float64Array;
  /** The statistic with each unit (or cluster) left out; `undefined` when it has no value for one of them. */
  readonly jackknife: () => Float64Array | undefined;
};

/**
 * The last step of every bootstrap: from resampled values to an interval, or to `undefined` where the bootstrap
 * has nothing to say: when fewer than half of the resamples had a value, or when they are all the same (identical
 * units have no spread to resample; an interval without width would claim certainty).
 */
export function bootstrapInterval(
  { estimate, n, drawn, values, jackknife }: Replicates,
  { confidence = 0.95, method = 'bca' }: BootstrapOptions,
): Bootstrap | undefined {
  checkShare(confidence, 'confidence');
  if (values.length * 2 < drawn) return undefined;
  const [least, most] = extent(values);
  if (least === undefined || most === undefined) return undefined;
  // Sums of the same numbers in another order differ in the last digits; that is not spread.
  if (most - least <= 1e-12 * Math.max(Math.abs(least), Math.abs(most))) return undefined;

  const leaveOneOut = method === 'bca' ? jackknife() : undefined;
  const interval =
    method === 'percentile'
      ? percentileInterval(values, confidence)
      : leaveOneOut && bcaInterval(values, estimate, leaveOneOut, confidence);
  return interval && { estimate, interval, n, resamples: values.length };
}
