import type { Examined, Measured } from '../measure/measure.ts';
import type { Metric } from '../measure/metric.ts';
import {
  type Approval,
  type ComparePolicy,
  compareWithBaseline,
  comparisonChecks,
  type Side,
} from './compare.ts';
import { type Check, type GatePolicy, gate, zoneChecks } from './gate.ts';
import { type Trend, type TrendPoint, trendOf } from './trend.ts';
import { type JudgedCase, judgeMetrics, type Validity, type Verdict } from './verdict.ts';
import { worstZone } from './zone.ts';

/** What the judged numbers are held against. */
export type Policy = {
  readonly gate: GatePolicy;
  readonly compare: ComparePolicy;
  readonly baseline?: Side;
  readonly approvals?: readonly Approval[];
  /** Compare although scorer or truth differ. */
  readonly insist?: boolean;
};

export type Subject = {
  readonly instrument: string;
  readonly subject: string;
  readonly runId: string;
  readonly at: string;
  readonly scorer: string;
  readonly truthHash?: string;
  readonly next: readonly string[];
};

/** Measurements → zones, comparison, trends and one verdict. `earlier`: metric id → its series, oldest first. */
export function judge<Case>(
  subject: Subject,
  metrics: readonly Metric<Case>[],
  cases: readonly Examined<Case>[],
  measured: Measured,
  earlier: Readonly<Record<string, readonly TrendPoint[]>>,
  policy: Policy,
): Verdict {
  const errors = cases.flatMap((one) => ('error' in one ? [one] : []));
  const validity = validityOf(subject, cases.length - errors.length, errors.length);
  const comparison =
    policy.baseline &&
    compareWithBaseline(
      metrics,
      { ...validity, metrics: measured.suite, cases: measured.perCase },
      policy.baseline,
      policy.compare,
      policy,
    );
  const judged = judgeMetrics(metrics, measured.suite, comparison);
  const trends = metrics.flatMap((metric) => {
    const points = earlier[metric.id];
    return points === undefined ? [] : [trendOf(metric, withCurrent(points, measured, metric.id, subject))];
  });
  const checks: Check[] = [
    ...zoneChecks(judged, policy.gate),
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
    cases: cases.map((one) => judgeCase(metrics, one, measured)),
    ...(comparison && { comparison }),
    trends,
    gate: gate(cases.length === 0 ? [] : checks),
    notes: trends.filter((trend) => trend.alert).map(declineNote),
    next: subject.next,
  };
}

export function declineNote(trend: Trend): string {
  return `${trend.title} fell ${trend.declines} runs in a row`;
}

function validityOf({ runId, at, scorer, truthHash }: Subject, cases: number, errors: number): Validity {
  return {
    runId,
    at,
    scorer,
    ...(truthHash !== undefined && { truthHash }),
    cases,
    skipped: errors === 0 ? {} : { 'could not be read': errors },
  };
}

function withCurrent(points: readonly TrendPoint[], measured: Measured, id: string, { runId, at }: Subject) {
  const now = measured.suite[id];
  return now?.measured ? [...points, { runId, at, value: now.value }] : points;
}

function judgeCase<Case>(
  metrics: readonly Metric<Case>[],
  one: Examined<Case>,
  measured: Measured,
): JudgedCase {
  if ('error' in one) return { id: one.id, metrics: [], notes: [], error: one.error };
  const judged = judgeMetrics(metrics, measured.perCase[one.id] ?? {});
  const zone = worstZone(judged.map((metric) => metric.zone));
  return { id: one.id, metrics: judged, notes: one.notes, ...(zone && { zone }) };
}
