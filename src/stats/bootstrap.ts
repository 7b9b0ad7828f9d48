import type { Bootstrap, BootstrapOptions } from './bootstrap-interval.ts';
import { bootstrapInterval } from './bootstrap-interval.ts';
import { checkCount } from './check-input.ts';
import { groupByCluster } from './group-by-cluster.ts';
import { random } from './random.ts';

/**
 * The bootstrap: how much would a statistic move if the units were drawn again? Units are drawn with replacement
 * from the sample, as many as there are, and the statistic is computed each time.
 *
 * When: an interval for anything that has no formula: a ratio of sums, an agreement, a difference of medians;
 * values with partial credit; units that come in clusters. For a plain mean `bootstrapMean` is much faster.
 * Reference: B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap" (1993); R `boot::boot.ci`;
 * scipy `bootstrap`. With clusters: A. C. Davison and D. V. Hinkley, "Bootstrap Methods" (1997), §3.8.
 * Cost: the statistic once per resample, and once per unit for 'bca'.
 * Deterministic: same units in the same order and same seed, same interval. Sort the units by something of their
 * own first when their order is an accident.
 * The statistic may answer `undefined` for a resample it cannot be computed on. Fewer than two units or clusters,
 * or identical replicates: `undefined`.
 */
export function bootstrap<Unit>(
  units: readonly Unit[],
  statistic: (units: readonly Unit[]) => number | undefined,
  options: BootstrapOptions = {},
): Bootstrap | undefined {
  const groups = groupByCluster(units.length, options.clusters).map((places) =>
    places.map((place) => units[place] as Unit),
  );
  const drawn = options.resamples ?? 2000;
  checkCount(drawn, 'resamples', 1);
  const n = groups.length;
  if (n < 2) return undefined;
  const estimate = finite(statistic(units));
  if (estimate === undefined) return undefined;

  const source = random(options.seed ?? 1);
  const values = new Float64Array(drawn);
  let defined = 0;
  for (let i = 0; i < drawn; i++) {
    const resample: Unit[] = [];
    for (let draw = 0; draw < n; draw++) {
      for (const unit of groups[source.below(n)] as Unit[]) resample.push(unit);
    }
    const value = finite(statistic(resample));
    if (value !== undefined) values[defined++] = value;
  }

  const jackknife = (): Float64Array | undefined => {
    const values = groups.map((_, left) => finite(statistic(groups.filter((_, i) => i !== left).flat())));
    return values.every((value) => value !== undefined) ? Float64Array.from(values) : undefined;
  };
  return bootstrapInterval({ estimate, n, drawn, values: values.subarray(0, defined), jackknife }, options);
}

function finite(value: number | undefined): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}
