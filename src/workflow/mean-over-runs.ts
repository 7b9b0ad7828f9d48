/** Combines a metric of single runs into one over several runs, with equal weights. */
import { type Estimate, estimate, type Measurement, unmeasured } from '../measure/metric.ts';
import { mean } from '../stats/descriptive.ts';
import { studentTInterval } from '../stats/intervals.ts';
import type { RunEvidence } from './evidence.ts';
import type { ReviewMetric } from './metric.ts';

/** With two runs the interval is too wide to be useful; an assessment requires three. */
const RUNS_FOR_INTERVAL = 3;

export type Range = readonly [low: number, high: number];

/** One run keeps its own n. Several give their mean with a Student t interval, clipped to the range. */
export function meanOverRuns(
  runs: readonly RunEvidence[],
  range: Range,
  perRun: (run: RunEvidence) => Measurement,
  pooled?: number,
): Measurement {
  return meanOf(runs.map(perRun), (measured) => {
    const values = measured.map(({ value }) => value);
    const interval = values.length < RUNS_FOR_INTERVAL ? undefined : studentTInterval(values);
    return {
      n: values.length,
      low: interval && Math.max(range[0], interval.low),
      high: interval && Math.min(range[1], interval.high),
      pooled,
      coverage: mean(measured.flatMap((one) => one.coverage ?? [])),
    };
  });
}

/**
 * The mean of the measured values, and the reasons why others are missing. A single measurement is returned unchanged.
 */
function meanOf(
  measurements: readonly Measurement[],
  restOf: (measured: readonly Estimate[]) => Omit<Estimate, 'measured' | 'value'>,
): Measurement {
  const [only, ...others] = measurements;
  if (only === undefined) return unmeasured('no runs');
  if (others.length === 0) return only;
  const measured = measurements.filter((one): one is Estimate => one.measured);
  const value = mean(measured.map((one) => one.value));
  const reasons = countReasons(measurements);
  const hasReasons = Object.keys(reasons).length > 0;
  if (value === undefined) return unmeasured(Object.keys(reasons).join('; '));
  const { n, ...rest } = restOf(measured);
  return estimate(value, n, { ...rest, skipped: hasReasons ? reasons : undefined });
}

export type Part = { readonly count: number; readonly of: number };

type Share = Omit<ReviewMetric, 'unit' | 'range' | 'better' | 'compute'> & {
  /** 100 for percentages. */
  readonly scale: 1 | 100;
  readonly part: (run: RunEvidence) => Part;
  readonly whenEmpty: string;
};

/** A metric that is a share per run, with the pooled share of all runs as an addition to the mean. */
export function shareMetric({ scale, part, whenEmpty, ...declared }: Share): ReviewMetric {
  const shareOf = ({ count, of }: Part) =>
    of === 0 ? unmeasured(whenEmpty) : estimate((scale * count) / of, of);
  return {
    ...declared,
    unit: scale === 100 ? 'percent' : 'ratio',
    range: [0, scale],
    better: 'higher',
    compute: (runs) => {
      const parts = runs.map(part);
      const count = parts.reduce((total, one) => total + one.count, 0);
      const of = parts.reduce((total, one) => total + one.of, 0);
      const pooled = of === 0 ? undefined : (scale * count) / of;
      return meanOverRuns(runs, [0, scale], (run) => shareOf(part(run)), pooled);
    },
  };
}

/** Repetitions of one experiment: the same workflow on the same task against the same truth. */
function repetitions(runs: readonly RunEvidence[]): readonly (readonly RunEvidence[])[] {
  return [
    ...Map.groupBy(runs, ({ workflow, task, truthHash, arm }) =>
      JSON.stringify([workflow, task, truthHash, arm ?? '']),
    ).values(),
  ];
}

/** A value that needs several runs: its mean over the experiments in which it can be measured. */
export function meanOverRepetitions(
  runs: readonly RunEvidence[],
  perExperiment: (runs: readonly RunEvidence[]) => Measurement,
): Measurement {
  return meanOf(repetitions(runs).map(perExperiment), (measured) => ({
    n: measured.reduce((sum, one) => sum + one.n, 0),
  }));
}

/** Reason → count, sorted by reason so that the order of the runs does not matter. */
function countReasons(measurements: readonly Measurement[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const one of measurements)
    if (!one.measured) counts.set(one.reason, (counts.get(one.reason) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
