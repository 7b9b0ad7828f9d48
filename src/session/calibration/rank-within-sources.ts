/**
 * How well a score puts successes before failures: over all runs, within one source, and by the source alone. The
 * next run is of another task, so the intervals are over tasks where tasks are known.
 */
import { estimate, type Measurement, unmeasured } from '../../measure/metric.ts';
import { bootstrap } from '../../stats/bootstrap.ts';
import { mean } from '../../stats/mean.ts';
import { settled } from './q-model.ts';
import { stratum } from './resample-scores.ts';

export type RankedRun = {
  readonly value: number;
  readonly success: boolean;
  readonly source: string;
  /** Runs of one task resemble each other; a run without one stands for itself. */
  readonly task?: string | undefined;
};

type Statistic = (runs: readonly RankedRun[]) => number | undefined;

const SEED = 1;
/** Sorting this many values is about a second of work; fewer resamples for more runs, and never fewer than these. */
const WORK = 2_000_000;
const [LEAST_RESAMPLES, MOST_RESAMPLES] = [200, 2000];

/** Over all runs together: says which source a run came from as much as how it went. */
export function rankPooled(runs: readonly RankedRun[]): Measurement {
  return measure(runs, poolArea, sameFor(runs));
}

/** The mean of the sources' areas, each with van Elteren's weight m·n / (m + n). */
export function rankWithinSources(runs: readonly RankedRun[]): Measurement {
  return measure(runs, areaWithin, 'no source has both successes and failures');
}

/** What is left of the pooled area when a run is told by the mean of its source and nothing else. */
export function rankBySource(runs: readonly RankedRun[]): Measurement {
  if (new Set(runs.map((run) => run.source)).size < 2) return unmeasured('one source');
  return measure(runs, (drawn) => poolArea(byMean(drawn)), sameFor(runs));
}

function measure(runs: readonly RankedRun[], statistic: Statistic, why: string): Measurement {
  const value = statistic(runs);
  if (value === undefined) return unmeasured(why);
  // The order of the runs is an accident of reading.
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
  const areas = [...Map.groupBy(runs, (run) => run.source).values()].map(areaOf);
  const total = areas.reduce((sum, one) => sum + one.weight, 0);
  return total === 0 ? undefined : areas.reduce((sum, one) => sum + one.weight * one.auc, 0) / total;
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
