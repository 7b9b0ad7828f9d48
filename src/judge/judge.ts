import type { Examined, Measured, Measurements } from '../measure/measure.ts';
import type { Measurement } from '../measure/metric.ts';
import {
  type Approval,
  type ComparePolicy,
  type Comparison,
  compareWithBaseline,
  comparisonChecks,
  type OpenRegression,
  openRegressions,
  type Side,
} from './compare.ts';
import {
  type Check,
  caseChecks,
  couldNotRun,
  type Gate,
  type GatePolicy,
  gate,
  standardChecks,
  zoneChecks,
} from './gate.ts';
import { type Trend, type TrendPoint, trendOf } from './trend.ts';
import {
  type Declaration,
  type JudgedCase,
  type JudgedMetric,
  judgeMetrics,
  type Validity,
  type Verdict,
} from './verdict.ts';
import { worstZone } from './zone.ts';

export type Policy = {
  readonly gate: GatePolicy;
  readonly compare: ComparePolicy;
  readonly baseline?: Side;
  /** What somebody let through of the regressions that would block, and why others are; nobody is asked when there are none. */
  readonly approve?: (
    open: readonly OpenRegression[],
    comparison: Comparison,
    run: CandidateRun,
  ) => readonly Approval[];
  /** Compare although scorer or truth differ. */
  readonly insist?: boolean;
  /** What the judged numbers need said about them; it joins the notes of the verdict. */
  readonly explain?: (metrics: readonly JudgedMetric[]) => readonly string[];
};

/** The run that an approval would let through, and its cases that could not be measured. */
export type CandidateRun = Subject & { readonly errored: readonly string[] };

export type Subject = {
  readonly instrument: string;
  readonly subject: string;
  readonly runId: string;
  readonly at: string;
  readonly scorer: string;
  readonly truthHash?: string;
  readonly standard?: string;
  /** Hash of what was measured: an approval holds for this and nothing else. */
  readonly content?: string;
};

/** Measurements → zones, comparison, trends and one verdict. `earlier`: metric id → its series, oldest first. */
export function judge<Case>(
  subject: Subject,
  metrics: readonly Declaration[],
  cases: readonly Examined<Case>[],
  measured: Measured,
  earlier: Readonly<Record<string, readonly TrendPoint[]>>,
  policy: Policy,
): Verdict {
  const unread = cases.filter((one) => 'error' in one).length;
  const errors = cases.flatMap((one) => {
    const error = errorOf(one);
    return error === undefined ? [] : [{ id: one.id, error }];
  });
  const judgeOfCase = sharingJudge(metrics);
  const validity = validityOf(subject, cases.length - unread, unread);
  const candidate = { ...subject, errored: errors.map(({ id }) => id) };
  const comparison = compared(metrics, sideOfRun(validity, measured), policy, candidate);
  const judged = judgeMetrics(metrics, measured.suite, comparison);
  const trends = metrics.flatMap((metric) => {
    const points = earlier[metric.id];
    if (points === undefined) return [];
    // A run without some of its cases is another sample; it does not enter the series.
    const now = errors.length === 0 ? measured.suite[metric.id] : undefined;
    return [trendOf(metric, withCurrent(points, now, subject))];
  });
  const judgedCases = cases.map((one) => judgeCase(judgeOfCase, one, measured, policy.gate));
  const checks: Check[] = [
    ...caseChecks(judgedCases, policy.gate),
    ...zoneChecks(judged, policy.gate),
    ...standardChecks(policy.gate),
    ...(comparison ? comparisonChecks(metrics, comparison, policy.compare) : []),
    ...errors.map(
      ({ id, error }): Check => ({ id: `case:${id}`, outcome: 'blocked', reason: `${id}: ${error}` }),
    ),
  ];
  return {
    instrument: subject.instrument,
    subject: subject.subject,
    validity,
    metrics: judged,
    cases: judgedCases,
    ...(comparison && { comparison }),
    trends,
    gate: gateOf(checks, cases.length - unread, errors, policy.gate.notRun),
    ...(policy.gate.standard && { standard: policy.gate.standard }),
    notes: [...(policy.explain?.(judged) ?? []), ...trends.filter((trend) => trend.alert).map(declineNote)],
  };
}

export function sideOfRun(validity: Validity, measured: Measured): Side {
  return { ...validity, metrics: measured.suite, cases: measured.perCase };
}

function compared(
  metrics: readonly Declaration[],
  current: Side,
  { baseline, compare, insist = false, approve }: Policy,
  candidate: CandidateRun,
): Comparison | undefined {
  if (baseline === undefined) return undefined;
  const comparison = compareWithBaseline(metrics, current, baseline, compare, { insist });
  const open = openRegressions(comparison, compare);
  return open.length === 0 || approve === undefined
    ? comparison
    : { ...comparison, approvals: approve(open, comparison, candidate) };
}

function errorOf(one: Examined<unknown>): string | undefined {
  return 'error' in one ? one.error : one.fault;
}

function gateOf(
  checks: readonly Check[],
  measured: number,
  errors: readonly { readonly id: string; readonly error: string }[],
  notRun: readonly string[] = [],
): Gate {
  if (notRun.length > 0) return couldNotRun(notRun);
  if (measured > 0) return gate(checks);
  return errors.length === 0 ? gate([]) : couldNotRun(errors.map(({ id, error }) => `${id}: ${error}`));
}

export function declineNote(trend: Trend): string {
  return `${trend.title} fell ${trend.declines} runs in a row`;
}

function validityOf(
  { runId, at, scorer, truthHash, standard }: Subject,
  cases: number,
  errors: number,
): Validity {
  return {
    runId,
    at,
    scorer,
    truthHash,
    standard,
    cases,
    skipped: errors === 0 ? {} : { 'could not be read': errors },
  };
}

function withCurrent(
  points: readonly TrendPoint[],
  now: Measurement | undefined,
  { runId, at }: Subject,
): readonly TrendPoint[] {
  return now?.measured ? [...points, { runId, at, value: now.value }] : points;
}

/** Cases with the same measurement share what was judged of it: there may be thousands of them. */
function sharingJudge(metrics: readonly Declaration[]): (measured: Measurements) => JudgedMetric[] {
  const known = metrics.map(() => new Map<Measurement | undefined, JudgedMetric>());
  return (measured) =>
    metrics.flatMap((metric, i) => {
      const measurement = measured[metric.id];
      const shared = known[i]?.get(measurement);
      if (shared !== undefined) return [shared];
      const judged = judgeMetrics([metric], measured);
      for (const one of judged) known[i]?.set(measurement, one);
      return judged;
    });
}

function judgeCase<Case>(
  judgeOfCase: (measured: Measurements) => JudgedMetric[],
  one: Examined<Case>,
  measured: Measured,
  { aside = [], caseFailures }: GatePolicy,
): JudgedCase {
  if ('error' in one) return { id: one.id, metrics: [], notes: [], error: one.error };
  const judged = judgeOfCase(measured.perCase[one.id] ?? {});
  const zone = worstZone(judged.filter(({ id }) => !aside.includes(id)).map((metric) => metric.zone));
  const { id, notes, fault } = one;
  return {
    id,
    metrics: judged,
    notes,
    ...(zone && { zone }),
    ...(caseFailures !== undefined && zone === 'fail' && { failed: true as const }),
    ...(fault !== undefined && { error: fault }),
  };
}
