import { fsum } from 'd3-array';
import type { Bootstrap, BootstrapOptions } from './bootstrap-interval.ts';
import { bootstrapInterval } from './bootstrap-interval.ts';
import { checkCount } from './check-input.ts';
import { groupByCluster } from './group-by-cluster.ts';
import { mean } from './mean.ts';
import type { Numbers } from './numbers.ts';
import { random } from './random.ts';

/**
 * The bootstrap of a mean, the fast way: what `bootstrap(values, mean)` does, with one addition per draw.
 *
 * When: the mean of values with partial credit, or of items that share a document (then with `clusters`: whole
 * clusters are drawn and the mean is still the mean over items).
 * Reference: as `bootstrap`.
 * Cost: 2,000 resamples of 1,000 values take about 20 ms.
 * Values are put in ascending order before anything is drawn, so their order never changes the interval.
 * Worked value: 0, 0.5, 1, 1, 0.5, 1, 0, 1 (seed 1) → 0.625 with 0.3125 to 0.8750.
 */
export function bootstrapMean(values: Numbers, options: BootstrapOptions = {}): Bootstrap | undefined {
  const estimate = mean(values);
  const drawn = options.resamples ?? 2000;
  checkCount(drawn, 'resamples', 1);
  const groups = groupByCluster(values.length, options.clusters)
    .map((places) => ({ sum: fsum(places, (place) => values[place] as number), size: places.length }))
    .sort((a, b) => a.sum - b.sum || a.size - b.size);
  const n = groups.length;
  if (estimate === undefined || n < 2) return undefined;

  const sums = Float64Array.from(groups, (group) => group.sum);
  const sizes = Float64Array.from(groups, (group) => group.size);
  const source = random(options.seed ?? 1);
  const means = new Float64Array(drawn);
  for (let i = 0; i < drawn; i++) {
    let sum = 0;
    let size = 0;
    for (let draw = 0; draw < n; draw++) {
      const pick = source.below(n);
      sum += sums[pick] as number;
      size += sizes[pick] as number;
    }
    means[i] = sum / size;
  }

  const sum = fsum(sums);
  const jackknife = () =>
    Float64Array.from(groups, (group) => (sum - group.sum) / (values.length - group.size));
  return bootstrapInterval({ estimate, n, drawn, values: means, jackknife }, options);
}
