/**
 * Read this first: the flow of the product, whatever the instrument.
 *
 *   outside world → ingest → evidence → measure → judge → store → report → person, CI, dashboard
 *
 * An instrument brings a `Job`: how to ingest, which metrics, which policy. The rest is the same for all of them.
 * Commands hand the verdict to `report/`.
 */
import { declineNote, judge, type Policy, type Subject } from './judge/judge.ts';
import type { TrendPoint } from './judge/trend.ts';
import type { Verdict } from './judge/verdict.ts';
import { type Examined, measureCases } from './measure/measure.ts';
import type { Metric } from './measure/metric.ts';
import type { Alert, Json, RunRecord, Store } from './store/store.ts';

export type Job<Case> = {
  /** Identity and time are given, so that the same input always gives the same verdict. */
  readonly subject: Subject;
  readonly metrics: readonly Metric<Case>[];
  readonly policy: Policy;
  readonly ingest: () => Promise<readonly Examined<Case>[]>;
};

export async function assess<Case>(job: Job<Case>, store: Store): Promise<Verdict> {
  const cases = await job.ingest();
  const measured = measureCases(job.metrics, cases);
  const earlier = await readSeries(job, store);
  const verdict = judge(job.subject, job.metrics, cases, measured, earlier, job.policy);
  await store.appendRuns([recordOf(verdict, cases)]);
  await store.appendAlerts(alertsOf(verdict));
  return verdict;
}

/** How many earlier runs a trend shows. */
const TREND_RUNS = 30;

/** Only runs of the same subject against the same truth by the same scorer form a series. */
async function readSeries<Case>(job: Job<Case>, store: Store): Promise<Record<string, TrendPoint[]>> {
  const { instrument, subject, truthHash, scorer } = job.subject;
  const series: Record<string, TrendPoint[]> = {};
  for (const metric of job.policy.gate.gated) {
    const query = {
      instrument,
      subject,
      metric,
      limit: TREND_RUNS,
      ...(truthHash !== undefined && { truthHash }),
    };
    series[metric] = (await store.series(query)).flatMap(({ runId, at, measurement, scorer: by }) =>
      measurement.measured && by === scorer ? [{ runId, at, value: measurement.value }] : [],
    );
  }
  return series;
}

function recordOf<Case>(verdict: Verdict, cases: readonly Examined<Case>[]): RunRecord {
  const { runId, at, scorer, truthHash } = verdict.validity;
  const byId = (metrics: Verdict['metrics']) =>
    Object.fromEntries(metrics.map((one) => [one.id, one.measurement]));
  return {
    runId,
    at,
    scorer,
    ...(truthHash !== undefined && { truthHash }),
    instrument: verdict.instrument,
    subject: verdict.subject,
    verdict: verdict.gate.verdict,
    metrics: byId(verdict.metrics),
    cases: verdict.cases.map((judged, index) => {
      const examined = cases[index];
      return {
        caseId: judged.id,
        metrics: byId(judged.metrics),
        ...(judged.zone && { zone: judged.zone }),
        ...(judged.error !== undefined && { error: judged.error }),
        // Evidence is plain data by contract; the store checks every number in it again.
        ...(examined !== undefined && 'evidence' in examined && { evidence: examined.evidence as Json }),
      };
    }),
  };
}

function alertsOf({ instrument, subject, validity, trends }: Verdict): Alert[] {
  return trends
    .filter((trend) => trend.alert)
    .map((trend) => ({
      alertId: `${validity.runId}:${trend.metric}:declines`,
      instrument,
      severity: 'warning',
      rule: 'three-declines',
      subject,
      message: declineNote(trend),
      at: validity.at,
    }));
}
