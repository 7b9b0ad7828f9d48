/**
 * Fits weights so that Q agrees with the labels, with shrinkage towards the documented weights. Minimises 1 − agreement
 * + `shrinkage` × the squared distance from the documented weights. Projected gradient descent starts from the
 * documented weights, so the same data give the same weights.
 */

import { sampleSd } from '../../stats/descriptive.ts';
import { random } from '../../stats/random.ts';
import { TASK_TYPES } from '../profiles/task-type.ts';
import type { LabelKind } from './compare-scores.ts';
import { type DatasetSession, SIGNAL_RANGES } from './dataset.ts';
import { documentedVector, pullOf, qsOf, type WeightVector, WIDTH } from './q-model.ts';

export type FitOptions = {
  /** The cost of a departure from the documented weights; Infinity allows none. */
  readonly shrinkage: number;
  /** Indexes in `TASK_TYPES` whose weights may move. */
  readonly types: ReadonlySet<number>;
  /** Whether weights within categories may move too; they are the same for all task types. */
  readonly signals: boolean;
  /** 'ratings': by correlation. 'outcomes': by the order within each of these groups. */
  readonly kind: LabelKind;
  /** The group of each session: success rates differ between sources for unrelated reasons. */
  readonly groups: readonly string[];
  readonly seed: number;
  readonly start?: WeightVector | undefined;
};

/**
 * The minimum weight. Without any weight, a category or signal would have no effect, and a session with only that one
 * measured would have no Q.
 */
export const LEAST_WEIGHT = 0.01;

const MAX_STEPS = 100;
const ENOUGH = 1e-7;
/** The smoothing width for pairs, as a share of the spread of Q. */
const WIDTH_OF_SPREAD = 0.25;

export function fitWeights(sessions: readonly DatasetSession[], options: FitOptions): WeightVector {
  const documented = documentedVector();
  if (options.shrinkage === Infinity || sessions.length < 3) return documented;
  const problem = problemOf(sessions, options, documented);
  let here = options.start ?? documented;
  let loss = problem.loss(here);
  let stride = 0.1;
  for (let step = 0; step < MAX_STEPS && stride > 1e-7; step++) {
    const gradient = problem.gradient(here);
    const next = problem.project(here, gradient, stride);
    const gained = loss - problem.loss(next);
    // Sufficient decrease along the projected step; otherwise try a shorter one.
    if (gained > 0 && gained >= 1e-4 * along(gradient, here, next)) {
      here = next;
      loss -= gained;
      stride *= 2;
      if (gained < ENOUGH) break;
    } else {
      stride /= 4;
    }
  }
  return here;
}

type Problem = {
  readonly loss: (weights: WeightVector) => number;
  readonly gradient: (weights: WeightVector) => WeightVector;
  readonly project: (from: WeightVector, gradient: WeightVector, stride: number) => WeightVector;
};

function problemOf(
  sessions: readonly DatasetSession[],
  options: FitOptions,
  documented: WeightVector,
): Problem {
  const { shrinkage, types, signals } = options;
  const agreement = agreementOf(sessions, qsOf(sessions, documented), options);
  const shares = typeShares(sessions);
  const movable = signals ? measuredSignals(sessions) : new Set<number>();
  const cost = (weights: WeightVector) => {
    const far = (i: number) => ((weights.profiles[i] as number) - (documented.profiles[i] as number)) ** 2;
    let sum = 0;
    for (let i = 0; i < weights.profiles.length; i++)
      sum += (shares[Math.floor(i / WIDTH)] as number) * far(i);
    for (const s of movable) sum += ((weights.signals[s] as number) - (documented.signals[s] as number)) ** 2;
    return shrinkage * sum;
  };
  const gradient = (weights: WeightVector) => {
    const pull = pullOf(sessions, weights, agreement.slopes(qsOf(sessions, weights)), signals);
    const back = (own: Float64Array, from: Float64Array, i: number, share: number) =>
      2 * shrinkage * share * ((own[i] as number) - (from[i] as number));
    return {
      profiles: pull.profiles.map((value, i) => {
        const share = shares[Math.floor(i / WIDTH)] as number;
        return -value + back(weights.profiles, documented.profiles, i, share);
      }),
      signals: pull.signals.map((value, s) =>
        movable.has(s) ? -value + back(weights.signals, documented.signals, s, 1) : 0,
      ),
    };
  };
  return {
    loss: (weights) => 1 - agreement.value(qsOf(sessions, weights)) + cost(weights),
    gradient,
    project: (from, slope, stride) => ({
      profiles: stepProfiles(from.profiles, slope.profiles, stride, types, shares),
      signals: stepSignals(from.signals, slope.signals, stride, movable),
    }),
  };
}

function agreementOf(
  sessions: readonly DatasetSession[],
  qs: Float64Array,
  { kind, groups, seed }: FitOptions,
): FitAgreement {
  const labels = Float64Array.from(sessions, (one) => one.label);
  if (kind === 'ratings') return correlationAgreement(labels);
  return orderAgreement(labels, groups, Math.max(1e-3, WIDTH_OF_SPREAD * (sampleSd(qs) ?? 0)), seed);
}

/** A rare task type has a small gradient, so its step is lengthened accordingly; otherwise it would never converge. */
function stepProfiles(
  from: Float64Array,
  slope: Float64Array,
  stride: number,
  types: ReadonlySet<number>,
  shares: Float64Array,
): Float64Array {
  const next = Float64Array.from(from);
  for (const type of types) {
    const share = shares[type] as number;
    if (share === 0) continue;
    const at = type * WIDTH;
    const moved = from
      .slice(at, at + WIDTH)
      .map((value, c) => value - (stride / share) * (slope[at + c] as number));
    next.set(toSimplex(moved, 1, LEAST_WEIGHT), at);
  }
  return next;
}

/** Signals that were never measured keep their weight, because the data say nothing about them. */
function stepSignals(
  from: Float64Array,
  slope: Float64Array,
  stride: number,
  movable: ReadonlySet<number>,
): Float64Array {
  if (movable.size === 0) return from;
  const next = Float64Array.from(from);
  for (const [first, end] of SIGNAL_RANGES) {
    const places = Array.from({ length: end - first }, (_, i) => first + i).filter((s) => movable.has(s));
    if (places.length < 2) continue;
    const total = places.reduce((sum, s) => sum + (from[s] as number), 0);
    const moved = Float64Array.from(places, (s) => (from[s] as number) - stride * (slope[s] as number));
    const landed = toSimplex(moved, total, LEAST_WEIGHT);
    for (const [i, s] of places.entries()) next[s] = landed[i] as number;
  }
  return next;
}

function typeShares(sessions: readonly DatasetSession[]): Float64Array {
  const shares = new Float64Array(TASK_TYPES.length);
  for (const { runs } of sessions) {
    for (const { type, share } of runs) shares[type] = (shares[type] as number) + share / sessions.length;
  }
  return shares;
}

function measuredSignals(sessions: readonly DatasetSession[]): Set<number> {
  const measured = new Set<number>();
  for (const { runs } of sessions) {
    for (const { values } of runs) {
      for (const [s, value] of values.entries()) if (!Number.isNaN(value)) measured.add(s);
    }
  }
  return measured;
}

function along(gradient: WeightVector, from: WeightVector, to: WeightVector): number {
  const part = (g: Float64Array, a: Float64Array, b: Float64Array) =>
    g.reduce((sum, slope, i) => sum + slope * ((a[i] as number) - (b[i] as number)), 0);
  return (
    part(gradient.profiles, from.profiles, to.profiles) + part(gradient.signals, from.signals, to.signals)
  );
}

// The agreement of scores and labels as an objective to maximise: a value up to 1, and its gradient per score. Ratings
// have meaningful distances, so they use the correlation. Outcomes only say better or worse, so they use the share of
// correctly ordered pairs: a session that failed badly must not count more than one that just failed.

type FitAgreement = {
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

/** Up to this many sessions all pairs are used, above it a seeded sample: more pairs add little. */
const ALL_PAIRS_UP_TO = 100;
const MOST_PAIRS = 3000;

/**
 * The share of pairs within a group whose scores have the order of their labels, smoothed: a pair counts 1 / (1 +
 * e^(−difference / width)). Groups have van Elteren's weights, m·n / (m + n).
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

/**
 * Draws a session and another one of its group: this samples pairs of a group in proportion to m·n / (m + n), as they
 * are weighted.
 */
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

/** Values minus their mean. */
export function centred(values: Float64Array): Float64Array {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.map((value) => value - mean);
}

export function dot(x: Float64Array, y: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += (x[i] as number) * (y[i] as number);
  return sum;
}

/**
 * The nearest vector of weights: each at least `least`, together `total`.
 *
 *  Reference: J. Duchi and others, "Efficient projections onto the l1-ball", ICML 2008. Worked value: 0.5, 0.9, −0.2 to
 * a sum of 1 → 0.3, 0.7, 0. Cost: O(n log n).
 */
export function toSimplex(point: Float64Array, total = 1, least = 0): Float64Array {
  const room = total - least * point.length;
  if (room < 0) throw new RangeError(`${point.length} places of at least ${least} do not fit into ${total}`);
  const lifted = point.map((value) => value - least);
  const descending = lifted.toSorted().reverse();
  let sum = 0;
  let shift = 0;
  for (const [i, value] of descending.entries()) {
    sum += value;
    const candidate = (sum - room) / (i + 1);
    if (value - candidate <= 0) break;
    shift = candidate;
  }
  return lifted.map((value) => Math.max(0, value - shift) + least);
}
