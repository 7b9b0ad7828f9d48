/**
 * Q of many sessions as a function of the weights, with its slope. The same arithmetic as the scorer's (a test holds
 * them equal): what is unmeasured hands its weight to what was measured, and an unmeasured Outcome to Completion.
 * Flat arrays, because a calibration computes this some ten thousand times.
 */

import { TASK_TYPES, type TaskType } from '../profiles/task-type.ts';
import { CATEGORIES, SIGNALS } from '../signals/catalog.ts';
import { type CategoryWeights, DOCUMENTED_PROFILES, type SessionWeights } from '../weights.ts';
import { type DatasetSession, SIGNAL_RANGES } from './dataset.ts';

const COMPLETION = CATEGORIES.indexOf('completion');
const EFFICIENCY = CATEGORIES.indexOf('efficiency');
const OUTCOME = CATEGORIES.indexOf('outcome');

/** A run whose Q a rule of its own gives, as far as Efficiency moves it. */
type Rule = { readonly at: number; readonly perEfficiency: number } | undefined;

export class QModel {
  readonly #sessions: number;
  /** Per run. */
  readonly #session: Uint32Array;
  readonly #type: Uint8Array;
  readonly #share: Float64Array;
  readonly #rule: readonly Rule[];
  /** Per run and signal. */
  readonly #readings: Float64Array;
  /** Per run and category under `#signals`: its value (NaN: unmeasured) and the signal weight it rests on. */
  readonly #values: Float64Array;
  readonly #totals: Float64Array;
  #signals: Float64Array | undefined;
  /** What each category really weighs in the run at hand. */
  readonly #used = new Float64Array(WIDTH);

  constructor(sessions: readonly DatasetSession[]) {
    const runs = sessions.flatMap(({ runs }, session) => runs.map((run) => ({ ...run, session })));
    this.#sessions = sessions.length;
    this.#session = Uint32Array.from(runs, (run) => run.session);
    this.#type = Uint8Array.from(runs, (run) => run.type);
    this.#share = Float64Array.from(runs, (run) => run.share);
    this.#rule = runs.map((run) => run.rule);
    this.#readings = new Float64Array(runs.length * SIGNALS.length);
    runs.forEach((run, r) => {
      this.#readings.set(run.values, r * SIGNALS.length);
    });
    this.#values = new Float64Array(runs.length * WIDTH);
    this.#totals = new Float64Array(runs.length * WIDTH);
  }

  qs({ profiles, signals }: WeightVector): Float64Array {
    this.#readCategories(signals);
    const qs = new Float64Array(this.#sessions);
    for (let r = 0; r < this.#share.length; r++) {
      const session = this.#session[r] as number;
      qs[session] = (qs[session] as number) + (this.#share[r] as number) * this.#qOfRun(r, profiles);
    }
    return qs.map((q) => Math.min(1, q));
  }

  /** Σ over sessions of `slopes[i]` × (how Q of session i moves with each weight); 0 for signals unless asked for. */
  pull({ profiles, signals }: WeightVector, slopes: Float64Array, withSignals = true): WeightVector {
    this.#readCategories(signals);
    const pull: WeightVector = {
      profiles: new Float64Array(TASK_TYPES.length * WIDTH),
      signals: new Float64Array(SIGNALS.length),
    };
    for (let r = 0; r < this.#share.length; r++) {
      const slope = (slopes[this.#session[r] as number] as number) * (this.#share[r] as number);
      if (slope !== 0) this.#addPull(r, profiles, slope, pull, withSignals);
    }
    return pull;
  }

  #readCategories(signals: Float64Array): void {
    if (signals === this.#signals) return;
    this.#signals = signals;
    for (let r = 0; r < this.#share.length; r++) {
      for (let c = 0; c < WIDTH; c++) this.#readCategory(r, c, signals);
    }
  }

  #readCategory(r: number, c: number, signals: Float64Array): void {
    const [from, to] = SIGNAL_RANGES[c] as readonly [number, number];
    let sum = 0;
    let total = 0;
    for (let s = from; s < to; s++) {
      const value = this.#readings[r * SIGNALS.length + s] as number;
      if (Number.isNaN(value)) continue;
      sum += (signals[s] as number) * value;
      total += signals[s] as number;
    }
    this.#totals[r * WIDTH + c] = total;
    this.#values[r * WIDTH + c] = total > 0 ? sum / total : Number.NaN;
  }

  #qOfRun(r: number, profiles: Float64Array): number {
    const at = r * WIDTH;
    const rule = this.#rule[r];
    if (rule !== undefined) return ruleQ(rule, this.#values[at + EFFICIENCY] as number);
    const total = this.#useWeights(r, profiles);
    let sum = 0;
    for (let c = 0; c < WIDTH; c++) {
      const weight = this.#used[c] as number;
      if (weight !== 0) sum += weight * (this.#values[at + c] as number);
    }
    return Math.min(1, Math.max(0, sum / total));
  }

  /** Fills in what each category weighs in this run, and returns their sum. */
  #useWeights(r: number, profiles: Float64Array): number {
    const type = (this.#type[r] as number) * WIDTH;
    const withoutOutcome = Number.isNaN(this.#values[r * WIDTH + OUTCOME]);
    let total = 0;
    for (let c = 0; c < WIDTH; c++) {
      let weight = profiles[type + c] as number;
      if (c === COMPLETION && withoutOutcome) weight += profiles[type + OUTCOME] as number;
      if (Number.isNaN(this.#values[r * WIDTH + c])) weight = 0;
      this.#used[c] = weight;
      total += weight;
    }
    return total;
  }

  /** Q = Σ u·x / Σ u, so dQ/du = (x − Q) / Σ u; and within a category x = Σ v·s / Σ v in the same way. */
  #addPull(r: number, profiles: Float64Array, slope: number, pull: WeightVector, withSignals: boolean): void {
    const rule = this.#rule[r];
    if (rule !== undefined) {
      if (withSignals) this.#addSignalPull(r, EFFICIENCY, slope * rule.perEfficiency, pull.signals);
      return;
    }
    const q = this.#qOfRun(r, profiles);
    const total = this.#useWeights(r, profiles);
    const type = (this.#type[r] as number) * WIDTH;
    const withoutOutcome = Number.isNaN(this.#values[r * WIDTH + OUTCOME]);
    for (let c = 0; c < WIDTH; c++) {
      const taker = c === OUTCOME && withoutOutcome ? COMPLETION : c;
      const value = this.#values[r * WIDTH + taker] as number;
      if (!Number.isNaN(value)) add(pull.profiles, type + c, (slope * (value - q)) / total);
      const weight = this.#used[c] as number;
      if (withSignals && weight !== 0) this.#addSignalPull(r, c, (slope * weight) / total, pull.signals);
    }
  }

  #addSignalPull(r: number, c: number, slope: number, gradient: Float64Array): void {
    const centre = this.#values[r * WIDTH + c] as number;
    const total = this.#totals[r * WIDTH + c] as number;
    const [from, to] = SIGNAL_RANGES[c] as readonly [number, number];
    for (let s = from; s < to; s++) {
      const value = this.#readings[r * SIGNALS.length + s] as number;
      if (!Number.isNaN(value)) add(gradient, s, (slope * (value - centre)) / total);
    }
  }
}

/** Without a measured Efficiency the rule takes the middle. */
function ruleQ(rule: NonNullable<Rule>, efficiency: number): number {
  return Math.min(1, rule.at + rule.perEfficiency * (Number.isNaN(efficiency) ? 0.5 : efficiency));
}

function add(into: Float64Array, place: number, amount: number): void {
  into[place] = (into[place] as number) + amount;
}

const models = new WeakMap<readonly DatasetSession[], QModel>();

/** The same sessions are fitted many times over; their arrays are made once. */
export function modelOf(sessions: readonly DatasetSession[]): QModel {
  const known = models.get(sessions) ?? new QModel(sessions);
  models.set(sessions, known);
  return known;
}

export function qsOf(sessions: readonly DatasetSession[], weights: WeightVector): Float64Array {
  return modelOf(sessions).qs(weights);
}

/** Without the last digits: the same Q reached by two ways of adding up must stay a tie. */
export function settled(scores: Float64Array): Float64Array {
  return scores.map((score) => Math.round(score * 1e9) / 1e9);
}

// Weights as two rows of numbers, which is what an optimiser moves, and back.

export type WeightVector = {
  /** Task type × category. */
  readonly profiles: Float64Array;
  /** Per signal, within its category. */
  readonly signals: Float64Array;
};

/** Places per task type. */
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
  const profileOf = (type: TaskType): CategoryWeights => {
    const at = TASK_TYPES.indexOf(type) * WIDTH;
    const [completion = 0, execution = 0, efficiency = 0, outcome = 0] = vector.profiles.slice(
      at,
      at + WIDTH,
    );
    return { completion, execution, efficiency, outcome };
  };
  const changed = SIGNALS.flatMap(({ id, weight }, i) => {
    const own = vector.signals[i] ?? weight;
    return own === weight ? [] : [[id, own] as const];
  });
  return {
    name,
    profiles: {
      coding: profileOf('coding'),
      operations: profileOf('operations'),
      research: profileOf('research'),
      chat: profileOf('chat'),
      discovery: profileOf('discovery'),
      heartbeat: profileOf('heartbeat'),
    },
    ...(changed.length > 0 && { signals: Object.fromEntries(changed) }),
  };
}
