/**
 * How well scores go along with labels, as something an optimiser can climb: a value up to 1 and its slope for every
 * score. Ratings have meaningful distances, so theirs is the correlation. Outcomes say only better or worse, so theirs
 * is the share of pairs in the right order: a session that failed badly must not count more than one that just failed.
 */
import { random } from '../../stats/random.ts';

export type FitAgreement = {
  readonly value: (scores: Float64Array) => number;
  readonly slopes: (scores: Float64Array) => Float64Array;
};

/** Pearson's r; 0 when nothing varies. */
export function correlationAgreement(labels: Float64Array): FitAgreement {
  const y = centred(labels);
  const yy = dot(y, y);
  return {
    value: (scores) => {
      const x = centred(scores);
      const size = Math.sqrt(dot(x, x) * yy);
      return size > 1e-12 ? dot(x, y) / size : 0;
    },
    slopes: (scores) => {
      const x = centred(scores);
      const xx = dot(x, x);
      const size = Math.sqrt(xx * yy);
      if (!(size > 1e-12)) return new Float64Array(x.length);
      const r = dot(x, y) / size;
      return x.map((own, i) => (y[i] as number) / size - (r * own) / xx);
    },
  };
}

/** Two sessions of one group, the better one first. */
type Pair = { readonly better: number; readonly worse: number; readonly weight: number };

/** Up to this many sessions all pairs are taken, above it a seeded part of this many: more say hardly more. */
const ALL_PAIRS_UP_TO = 100;
const MOST_PAIRS = 3000;

/**
 * The share of pairs of the same group that the scores put in the order of their labels, smoothed: a pair counts
 * 1 / (1 + e^(−difference / width)). Groups count by van Elteren's weights, m·n / (m + n).
 */
export function orderAgreement(
  labels: Float64Array,
  groups: readonly string[],
  width: number,
  seed: number,
): FitAgreement {
  const pairs = labels.length <= ALL_PAIRS_UP_TO ? allPairs(labels, groups) : somePairs(labels, groups, seed);
  const better = Uint32Array.from(pairs, (pair) => pair.better);
  const worse = Uint32Array.from(pairs, (pair) => pair.worse);
  const total = pairs.reduce((sum, pair) => sum + pair.weight, 0);
  const weights = Float64Array.from(pairs, (pair) => pair.weight / total);
  const rightness = (scores: Float64Array, i: number) => {
    const ahead = (scores[better[i] as number] as number) - (scores[worse[i] as number] as number);
    return 1 / (1 + Math.exp(-ahead / width));
  };
  return {
    value: (scores) => {
      let sum = 0;
      for (let i = 0; i < weights.length; i++) sum += (weights[i] as number) * rightness(scores, i);
      return sum;
    },
    slopes: (scores) => {
      const slopes = new Float64Array(scores.length);
      for (let i = 0; i < weights.length; i++) {
        const right = rightness(scores, i);
        const slope = ((weights[i] as number) * right * (1 - right)) / width;
        slopes[better[i] as number] = (slopes[better[i] as number] as number) + slope;
        slopes[worse[i] as number] = (slopes[worse[i] as number] as number) - slope;
      }
      return slopes;
    },
  };
}

function placesByGroup(labels: Float64Array, groups: readonly string[]): number[][] {
  return [...Map.groupBy(labels.keys(), (place) => groups[place] ?? '').values()];
}

function allPairs(labels: Float64Array, groups: readonly string[]): Pair[] {
  return placesByGroup(labels, groups).flatMap((own) =>
    own.flatMap((one) => own.flatMap((other) => pairOf(labels, one, other, 1 / own.length))),
  );
}

/** Any session and any other of its group: that draws pairs of a group in proportion to m·n / (m + n), as they count. */
function somePairs(labels: Float64Array, groups: readonly string[], seed: number): Pair[] {
  const source = random(seed);
  const homes = new Map<number, readonly number[]>();
  for (const own of placesByGroup(labels, groups)) for (const place of own) homes.set(place, own);
  const pairs: Pair[] = [];
  for (let tries = 0; pairs.length < MOST_PAIRS && tries < 20 * MOST_PAIRS; tries++) {
    const one = source.below(labels.length);
    const own = homes.get(one) ?? [];
    const other = own[source.below(own.length)] ?? one;
    pairs.push(...pairOf(labels, one, other, 1), ...pairOf(labels, other, one, 1));
  }
  return pairs;
}

function pairOf(labels: Float64Array, better: number, worse: number, weight: number): Pair[] {
  const ahead = (labels[better] as number) - (labels[worse] as number);
  return ahead > 0 ? [{ better, worse, weight: weight * ahead }] : [];
}

/** Values less their mean. */
export function centred(values: Float64Array): Float64Array {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.map((value) => value - mean);
}

export function dot(x: Float64Array, y: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += (x[i] as number) * (y[i] as number);
  return sum;
}
