/**
 * Weights whose Q goes along with the labels as closely as possible, held back towards the documented ones. What is
 * made small is 1 − agreement + `shrinkage` × the squared distance from the documented weights. Projected gradient from
 * the documented weights, so the same data give the same weights.
 */
import { sampleSd } from '../../stats/sample-sd.ts';
import { TASK_TYPES } from '../profiles/task-type.ts';
import { correlationAgreement, type FitAgreement, orderAgreement } from './agreement.ts';
import type { LabelKind } from './compare-scores.ts';
import { type DatasetSession, SIGNAL_RANGES } from './dataset.ts';
import { modelOf } from './q-model.ts';
import { toSimplex } from './simplex.ts';
import { documentedVector, type WeightVector, WIDTH } from './weight-vector.ts';

export type FitOptions = {
  /** How much a departure from the documented weights costs; Infinity keeps them. */
  readonly shrinkage: number;
  /** Places in `TASK_TYPES` whose weights may move. */
  readonly types: ReadonlySet<number>;
  /** Whether weights within categories may move too; they are the same for all task types. */
  readonly signals: boolean;
  /** 'ratings': by correlation. 'outcomes': by the order within each of these groups. */
  readonly kind: LabelKind;
  /** The group of each session: success rates differ between sources for reasons of their own. */
  readonly groups: readonly string[];
  readonly seed: number;
  readonly start?: WeightVector | undefined;
};

/**
 * No weight falls below this. A category or signal without any weight could not be seen any more, and a session in
 * which only that one was measured would have no Q.
 */
export const LEAST_WEIGHT = 0.01;

const MAX_STEPS = 100;
const ENOUGH = 1e-7;
/** How finely pairs are told apart, as a share of the spread of Q. */
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
    // Sufficient decrease along the step really taken; otherwise a shorter one.
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
  const model = modelOf(sessions);
  const { shrinkage, types, signals } = options;
  const agreement = agreementOf(sessions, model.qs(documented), options);
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
    const pull = model.pull(weights, agreement.slopes(model.qs(weights)), signals);
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
    loss: (weights) => 1 - agreement.value(model.qs(weights)) + cost(weights),
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

/** A rare task type pulls little; its step is lengthened by as much, or it would never arrive. */
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

/** Signals that were never measured keep their weight: the data say nothing about them. */
function stepSignals(
  from: Float64Array,
  slope: Float64Array,
  stride: number,
  movable: ReadonlySet<number>,
): Float64Array {
  // The same array as before tells the model that nothing has to be read again.
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
