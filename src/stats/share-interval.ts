import { fsum } from 'd3-array';
import { checkCount, checkFinite, checkShare } from './check-input.ts';
import { studentTQuantile } from './distributions.ts';
import { type Cluster, groupByCluster } from './group-by-cluster.ts';
import type { Interval } from './interval.ts';
import { mean } from './mean.ts';
import type { Numbers } from './numbers.ts';

export type ShareIntervalOptions = {
  /** The cluster of each value: items of one document are alike. */
  readonly clusters?: readonly Cluster[];
  /** How many yes/no answers each value is the mean of; 1 unless told. */
  readonly repeats?: number;
  readonly confidence?: number;
};

/**
 * An interval for the mean of values from 0 to 1 over the items they were drawn from: partial credit, means of repeated
 * runs, items in clusters. Wilson's interval with the effective number of items, which is p(1 − p) divided by the
 * variance of the mean as seen between clusters, and with Student's t for the effective number of clusters.
 *
 * When: a share whose items stand for others like them. It covers the choice of items and the noise of runs together;
 * an interval over run means covers the second only.
 * Reference: Wilson (1927) with a design effect, as E. Korn and B. Graubard, Survey Methodology 24 (1998), and C. Franco
 * et al., Journal of Survey Statistics and Methodology 7 (2019), recommend for surveys. Coverage in simulations:
 * `bench/compare-verdicts.ts`.
 * Worked value: 8 ones and 2 zeros, each on its own: variance of the mean 0.16/9, so 9 effective items, t = 2.262 →
 * 0.438 to 0.955. A single cluster: `undefined`.
 */
export function shareInterval(values: Numbers, options: ShareIntervalOptions = {}): Interval | undefined {
  checkFinite(values, 'values');
  const { clusters, repeats = 1, confidence = 0.95 } = options;
  checkCount(repeats, 'repeats', 1);
  checkShare(confidence, 'confidence');
  const groups = groupByCluster(values.length, clusters);
  const share = mean(values);
  if (share === undefined || groups.length < 2) return undefined;
  if (share < 0 || share > 1) throw new RangeError(`shares lie between 0 and 1, their mean is ${share}`);
  const n = effectiveItems(values, groups, share, repeats);
  const t = studentTQuantile(1 - (1 - confidence) / 2, Math.max(1, effectiveClusters(groups) - 1));
  const shrink = 1 + (t * t) / n;
  const centre = (share + (t * t) / (2 * n)) / shrink;
  const half = (t / shrink) * Math.sqrt((share * (1 - share)) / n + (t * t) / (4 * n * n));
  return {
    low: share === 0 ? 0 : Math.max(0, centre - half),
    high: share === 1 ? 1 : Math.min(1, centre + half),
  };
}

/** As many clusters of one size as would tell as much: (Σn)² / Σn². One large cluster among small ones is nearly one. */
function effectiveClusters(groups: readonly (readonly number[])[]): number {
  const sizes = groups.map(({ length }) => length);
  return fsum(sizes) ** 2 / fsum(sizes, (size) => size ** 2);
}

/** Values without any spread tell no variance; they count as one answer each, and never as more than they are. */
function effectiveItems(
  values: Numbers,
  groups: readonly (readonly number[])[],
  share: number,
  repeats: number,
): number {
  const n = values.length;
  const squares = groups.map((places) => fsum(places, (place) => (values[place] as number) - share) ** 2);
  const clusters = Math.max(1.5, effectiveClusters(groups));
  const variance = ((clusters / (clusters - 1)) * fsum(squares)) / n ** 2;
  if (variance === 0 || share === 0 || share === 1) return clusteredAlike(groups, share) ? groups.length : n;
  return Math.min(n * repeats, (share * (1 - share)) / variance);
}

/** Where all is found or nothing is, clusters may be all alike inside: then each of them is one item. */
function clusteredAlike(groups: readonly (readonly number[])[], share: number): boolean {
  return (share === 0 || share === 1) && groups.some((places) => places.length > 1);
}
