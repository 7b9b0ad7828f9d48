/**
 * Labelled sessions as plain arrays, from which Q is computed for any weights in microseconds, exactly as the scorer
 * would. The readings of a run do not depend on the weights, so they are computed once.
 */
import type { SessionFacts } from '../evidence.ts';
import { idleCostOf, SHIPPED_BASELINES } from '../profiles/baselines.ts';
import { specialCaseOf } from '../profiles/special-cases.ts';
import { TASK_TYPES, type TaskType } from '../profiles/task-type.ts';
import type { ScoredRun, ScoringOptions } from '../score.ts';
import { type ScoredSession, scoreSession } from '../score-session.ts';
import { CATEGORIES, SIGNALS } from '../signals/catalog.ts';

export type LabelledSession = {
  readonly facts: SessionFacts;
  readonly key?: string;
  /** The rating or outcome of the session, 0–1. */
  readonly label: number;
  /** The origin: a result file, a project, an agent. Weights must carry over between sources. */
  readonly source: string;
};

/** Everything but the weights that affects Q. A joined outcome is excluded: Q must not contain the label. */
export type DatasetOptions = Omit<ScoringOptions, 'weights'> & {
  readonly taskTypes?: ReadonlyMap<string, TaskType> | undefined;
  readonly taskTypeOf?: ReadonlyMap<string, TaskType> | undefined;
};

export type DatasetRun = {
  /** Index of its task type in `TASK_TYPES`. */
  readonly type: number;
  /** Its share of the session's Q; those of a session sum to 1. */
  readonly share: number;
  /** A reading per signal, NaN where unmeasured. */
  readonly values: Float64Array;
  /** A special rule gives Q: `at` + `perEfficiency` × Efficiency. */
  readonly rule?: { readonly at: number; readonly perEfficiency: number };
};

export type DatasetSession = {
  readonly sessionId: string;
  readonly source: string;
  readonly label: number;
  readonly type: number;
  /** Q with the documented weights. */
  readonly documentedQ: number;
  readonly runs: readonly DatasetRun[];
};

export type Dataset = {
  /** Sorted by source and id, so that the input order never matters. */
  readonly sessions: readonly DatasetSession[];
  /** Sessions without a Q under any weights. */
  readonly withoutQ: number;
};

/** Signals of each category: [first, end) in `SIGNALS`, which is sorted by category. */
export const SIGNAL_RANGES: readonly (readonly [from: number, to: number])[] = CATEGORIES.map((category) => {
  const from = SIGNALS.findIndex((signal) => signal.category === category);
  return [from, from + SIGNALS.filter((signal) => signal.category === category).length] as const;
});

export function datasetOf(labelled: readonly LabelledSession[], options: DatasetOptions = {}): Dataset {
  const sessions = labelled.flatMap((one) => sessionOf(one, options) ?? []);
  sessions.sort((a, b) => order(a.source, b.source) || order(a.sessionId, b.sessionId));
  return { sessions, withoutQ: labelled.length - sessions.length };
}

function sessionOf(
  { facts, key, label, source }: LabelledSession,
  { baselines, prices, taskTypes, taskTypeOf }: DatasetOptions,
): DatasetSession | undefined {
  // Field by field: joined outcomes or other weights in the given options must not get in.
  const options = { baselines, prices };
  const types = {
    taskTypes,
    taskTypeOf,
  };
  const scored = scoreSession(facts, { ...options, ...types }, key);
  if (scored.q === undefined) return undefined;
  const weights = runWeights(facts, scored);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const runs = scored.runs.flatMap((run, i) => {
    const share = (weights[i] ?? 0) / total;
    return share > 0 ? [runOf(facts, i, run, share, options)] : [];
  });
  const type = TASK_TYPES.indexOf(scored.taskType);
  return { sessionId: facts.sessionId, source, label, type, documentedQ: scored.q, runs };
}

/** The weight of each run in its session, computed as the scorer does. */
function runWeights(facts: SessionFacts, scored: ScoredSession): number[] {
  return scored.runs.map((run, i) => {
    const own = facts.runs[i];
    const leftOut = scored.runsLeftOut > 0 && own?.trigger === 'heartbeat' && own.changesAttempted === 0;
    if (run.q === undefined || leftOut) return 0;
    if (scored.weightedBy === 'cost') return run.cost.costUsd ?? 0;
    return scored.weightedBy === 'turns' ? (own?.turns ?? 0) : 1;
  });
}

function runOf(
  facts: SessionFacts,
  i: number,
  run: ScoredRun,
  share: number,
  options: DatasetOptions,
): DatasetRun {
  const readings = CATEGORIES.flatMap((category) => run.categories[category].signals);
  const values = Float64Array.from(SIGNALS, ({ id }) => {
    const reading = readings.find((signal) => signal.id === id)?.reading;
    return reading?.measured ? reading.value : Number.NaN;
  });
  const rule = ruleOf(facts, i, run, options);
  return { type: TASK_TYPES.indexOf(run.taskType), share, values, rule };
}

/** Idle and empty runs have a fixed Q. That of an idle cron run changes linearly with its Efficiency. */
function ruleOf(
  facts: SessionFacts,
  i: number,
  run: ScoredRun,
  { baselines = SHIPPED_BASELINES }: DatasetOptions,
): DatasetRun['rule'] {
  const own = facts.runs[i];
  if (run.specialCase === undefined || own === undefined) return undefined;
  const qAt = (value: number) =>
    specialCaseOf(own, {
      efficiency: { value, coverage: 1 },
      costUsd: run.cost.costUsd,
      idleCost: idleCostOf(baselines, facts.agent),
    })?.q ?? 0;
  const at = qAt(0);
  return { at, perEfficiency: qAt(1) - at };
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
