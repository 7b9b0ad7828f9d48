/**
 * Read this first: the flow of the product, whatever the instrument.
 *
 *   outside world → ingest → evidence → measure → judge → store → report → person, CI, dashboard
 *
 * An instrument brings a `Job`: how to ingest, which metrics, which policy. The rest is the same for all of them.
 * Commands hand the verdict to `report/`.
 */
import { declineNote, judge, type Policy, type Subject } from './judge/judge.ts';
import { judgementOf } from './judge/judgement.ts';
import type { TrendPoint } from './judge/trend.ts';
import type { Verdict } from './judge/verdict.ts';
import { type Examined, type Ingested, type Measured, measureCases, metricsFor } from './measure/measure.ts';
import type { Metric } from './measure/metric.ts';
import type { Alert, Json, Position, RunRecord, Store } from './store/store.ts';

export type Job<Case, Input extends JobInput<Case> = JobInput<Case>, Facts = undefined> = {
  /** Identity and time are given, so that the same input always gives the same verdict. */
  readonly subject: Omit<Subject, 'truthHash' | 'subject'> & { readonly subject?: string };
  readonly metrics: readonly Metric<Case>[];
  /** A function of the input where it depends on it. */
  readonly policy: Policy | ((input: Input) => Policy);
  /** Earlier runs that are listed elsewhere, for a store that has fewer or none. */
  readonly earlier?: (
    series: Pick<Subject, 'subject' | 'truthHash' | 'scorer'>,
  ) => (metric: string) => TrendPoint[];
  readonly ingest: () => Promise<Input>;
  /** Facts stored with the run in addition to its numbers, as plain data. */
  readonly facts?: (judged: {
    readonly verdict: Verdict;
    readonly measured: Measured;
    readonly input: Input;
  }) => Facts;
};

/** The output of ingest, and what is known only after reading. */
export type JobInput<Case> = Ingested<Case> & {
  /** What was measured, where the input itself names it. */
  readonly subject?: string;
  /** Hash of the measured content: an approval is bound to it. */
  readonly content?: string;
};

/** As much of a store as a run needs. */
export type RunStore = Pick<Store, 'listRuns' | 'appendRuns' | 'appendAlerts'>;

/** For a run that is only shown: no earlier runs, and nothing is stored. */
export const NO_STORE: RunStore = {
  listRuns: async () => [],
  appendRuns: async () => ({ added: 0, known: 0 }),
  appendAlerts: async () => ({ added: 0, known: 0 }),
};

/** A run, judged, with the measurements it was judged on: nothing has to be measured a second time. */
type Assessment<Case, Input extends JobInput<Case>, Facts> = {
  readonly verdict: Verdict;
  readonly measured: Measured;
  readonly cases: readonly Examined<Case>[];
  readonly input: Input;
  readonly facts: Facts | undefined;
};

export async function assess<Case, Input extends JobInput<Case>, Facts = undefined>(
  job: Job<Case, Input, Facts>,
  /** Opened only when there is something to store. */
  open: RunStore | (() => Promise<RunStore>),
  /** Told when the store could not take the run, which is then given all the same; without it, that is an error. */
  onStorageFailure?: (error: unknown) => void,
): Promise<Assessment<Case, Input, Facts>> {
  const input = await job.ingest();
  const { cases, truthHash, content } = input;
  const subject: Subject = {
    ...job.subject,
    subject: input.subject ?? job.subject.subject ?? job.subject.instrument,
    ...(truthHash !== undefined && { truthHash }),
    ...(content !== undefined && { content }),
  };
  const policy = typeof job.policy === 'function' ? job.policy(input) : job.policy;
  const metrics = metricsFor(job.metrics, cases);
  const measured = measureCases(metrics, cases);
  const listed = job.earlier?.(subject);
  const judged = (stored: Record<string, TrendPoint[]>) => {
    const earlier = listed === undefined ? stored : longer(stored, policy.gate.gated, listed);
    const verdict = judge(subject, metrics, cases, measured, earlier, policy);
    return { verdict, measured, cases, input, facts: job.facts?.({ verdict, measured, input }) };
  };
  let assessed: ReturnType<typeof judged> | undefined;
  try {
    const store = typeof open === 'function' ? await open() : open;
    assessed = judged(await readSeries(subject, policy.gate.gated, store));
    const { verdict, facts } = assessed;
    await store.appendRuns([recordOf(verdict, measured, cases, policy, facts)]);
    await store.appendAlerts(alertsOf(verdict));
  } catch (error) {
    if (onStorageFailure === undefined) throw error;
    onStorageFailure(error);
  }
  return assessed ?? judged({});
}

function longer(
  stored: Readonly<Record<string, TrendPoint[]>>,
  metrics: readonly string[],
  listed: (metric: string) => TrendPoint[],
): Record<string, TrendPoint[]> {
  return Object.fromEntries(
    metrics.map((metric) => {
      const [one, other] = [stored[metric] ?? [], listed(metric)];
      return [metric, other.length > one.length ? other : one];
    }),
  );
}

/** How many earlier runs a trend shows. */
const TREND_RUNS = 30;

/** Only runs of the same subject against the same truth by the same scorer, with all their cases, form a series. */
export async function readSeries(
  { instrument, subject, truthHash, scorer }: Subject,
  metrics: readonly string[],
  store: Pick<Store, 'listRuns'>,
  /** Only runs before this one. */
  after?: Position,
): Promise<Record<string, TrendPoint[]>> {
  const query = { instrument, subject, scorer, truthHash, after, limit: TREND_RUNS, withoutErrors: true };
  const runs = (await store.listRuns(query)).toReversed();
  const pointsOf = (metric: string): TrendPoint[] =>
    runs.flatMap(({ runId, at, metrics: { [metric]: measurement } }) =>
      measurement?.measured === true ? [{ runId, at, value: measurement.value }] : [],
    );
  return Object.fromEntries(metrics.map((metric) => [metric, pointsOf(metric)]));
}

function recordOf<Case>(
  verdict: Verdict,
  measured: Measured,
  cases: readonly Examined<Case>[],
  policy: Policy,
  facts: unknown,
): RunRecord {
  const { runId, at, scorer, truthHash } = verdict.validity;
  return {
    runId,
    at,
    scorer,
    truthHash,
    instrument: verdict.instrument,
    subject: verdict.subject,
    verdict: verdict.gate.verdict,
    judgement: judgementOf(verdict, policy),
    // Facts and evidence are plain data by contract; the store checks every number in them again.
    ...(facts !== undefined && { facts: facts as Json }),
    metrics: measured.suite,
    cases: verdict.cases.map((judged, index) => {
      const examined = cases[index];
      const before = policy.baseline?.cases[judged.id];
      return {
        caseId: judged.id,
        metrics: judged.metrics.length === 0 ? {} : (measured.perCase[judged.id] ?? {}),
        ...(judged.zone && { zone: judged.zone }),
        ...(judged.error !== undefined && { error: judged.error }),
        ...(before && { baseline: before }),
        ...(examined !== undefined && 'evidence' in examined && { evidence: examined.evidence as Json }),
      };
    }),
  };
}

function alertsOf({ instrument, subject, validity, trends }: Verdict): Alert[] {
  return trends
    .filter((trend) => trend.alert && trend.points.at(-1)?.runId === validity.runId)
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
