import { fsum } from 'd3-array';
import { type Cluster, groupByCluster } from './bootstrap.ts';
import { checkCount, checkFinite, checkShare, type Numbers } from './check-input.ts';
import type { Interval } from './intervals.ts';
import { random } from './random.ts';

type SignFlipOptions = {
  /** The cluster of each difference: then whole clusters change sign together. */
  readonly clusters?: readonly Cluster[];
  /** How many flips are drawn when there are too many to try them all; 10,000 unless told. */
  readonly flips?: number;
  readonly seed?: number;
};

type SignFlip = {
  readonly meanDifference: number;
  /** Two-sided. */
  readonly p: number;
  /** How many differences there are. */
  readonly n: number;
  /** How many of them (or of their clusters) are not 0: only these can change sign and count as evidence. */
  readonly flippable: number;
  /** 'exact': every combination of signs was tried; 'sampled': a seeded part of them. */
  readonly method: 'exact' | 'sampled';
  /** No outcome of this design could have a smaller p. Above 0.05 the test cannot find anything. */
  readonly smallestP: number;
};

/** 2^15 combinations are tried in a millisecond; above that a sample is as good. */
const EXACT_UP_TO = 15;

/**
 * The sign-flip permutation test of paired differences: if neither side is better, each difference could as well
 * have had the other sign. p is the share of sign combinations whose mean is at least as far from 0 as the real
 * one.
 *
 * When: two arms measured on the same items; no assumption of normal values. For a yes/no per item it is
 * `mcnemar`.
 * Reference: R. A. Fisher, "The Design of Experiments" (1935), §21; scipy
 * `permutation_test(permutation_type='samples')`. A sampled p counts the real outcome as one of the flips, so it
 * is never 0 (B. Phipson and G. Smyth, 2010).
 * Cost: exact up to 15 differences that are not 0 (a difference of 0 stays 0 whichever way it is flipped);
 * otherwise 10,000 flips, about 20 ms for 1,000 differences. The order of the differences never matters.
 * Worked value: 1, 2, 3, −1 → mean 1.25, p = 6/16 = 0.375. No difference given: `undefined`; all 0: p = 1.
 */
export function signFlip(differences: Numbers, options: SignFlipOptions = {}): SignFlip | undefined {
  checkFinite(differences, 'differences');
  const { flips = 10_000, seed = 1, clusters } = options;
  checkCount(flips, 'flips', 1);
  const n = differences.length;
  const sums = groupByCluster(n, clusters).map((places) =>
    fsum(places, (place) => differences[place] as number),
  );
  if (n === 0) return undefined;

  const total = fsum(sums);
  // Sizes in ascending order: the answer depends neither on the order of the differences nor on which side is which.
  const sizes = Float64Array.from(sums, Math.abs)
    .filter((size) => size > 0)
    .sort();
  const { p, method } = flipped(
    [...sizes].map((sum) => ({ sum, size: 1 })),
    flips,
    seed,
    Math.abs(total),
  );
  return {
    meanDifference: total / n,
    p,
    n,
    flippable: sizes.length,
    method,
    smallestP: method === 'exact' ? Math.min(1, 2 / 2 ** sizes.length) : 1 / (flips + 1),
  };
}

type SignFlipIntervalOptions = SignFlipOptions & {
  readonly alpha?: number;
  /** How much each difference counts; all the same unless told. */
  readonly weights?: Numbers;
};

type SignFlipInterval = {
  readonly meanDifference: number;
  /** Two-sided; below alpha exactly when the interval leaves 0 out. */
  readonly p: number;
  /** All true differences that the test does not reject; absent where no number of units could reject any. */
  readonly interval?: Interval;
  /** What changes sign together: clusters, or single differences. */
  readonly units: number;
  readonly method: 'exact' | 'sampled';
};

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

/** `outcome`: the sum that the flips are compared with; that of the units as they are by default. */
function flipped(units: readonly Unit[], flips: number, seed: number, outcome?: number) {
  const exact = units.length <= EXACT_UP_TO;
  const drawn = exact ? 2 ** units.length : flips;
  // A sampled p counts the real outcome as one of the flips, so it is never 0.
  const count = exact ? drawn : drawn + 1;
  const [lows, highs] = [new Float64Array(count), new Float64Array(count)];
  const [sums, sizes] = [
    Float64Array.from(units, (unit) => unit.sum),
    Float64Array.from(units, (unit) => unit.size),
  ];
  const [total, n] = [outcome ?? fsum(sums), fsum(sizes)];
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
  return {
    p: asFar / count,
    method: exact ? ('exact' as const) : ('sampled' as const),
    limits: (alpha: number): Interval | undefined => {
      // As many flips must reach a difference for p to be alpha or more.
      const place = Math.ceil(alpha * count - 1e-9) - 1;
      lows.sort();
      highs.sort();
      const [low, high] = [lows[place] ?? -Infinity, highs[count - 1 - place] ?? Infinity];
      return Number.isFinite(low) && Number.isFinite(high) ? { low, high } : undefined;
    },
  };
}

function limit(rest: number, size: number): number {
  return size === 0 ? 0 : rest / size;
}
