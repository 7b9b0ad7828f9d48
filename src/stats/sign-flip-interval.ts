import { fsum } from 'd3-array';
import { checkCount, checkFinite, checkShare } from './check-input.ts';
import { groupByCluster } from './group-by-cluster.ts';
import type { Interval } from './interval.ts';
import type { Numbers } from './numbers.ts';
import { random } from './random.ts';
import type { SignFlipOptions } from './sign-flip.ts';

export type SignFlipIntervalOptions = SignFlipOptions & {
  readonly alpha?: number;
  /** How much each difference counts; all the same unless told. */
  readonly weights?: Numbers;
};

export type SignFlipInterval = {
  readonly meanDifference: number;
  /** Two-sided; below alpha exactly when the interval leaves 0 out. */
  readonly p: number;
  /** All true differences that the test does not reject; absent where no number of units could reject any. */
  readonly interval?: Interval;
  /** What changes sign together: clusters, or single differences. */
  readonly units: number;
  readonly method: 'exact' | 'sampled';
};

/** 2^15 combinations are tried in a few milliseconds; above that a sample is as good. */
const EXACT_UP_TO = 15;

/**
 * The sign-flip test of paired differences and the interval that it implies: every true difference d for which the
 * test of "the differences minus d are symmetric" gives p ≥ alpha. One set of flips serves both, so that the two never
 * contradict each other.
 *
 * How: with S and n the sums and sizes of the units, A = ΣS and N = Σn, a combination of signs s is at least as far out
 * as the real one exactly for the d between (A − ΣsS)/(N − Σsn) and (A + ΣsS)/(N + Σsn), which lie on either side of the
 * mean A/N. The lower limit is therefore an order statistic of the lower ends; nothing has to be searched.
 * When: two arms measured on the same items, items in clusters or not.
 * Reference: inversion of Fisher's randomisation test; E. Lehmann and J. Romano, "Testing Statistical Hypotheses"
 * (2005), §5.10–5.12.
 * Worked value: 1, 2, 3, 4, 5, 6 → mean 3.5, p = 2/64, from 1 to 6: of the 64 lower ends the fourth smallest is the
 * limit, because 3/64 is below 0.05 and 4/64 is not.
 * Cost: 2^units up to 15 units, else 10,000 flips; about 60 ms for 1,000 units.
 */
export function signFlipInterval(
  differences: Numbers,
  options: SignFlipIntervalOptions = {},
): SignFlipInterval | undefined {
  checkFinite(differences, 'differences');
  const { flips = 10_000, seed = 1, clusters, alpha = 0.05, weights } = options;
  checkCount(flips, 'flips', 1);
  checkShare(alpha, 'alpha');
  const n = differences.length;
  if (n === 0) return undefined;
  if (weights !== undefined) checkWeights(weights, n);
  const weightOf = (place: number) => weights?.[place] ?? 1;
  const units = groupByCluster(n, clusters).map((places) => ({
    sum: fsum(places, (place) => weightOf(place) * (differences[place] as number)),
    size: fsum(places, weightOf),
  }));
  const total = fsum(units, ({ sum }) => sum);
  // Seen from the side of the larger arm, so that the interval turns round exactly when the sides do.
  const side = total < 0 ? -1 : 1;
  const test = flipped(
    units
      .map(({ sum, size }) => ({ sum: side * sum, size }))
      .sort((a, b) => Math.abs(a.sum) - Math.abs(b.sum) || a.sum - b.sum || a.size - b.size),
    flips,
    seed,
  );
  const interval = test.limits(alpha);
  return {
    meanDifference: total / fsum(units, ({ size }) => size),
    p: test.p,
    ...(interval && { interval: turned(interval, side, total === 0 && test.method === 'sampled') }),
    units: units.length,
    method: test.method,
  };
}

function checkWeights(weights: Numbers, n: number): void {
  checkFinite(weights, 'weights');
  if (weights.length !== n || weights.some((weight) => weight <= 0)) {
    throw new RangeError(`weights must be ${n} positive numbers`);
  }
}

/** Where flips are drawn and no arm is the larger, the interval is made to look the same from both sides. */
function turned({ low, high }: Interval, side: number, even: boolean): Interval {
  if (even) {
    const far = Math.max(-low, high);
    return { low: -far, high: far };
  }
  return side < 0 ? { low: -high, high: -low } : { low, high };
}

type Unit = { readonly sum: number; readonly size: number };

function flipped(units: readonly Unit[], flips: number, seed: number) {
  const exact = units.length <= EXACT_UP_TO;
  const drawn = exact ? 2 ** units.length : flips;
  // A sampled p counts the real outcome as one of the flips, so it is never 0.
  const count = exact ? drawn : drawn + 1;
  const [lows, highs] = [new Float64Array(count), new Float64Array(count)];
  const [sums, sizes] = [
    Float64Array.from(units, (unit) => unit.sum),
    Float64Array.from(units, (unit) => unit.size),
  ];
  const [total, n] = [fsum(sums), fsum(sizes)];
  // Sums of thirds in another order differ in the last digits; a tie must stay a tie.
  const slack = 1e-10 * (fsum(sums, Math.abs) || 1);
  const source = random(seed);
  let asFar = 0;
  for (let i = 0; i < count; i++) {
    let [sum, size, signs] = [0, 0, i];
    if (i >= drawn) [sum, size] = [total, n];
    else
      for (let unit = 0; unit < sums.length; unit++) {
        if (!exact && (unit & 31) === 0) signs = source.bits();
        const sign = (signs >>> (unit & 31)) & 1 ? 1 : -1;
        sum += sign * (sums[unit] as number);
        size += sign * (sizes[unit] as number);
      }
    const farther = Math.abs(sum) - Math.abs(total);
    if (farther >= -slack) asFar++;
    const [one, other] = [limit(total - sum, n - size), limit(total + sum, n + size)];
    const [low, high] = one < other ? [one, other] : [other, one];
    // A tie at 0 ends exactly there, whatever the last digits say.
    const tied = Math.abs(farther) <= slack && size * size < n * n;
    lows[i] = size * size >= n * n ? -Infinity : tied && Math.abs(low) < Math.abs(high) ? 0 : low;
    highs[i] = size * size >= n * n ? Infinity : tied && Math.abs(high) <= Math.abs(low) ? 0 : high;
  }
  lows.sort();
  highs.sort();
  return {
    p: asFar / count,
    method: exact ? ('exact' as const) : ('sampled' as const),
    limits: (alpha: number): Interval | undefined => {
      // As many flips must reach a difference for p to be alpha or more.
      const place = Math.ceil(alpha * count - 1e-9) - 1;
      const [low, high] = [lows[place] ?? -Infinity, highs[count - 1 - place] ?? Infinity];
      return Number.isFinite(low) && Number.isFinite(high) ? { low, high } : undefined;
    },
  };
}

function limit(rest: number, size: number): number {
  return size === 0 ? 0 : rest / size;
}
