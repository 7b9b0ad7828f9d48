/** Repeated runs of one workflow on one task, ready to be shown: every metric per run and over the runs. */

import type { Verdict } from '../judge/verdict.ts';
import { type Measured, measureCases } from '../measure/measure.ts';
import { estimate, type Measurement, metricKey, unmeasured } from '../measure/metric.ts';
import { mean, sampleSd } from '../stats/descriptive.ts';
import { type LabelAgreement, labelAgreement } from './agreement.ts';
import { type Stability, stabilityWord } from './bands.ts';
import { workflowMetrics } from './catalog.ts';
import { type ConcernValue, concernValues } from './concerns.ts';
import { countsOf, isConfirmed, type RunCounts } from './counts.ts';
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
  /** The runs in which it could be measured. */
  readonly n: number;
  readonly overall: Measurement;
  readonly sd: Measurement;
  readonly rs: Measurement;
};

export type AcrossRuns = Pick<MetricRow, 'key' | 'metric' | 'overall'>;

/** The detection rate when a partial match counts nothing, half, or in full. */
export type PartialSensitivity = {
  readonly '0': Measurement;
  readonly '0.5': Measurement;
  readonly '1': Measurement;
};

export type ReviewRunSummary = {
  readonly run: RunEvidence;
  readonly counts: RunCounts;
  readonly sensitivity: PartialSensitivity;
  readonly concerns: readonly ConcernValue[];
  /** Confirmed findings that carry a depth: what depth quality rests on. */
  readonly withDepth: number;
  readonly confirmed: number;
};

export type LabelSummary = LabelAgreement & {
  /** Labels that say something else than place, quote and lines do. */
  readonly againstCriteria: number;
};

export type ScoreSummary = {
  readonly runs: readonly ReviewRunSummary[];
  readonly rows: readonly MetricRow[];
  /** What only several runs have, e.g. consistency, found in any and in all runs. */
  readonly across: readonly AcrossRuns[];
  readonly sensitivity: PartialSensitivity;
  /** The worst of every stability in the table. */
  readonly stability: Stability | undefined;
  /** Metrics of the table whose stability could not be told, and why: they are not silently stable. */
  readonly stabilityUntold: readonly { readonly metric: ReviewMetric; readonly reason: string }[];
  readonly labels: LabelSummary;
};

export type ScoredReviews = Reading & {
  readonly truth: GroundTruth;
  readonly verdict: Verdict;
  readonly summary: ScoreSummary;
  readonly minimums: Minimums;
};

/** Metrics whose stability the protocol asks for: all that the table of an experiment tracks. */
export const STABILITY_KEYS: readonly string[] = [
  'dr',
  'dr_critical',
  'dr_important',
  'dr_minor',
  'wds',
  'precision',
  'dis',
  'dq',
  'cc',
  'oes',
];

export function summarise(
  runs: readonly RunEvidence[],
  metrics: readonly ReviewMetric[] = workflowMetrics(),
): ScoreSummary {
  const cases = runs.map((evidence) => ({ id: evidence.run, evidence, notes: [] }));
  return summaryOf(runs, metrics, measureCases(metrics, cases));
}

/** Nothing is measured here: every value is one of `measured`, which has the runs by their names. */
export function summaryOf(
  runs: readonly RunEvidence[],
  metrics: readonly ReviewMetric[],
  measured: Measured,
): ScoreSummary {
  const rows = metrics
    .filter(({ needs }) => needs === undefined)
    .map((metric) => rowOf(metric, runs, measured));
  const across = metrics
    .filter(({ needs }) => needs === 'all runs')
    .map((metric) => ({ key: metricKey(metric.id), metric, overall: suiteValue(metric, measured) }));
  const tracked = rows.filter(({ key }) => STABILITY_KEYS.includes(key));
  const measuredRs = tracked.flatMap(({ rs }) => (rs.measured ? [rs.value] : []));
  const findings = runs.flatMap((run) => run.findings);
  return {
    runs: runs.map((run) => ({
      run,
      counts: countsOf(run),
      sensitivity: sensitivityOf([run]),
      concerns: concernValues(run),
      confirmed: run.findings.filter(isConfirmed).length,
      withDepth: run.findings.filter((finding) => isConfirmed(finding) && finding.depth !== undefined).length,
    })),
    rows,
    across,
    sensitivity: sensitivityOf(runs),
    stability: stabilityWord(measuredRs),
    stabilityUntold: tracked.flatMap(({ metric, rs }) =>
      rs.measured ? [] : [{ metric, reason: rs.reason }],
    ),
    labels: {
      ...labelAgreement(findings),
      againstCriteria: findings.filter(({ againstCriteria }) => againstCriteria).length,
    },
  };
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
    sd:
      sd === undefined
        ? unmeasured(overall.measured ? 'needs two runs' : overall.reason)
        : estimate(sd, values.length),
    rs: overall.measured ? stabilityOf(values) : unmeasured(overall.reason),
  };
}

function sensitivityOf(runs: readonly RunEvidence[]): PartialSensitivity {
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
