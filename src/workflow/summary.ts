/** Prepares repeated runs of one workflow on one task for display: every metric per run and over the runs. */

import type { Verdict } from '../judge/verdict.ts';
import { type Measured, measureCases } from '../measure/measure.ts';
import { estimate, type Measurement, metricKey, unmeasured } from '../measure/metric.ts';
import { mean, sampleSd } from '../stats/descriptive.ts';
import { labelAgreement } from './agreement.ts';
import { bandOf, stabilityWord } from './bands.ts';
import { workflowMetrics } from './catalog.ts';
import { concernValues } from './concerns.ts';
import { countsOf, isConfirmed } from './counts.ts';
import { detectedErrors } from './detected-errors.ts';
import type { RunEvidence } from './evidence.ts';
import type { Reading } from './ingest/mapping.ts';
import type { ReviewMetric } from './metric.ts';
import type { Minimums } from './policy.ts';
import { stabilityOf } from './stability.ts';
import type { GroundTruth } from './truth.ts';

export type MetricRow = {
  readonly key: string;
  readonly metric: ReviewMetric;
  /** In the order of the runs. */
  readonly perRun: readonly Measurement[];
  /** Number of runs in which it could be measured. */
  readonly n: number;
  readonly overall: Measurement;
  /** The documented word for the value. */
  readonly band: string | undefined;
  readonly sd: Measurement;
  readonly rs: Measurement;
};

export type AcrossRuns = Pick<MetricRow, 'key' | 'metric' | 'overall' | 'band'>;

/** The detection rate if a partial match counts nothing, half, or in full. */
export type PartialSensitivity = ReturnType<typeof sensitivityOf>;
export type ScoreSummary = ReturnType<typeof summaryOf>;
export type ReviewRunSummary = ScoreSummary['runs'][number];

export type ScoredReviews = Reading & {
  readonly truth: GroundTruth;
  readonly verdict: Verdict;
  readonly summary: ScoreSummary;
  readonly minimums: Minimums;
};

export function summarise(
  runs: readonly RunEvidence[],
  metrics: readonly ReviewMetric[] = workflowMetrics(),
) {
  const cases = runs.map((evidence) => ({ id: evidence.run, evidence, notes: [] }));
  return summaryOf(runs, metrics, measureCases(metrics, cases));
}

/** Only rearranges values: all of them come from `measured`, which has the runs by name. */
export function summaryOf(
  runs: readonly RunEvidence[],
  metrics: readonly ReviewMetric[],
  measured: Measured,
) {
  const rows = metrics
    .filter(({ needs }) => needs === undefined)
    .map((metric) => rowOf(metric, runs, measured));
  const across = metrics
    .filter(({ needs }) => needs === 'all runs')
    .map((metric): AcrossRuns => {
      const overall = suiteValue(metric, measured);
      return { key: metricKey(metric.id), metric, overall, band: wordFor(metric, overall) };
    });
  const tracked = trackedRows(rows);
  const findings = runs.flatMap((run) => run.findings);
  return {
    runs: runs.map((run) => {
      const confirmed = run.findings.filter(isConfirmed);
      return {
        run,
        counts: countsOf(run),
        sensitivity: sensitivityOf([run]),
        concerns: concernValues(run),
        // The findings that depth quality is based on.
        confirmed: confirmed.length,
        withDepth: confirmed.filter(({ depth }) => depth !== undefined).length,
        ownDepth: confirmed.filter(({ ownDepth }) => ownDepth).length,
      };
    }),
    rows,
    // Metrics that need several runs, e.g. consistency, found in any and in all runs.
    across,
    sensitivity: sensitivityOf(runs),
    // The worst stability in the table; metrics without a stability do not count as stable.
    stability: stabilityWord(tracked.flatMap(({ rs }) => (rs.measured ? [rs.value] : []))),
    stabilityUnknown: tracked.flatMap(({ metric, rs }) =>
      rs.measured ? [] : [{ metric, reason: rs.reason }],
    ),
    labels: {
      ...labelAgreement(findings),
      // Labels that contradict place, quote and lines.
      againstCriteria: findings.filter(({ againstCriteria }) => againstCriteria).length,
    },
  };
}

function wordFor({ id }: ReviewMetric, one: Measurement): string | undefined {
  return one.measured ? bandOf(metricKey(id), one.value)?.word : undefined;
}

/** Every row of the table of an experiment, whose stability is that of the least stable row. */
export function trackedRows(rows: readonly MetricRow[]): readonly MetricRow[] {
  return rows.filter(({ metric }) => metric.aside !== true);
}

function suiteValue({ id }: ReviewMetric, { suite }: Measured): Measurement {
  return suite[id] ?? unmeasured('not computed');
}

function rowOf(metric: ReviewMetric, runs: readonly RunEvidence[], measured: Measured): MetricRow {
  const perRun = runs.map(({ run }) => measured.perCase[run]?.[metric.id] ?? unmeasured('not computed'));
  const values = perRun.flatMap((one) => (one.measured ? [one.value] : []));
  const sd = sampleSd(values);
  const overall = suiteValue(metric, measured);
  return {
    key: metricKey(metric.id),
    metric,
    perRun,
    n: values.length,
    overall,
    band: wordFor(metric, overall),
    sd:
      sd === undefined
        ? unmeasured(overall.measured ? 'needs two runs' : overall.reason)
        : estimate(sd, values.length),
    rs: overall.measured ? stabilityOf(values) : unmeasured(overall.reason),
  };
}

function sensitivityOf(runs: readonly RunEvidence[]) {
  const at = (partial: number): Measurement => {
    const shares = runs.flatMap((run) => {
      const { count, of } = detectedErrors(run, undefined, partial);
      return of === 0 ? [] : [(100 * count) / of];
    });
    const value = mean(shares);
    return value === undefined
      ? unmeasured('the ground truth expects no errors')
      : estimate(value, shares.length);
  };
  return { '0': at(0), '0.5': at(0.5), '1': at(1) };
}
