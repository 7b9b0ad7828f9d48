/**
 * Does Q separate successful sessions from failed ones? Q must be computed without the joined outcome: a score that
 * contains the answer proves nothing.
 */
import { estimate, type Measurement, unmeasured } from '../../measure/metric.ts';
import { auc } from '../../stats/auc.ts';
import { bootstrap } from '../../stats/bootstrap.ts';
import { mean } from '../../stats/descriptive.ts';
import { TASK_TYPES, type TaskType } from '../profiles/task-type.ts';
import { stratum, weightedArea } from './compare-scores.ts';
import { settled } from './q-model.ts';
import type { SuccessCase } from './success-model.ts';
import { reportSuccess, type SuccessReport } from './success-report.ts';

export type OutcomePair = {
  readonly sessionId: string;
  readonly taskType: TaskType;
  readonly q?: number | undefined;
  /** 0–1; above 0.5 counts as a success, exactly 0.5 as neither. */
  readonly outcome: number;
  /** Its file, benchmark or project. */
  readonly source?: string | undefined;
  /** Its task, when several sessions share one. */
  readonly task?: string | undefined;
  /** The features for P(success), besides the task. */
  readonly about?: SuccessCase | undefined;
};

export type OutcomeValidation = {
  readonly sessions: number;
  readonly successes: number;
  readonly skipped: Readonly<Record<string, number>>;
  /** The number of tasks behind the intervals; without task names every session is its own. */
  readonly tasks: number | undefined;
  /** Over all sessions together. */
  readonly auc: Measurement;
  /** The mean over sources: compares a session only with others of its source. */
  readonly withinSources: Measurement;
  /** By the mean Q of its source alone: how much of the pooled figure comes from the source. */
  readonly bySource: Measurement;
  readonly perType: readonly { readonly taskType: TaskType; readonly auc: Measurement }[];
  readonly perSource: readonly { readonly source: string; readonly auc: Measurement }[];
  /** P(success) as learned from the other tasks. */
  readonly success: SuccessReport;
};

type Decided = OutcomePair & { readonly q: number };

export function validateOutcomes(pairs: readonly OutcomePair[]): OutcomeValidation {
  const withQ = pairs.filter((pair): pair is Decided => pair.q !== undefined);
  const decided = withQ.filter((pair) => isDecided(pair.outcome));
  const outcomes = decided.map((pair) => isSuccess(pair.outcome));
  const runs = decided.map((pair) => ({
    value: pair.q,
    success: isSuccess(pair.outcome),
    source: pair.source ?? '',
    task: pair.task,
  }));
  const tasks = new Set(decided.flatMap((pair) => pair.task ?? []));
  const sources = [...new Set(decided.flatMap((pair) => pair.source ?? []))].sort();
  return {
    sessions: decided.length,
    successes: outcomes.filter(Boolean).length,
    skipped: {
      ...(withQ.length < pairs.length && { 'no Q': pairs.length - withQ.length }),
      ...(decided.length < withQ.length && { 'neither success nor failure': withQ.length - decided.length }),
    },
    tasks: tasks.size === 0 ? undefined : tasks.size,
    auc: rankPooled(runs),
    withinSources: rankWithinSources(runs),
    bySource: rankBySource(runs),
    perType: TASK_TYPES.filter((type) => decided.some((pair) => pair.taskType === type)).map((taskType) => ({
      taskType,
      auc: aucOf(decided.filter((pair) => pair.taskType === taskType)),
    })),
    perSource: sources.map((source) => ({
      source,
      auc: aucOf(decided.filter((pair) => pair.source === source)),
    })),
    success: reportSuccess(
      decided.map(({ q, task, outcome, about }) => ({
        ...(about ?? { numbers: [q] }),
        task,
        success: isSuccess(outcome),
      })),
    ),
  };
}

export function isDecided(outcome: number): boolean {
  return outcome !== 0.5;
}

export function isSuccess(outcome: number): boolean {
  return outcome > 0.5;
}

function aucOf(pairs: readonly Decided[]): Measurement {
  return aucMeasurement(
    pairs.map((pair) => pair.q),
    pairs.map((pair) => isSuccess(pair.outcome)),
  );
}

export function aucMeasurement(scores: readonly number[], labels: readonly boolean[]): Measurement {
  const area = auc(settled(Float64Array.from(scores)), labels);
  if (area === undefined) {
    if (labels.length === 0) return unmeasured('no outcome is known');
    return unmeasured(`all ${labels.length} came out ${labels[0] ? 'well' : 'badly'}`);
  }
  return estimate(area.auc, area.positives + area.negatives, area.interval ?? {});
}

// How well a score ranks successes above failures: over all runs, within one source, and by the source alone. The next
// run has another task, so the intervals resample tasks where they are known.

export type RankedRun = {
  readonly value: number;
  readonly success: boolean;
  readonly source: string;
  /** Runs of one task resemble each other; a run without one is its own task. */
  readonly task?: string | undefined;
};

type Statistic = (runs: readonly RankedRun[]) => number | undefined;

const SEED = 1;
/** Sorting this many values takes about a second, so more runs get fewer resamples, down to a minimum. */
const WORK = 2_000_000;
const [LEAST_RESAMPLES, MOST_RESAMPLES] = [200, 2000];

/** Over all runs together: depends on a run's source as much as on its success. */
export function rankPooled(runs: readonly RankedRun[]): Measurement {
  return measure(runs, poolArea, sameFor(runs));
}

/** The mean of the sources' areas, each with van Elteren's weight m·n / (m + n). */
export function rankWithinSources(runs: readonly RankedRun[]): Measurement {
  return measure(runs, areaWithin, 'no source has both successes and failures');
}

/** The part of the pooled area that remains when each run has only the mean of its source. */
export function rankBySource(runs: readonly RankedRun[]): Measurement {
  if (new Set(runs.map((run) => run.source)).size < 2) return unmeasured('one source');
  return measure(runs, (drawn) => poolArea(byMean(drawn)), sameFor(runs));
}

function measure(runs: readonly RankedRun[], statistic: Statistic, why: string): Measurement {
  const value = statistic(runs);
  if (value === undefined) return unmeasured(why);
  // Sorted, because the order of the runs is arbitrary.
  const sorted = runs.toSorted((a, b) => order(clusterOf(a), clusterOf(b)) || a.value - b.value);
  const resamples = Math.round(Math.min(MOST_RESAMPLES, Math.max(LEAST_RESAMPLES, WORK / runs.length)));
  const drawn = bootstrap(sorted, statistic, {
    resamples,
    seed: SEED,
    method: 'percentile',
    clusters: sorted.map((run, i) => run.task ?? i),
  });
  return estimate(value, runs.length, drawn?.interval ?? {});
}

function sameFor(runs: readonly RankedRun[]): string {
  const [first] = runs;
  if (first === undefined) return 'no outcome is known';
  return `all ${runs.length} came out ${first.success ? 'well' : 'badly'}`;
}

function poolArea(runs: readonly RankedRun[]): number | undefined {
  const { auc, weight } = areaOf(runs);
  return weight === 0 ? undefined : auc;
}

function areaWithin(runs: readonly RankedRun[]): number | undefined {
  return weightedArea([...Map.groupBy(runs, (run) => run.source).values()].map(areaOf));
}

function areaOf(runs: readonly RankedRun[]) {
  return stratum(
    settled(Float64Array.from(runs, (run) => run.value)),
    runs.map((run) => run.success),
  );
}

function byMean(runs: readonly RankedRun[]): RankedRun[] {
  return [...Map.groupBy(runs, (run) => run.source).values()].flatMap((own) => {
    const value = mean(own.map((run) => run.value)) ?? 0;
    return own.map((run) => ({ ...run, value }));
  });
}

function clusterOf({ task, source }: RankedRun): string {
  return task ?? source;
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
