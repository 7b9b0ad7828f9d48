/**
 * Q of many sessions as a function of the weights, with its gradient. The same arithmetic as the scorer's, which a test
 * compares: the weight of unmeasured parts goes to measured ones, and that of an unmeasured Outcome to Completion.
 */

import { TASK_TYPES, type TaskType } from '../profiles/task-type.ts';
import { CATEGORIES, SIGNALS } from '../signals/catalog.ts';
import { type CategoryWeights, DOCUMENTED_PROFILES, type SessionWeights } from '../weights.ts';
import { type DatasetRun, type DatasetSession, SIGNAL_RANGES } from './dataset.ts';

const COMPLETION = CATEGORIES.indexOf('completion');
const EFFICIENCY = CATEGORIES.indexOf('efficiency');
const OUTCOME = CATEGORIES.indexOf('outcome');

/** A run under given weights: its Q, and per category its value (NaN: unmeasured) and weight. */
type ReadRun = {
  readonly q: number;
  readonly values: readonly number[];
  /** The total weight of the measured signals of a category. */
  readonly signalTotals: readonly number[];
  readonly used: readonly number[];
  readonly total: number;
};

function readRun({ type, values: readings, rule }: DatasetRun, { profiles, signals }: WeightVector): ReadRun {
  const values: number[] = [];
  const signalTotals: number[] = [];
  for (const [from, to] of SIGNAL_RANGES) {
    let sum = 0;
    let weight = 0;
    for (let s = from; s < to; s++) {
      const reading = readings[s] as number;
      if (Number.isNaN(reading)) continue;
      sum += (signals[s] as number) * reading;
      weight += signals[s] as number;
    }
    signalTotals.push(weight);
    values.push(weight > 0 ? sum / weight : Number.NaN);
  }
  const used: number[] = [];
  let [sum, total] = [0, 0];
  for (let c = 0; c < WIDTH; c++) {
    const value = values[c] as number;
    let weight = profiles[type * WIDTH + c] as number;
    if (c === COMPLETION && Number.isNaN(values[OUTCOME]))
      weight += profiles[type * WIDTH + OUTCOME] as number;
    if (Number.isNaN(value)) weight = 0;
    used.push(weight);
    total += weight;
    if (weight !== 0) sum += weight * value;
  }
  const q =
    rule === undefined ? Math.min(1, Math.max(0, sum / total)) : ruleQ(rule, values[EFFICIENCY] as number);
  return { q, values, signalTotals, used, total };
}

/** Without a measured Efficiency the rule uses the middle. */
function ruleQ({ at, perEfficiency }: NonNullable<DatasetRun['rule']>, efficiency: number): number {
  return Math.min(1, at + perEfficiency * (Number.isNaN(efficiency) ? 0.5 : efficiency));
}

export function qsOf(sessions: readonly DatasetSession[], weights: WeightVector): Float64Array {
  return Float64Array.from(sessions, ({ runs }) => {
    let q = 0;
    for (const run of runs) q += run.share * readRun(run, weights).q;
    return Math.min(1, q);
  });
}

/**
 * Σ over sessions of `slopes[i]` × (the derivative of Q of session i by each weight); 0 for signals unless requested. Q
 * = Σ u·x / Σ u, so dQ/du = (x − Q) / Σ u; and within a category x = Σ v·s / Σ v in the same way.
 */
export function pullOf(
  sessions: readonly DatasetSession[],
  weights: WeightVector,
  slopes: Float64Array,
  withSignals = true,
): WeightVector {
  const pull: WeightVector = {
    profiles: new Float64Array(TASK_TYPES.length * WIDTH),
    signals: new Float64Array(SIGNALS.length),
  };
  for (const [i, { runs }] of sessions.entries()) {
    for (const run of runs) {
      const slope = (slopes[i] as number) * run.share;
      if (slope !== 0) addPull(run, weights, slope, pull, withSignals);
    }
  }
  return pull;
}

function addPull(
  run: DatasetRun,
  weights: WeightVector,
  slope: number,
  pull: WeightVector,
  withSignals: boolean,
): void {
  const { type, rule } = run;
  const read = readRun(run, weights);
  if (rule !== undefined) {
    if (withSignals) addSignalPull(run, read, EFFICIENCY, slope * rule.perEfficiency, pull.signals);
    return;
  }
  const { q, values, used, total } = read;
  for (let c = 0; c < WIDTH; c++) {
    const taker = c === OUTCOME && Number.isNaN(values[OUTCOME]) ? COMPLETION : c;
    const value = values[taker] as number;
    if (!Number.isNaN(value)) add(pull.profiles, type * WIDTH + c, (slope * (value - q)) / total);
    const weight = used[c] as number;
    if (withSignals && weight !== 0) addSignalPull(run, read, c, (slope * weight) / total, pull.signals);
  }
}

function addSignalPull(
  { values: readings }: DatasetRun,
  { values, signalTotals }: ReadRun,
  c: number,
  slope: number,
  gradient: Float64Array,
): void {
  const [from, to] = SIGNAL_RANGES[c] as readonly [number, number];
  for (let s = from; s < to; s++) {
    const reading = readings[s] as number;
    if (!Number.isNaN(reading))
      add(gradient, s, (slope * (reading - (values[c] as number))) / (signalTotals[c] as number));
  }
}

function add(into: Float64Array, place: number, amount: number): void {
  into[place] = (into[place] as number) + amount;
}

/** Rounds off the last digits: the same Q from two orders of summation must stay a tie. */
export function settled(scores: Float64Array): Float64Array {
  return scores.map((score) => Math.round(score * 1e9) / 1e9);
}

// Weights as two arrays for the optimiser, and the conversion back.

export type WeightVector = {
  /** Task type × category. */
  readonly profiles: Float64Array;
  /** Per signal, within its category. */
  readonly signals: Float64Array;
};

/** Categories per task type. */
export const WIDTH = CATEGORIES.length;

export function documentedVector(): WeightVector {
  return vectorOf({ name: '', profiles: DOCUMENTED_PROFILES });
}

export function vectorOf({ profiles, signals }: SessionWeights): WeightVector {
  return {
    profiles: Float64Array.from(
      TASK_TYPES.flatMap((type) => CATEGORIES.map((category) => profiles[type][category])),
    ),
    signals: Float64Array.from(SIGNALS, ({ id, weight }) =>
      signals !== undefined && Object.hasOwn(signals, id) ? (signals[id] ?? weight) : weight,
    ),
  };
}

/** Signal weights are written only where they differ from the documented ones. */
export function weightsOf(vector: WeightVector, name: string): SessionWeights {
  const profiles = TASK_TYPES.map((type, i): [TaskType, CategoryWeights] => {
    const [completion = 0, execution = 0, efficiency = 0, outcome = 0] = vector.profiles.slice(i * WIDTH);
    return [type, { completion, execution, efficiency, outcome }];
  });
  const changed = SIGNALS.flatMap(({ id, weight }, i) => {
    const own = vector.signals[i] ?? weight;
    return own === weight ? [] : [[id, own] as const];
  });
  return {
    name,
    profiles: Object.fromEntries(profiles) as SessionWeights['profiles'],
    ...(changed.length > 0 && { signals: Object.fromEntries(changed) }),
  };
}
