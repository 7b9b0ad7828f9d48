/** Counts of values by their size, small enough to keep for every minute: positive values by bin, and the zeros. */
export type QuantileSketch = {
  readonly n: number;
  readonly zeros: number;
  /** Bin → how many values it has, by bin. */
  readonly bins: readonly (readonly [bin: number, count: number])[];
  /** The smallest and the largest value; absent where there are none. */
  readonly min?: number;
  readonly max?: number;
};

/** What a quantile may be off by, of its own size. */
export const RELATIVE_ERROR = 0.01;

const GAMMA = (1 + RELATIVE_ERROR) / (1 - RELATIVE_ERROR);
const LOG_GAMMA = Math.log(GAMMA);
/** Values below are counted as zeros, and those above in the last bin: there are never more than 2,800 bins. */
const [SMALLEST, LARGEST] = [1e-12, 1e12];

export const EMPTY_SKETCH: QuantileSketch = { n: 0, zeros: 0, bins: [] };

/**
 * Quantiles of values that are not kept, to within 1% of the value, from counts that add up: the sketch of an hour is the
 * sum of those of its minutes, in whatever order they come.
 *
 * When: durations of many requests, over any span of time and from any number of processes. Where the values are kept,
 * `quantile` is exact.
 * Reference: DDSketch, C. Masson, J. Rim and H. Lee, "DDSketch: a fast and fully-mergeable quantile sketch with
 * relative-error guarantees", PVLDB 12 (2019): bin ⌈log_γ x⌉ with γ = (1 + α)/(1 − α) and α = 0.01.
 * Worked value: of 1, 2, …, 100 the quantile at 0.5 is 50 to within 0.5.
 */
export function sketchOf(values: Iterable<number>): QuantileSketch {
  const counts = new Map<number, number>();
  let [n, zeros, min, max] = [0, 0, Infinity, -Infinity];
  for (const value of values) {
    if (!(value >= 0) || value === Infinity)
      throw new RangeError(`a sketch takes values from 0 on, got ${value}`);
    n += 1;
    min = Math.min(min, value);
    max = Math.max(max, value);
    if (value < SMALLEST) zeros += 1;
    else addTo(counts, Math.ceil(Math.log(Math.min(value, LARGEST)) / LOG_GAMMA), 1);
  }
  return n === 0 ? EMPTY_SKETCH : { n, zeros, bins: inOrder(counts), min, max };
}

export function mergeSketches(sketches: Iterable<QuantileSketch>): QuantileSketch {
  const counts = new Map<number, number>();
  let [n, zeros, min, max] = [0, 0, Infinity, -Infinity];
  for (const sketch of sketches) {
    n += sketch.n;
    zeros += sketch.zeros;
    min = Math.min(min, sketch.min ?? Infinity);
    max = Math.max(max, sketch.max ?? -Infinity);
    for (const [bin, count] of sketch.bins) addTo(counts, bin, count);
  }
  return n === 0 ? EMPTY_SKETCH : { n, zeros, bins: inOrder(counts), min, max };
}

/**
 * The smallest value that at least a share `p` of the values does not exceed: type 1 of Hyndman and Fan, "Sample quantiles in
 * statistical packages", American Statistician 50 (1996). Of few values it is never one that too many exceed. None without
 * values.
 */
export function quantileOfSketch(sketch: QuantileSketch, p: number): number | undefined {
  if (!(p >= 0 && p <= 1)) throw new RangeError(`a quantile is taken at a share between 0 and 1, got ${p}`);
  const { n, zeros, bins, min = 0, max = 0 } = sketch;
  if (n === 0) return undefined;
  if (p === 0) return min;
  if (p === 1) return max;
  // What a product is off by must not make the next whole number of it.
  const rank = Math.ceil(p * n - 1e-9 * n);
  let seen = zeros;
  if (seen >= rank) return Math.max(0, min);
  for (const [bin, count] of bins) {
    seen += count;
    if (seen >= rank) return Math.min(max, Math.max(min, (2 * GAMMA ** bin) / (GAMMA + 1)));
  }
  return max;
}

/** How many values are above a value; those within 1% of it may count as either. */
export function countAbove({ bins }: QuantileSketch, value: number): number {
  const last = Math.ceil(Math.log(value) / LOG_GAMMA);
  return bins.reduce((sum, [bin, count]) => (bin > last ? sum + count : sum), 0);
}

/** What the values sum to, to within 1%. */
export function sumOfSketch({ bins }: QuantileSketch): number {
  return bins.reduce((sum, [bin, count]) => sum + (count * 2 * GAMMA ** bin) / (GAMMA + 1), 0);
}

function addTo(counts: Map<number, number>, bin: number, count: number): void {
  counts.set(bin, (counts.get(bin) ?? 0) + count);
}

function inOrder(counts: ReadonlyMap<number, number>): [number, number][] {
  return [...counts].sort(([one], [other]) => one - other);
}
