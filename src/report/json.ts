import type { Change, Comparison } from '../judge/compare.ts';
import type { Paired } from '../judge/paired.ts';
import type { Trend } from '../judge/trend.ts';
import type { JudgedCase, JudgedMetric, Verdict } from '../judge/verdict.ts';
import { type Measurement, metricKey } from '../measure/metric.ts';
import { escapeJson } from './unsafe-text.ts';

/**
 * The whole verdict for programs: snake_case, full precision, the same keys in every run. What was not measured has
 * `value: null` and a `reason`.
 */
export function renderJson(verdict: Verdict): string {
  return `${escapeJson(JSON.stringify(verdictJson(verdict), null, 2))}\n`;
}

function verdictJson(verdict: Verdict) {
  const { validity, gate } = verdict;
  return {
    instrument: verdict.instrument,
    subject: verdict.subject,
    validity: {
      run_id: validity.runId,
      at: validity.at,
      scorer: validity.scorer,
      truth_hash: validity.truthHash ?? null,
      cases: validity.cases,
      skipped: validity.skipped,
    },
    metrics: byKey(verdict.metrics),
    cases: verdict.cases.map(caseJson),
    comparison: verdict.comparison === undefined ? null : comparisonJson(verdict.comparison),
    trends: verdict.trends.map(trendJson),
    gate: {
      verdict: gate.verdict,
      exit_code: gate.exitCode,
      reasons: gate.reasons,
      checks: gate.checks.map(({ id, outcome, reason }) => ({ id, outcome, reason })),
    },
    notes: verdict.notes,
  };
}

function byKey(metrics: readonly JudgedMetric[]) {
  return Object.fromEntries(metrics.map((metric) => [metricKey(metric.id), metricJson(metric)]));
}

function metricJson(metric: JudgedMetric) {
  return {
    ...measurementJson(metric.measurement),
    zone: metric.zone ?? null,
    unit: metric.unit,
    better: metric.better,
    ...(metric.change !== undefined && { change: changeJson(metric.change) }),
  };
}

function measurementJson(measurement: Measurement) {
  if (!measurement.measured) {
    return { value: null, low: null, high: null, n: 0, pooled: null, reason: measurement.reason };
  }
  const { value, low, high, n, pooled, coverage, skipped } = measurement;
  return {
    value,
    low: low ?? null,
    high: high ?? null,
    n,
    pooled: pooled ?? null,
    ...(coverage !== undefined && { coverage }),
    ...(skipped && { skipped }),
  };
}

function changeJson(change: Change) {
  return {
    size: change.size,
    points: change.points ?? null,
    baseline: measurementJson(change.baseline),
    ...(change.paired !== undefined && { paired: pairedJson(change.paired) }),
  };
}

function pairedJson({ cases, points, low, high, p, verdict }: Paired) {
  return { cases, points, low: low ?? null, high: high ?? null, p, verdict };
}

function caseJson(item: JudgedCase) {
  return {
    id: item.id,
    zone: item.zone ?? null,
    metrics: byKey(item.metrics),
    notes: item.notes,
    ...(item.error !== undefined && { error: item.error }),
  };
}

function comparisonJson(comparison: Comparison) {
  const changes = Object.entries(comparison.changes).map(([id, change]) => [
    metricKey(id),
    changeJson(change),
  ]);
  return {
    baseline: { run_id: comparison.baseline.runId, at: comparison.baseline.at },
    differences: comparison.differences,
    insisted: comparison.insisted,
    changes: Object.fromEntries(changes),
    missing_cases: comparison.missingCases,
    approvals: comparison.approvals.map((approval) => ({ ...approval, metric: metricKey(approval.metric) })),
  };
}

function trendJson(trend: Trend) {
  return {
    metric: metricKey(trend.metric),
    title: trend.title,
    unit: trend.unit,
    points: trend.points.map(({ runId, at, value }) => ({ run_id: runId, at, value })),
    declines: trend.declines,
    alert: trend.alert,
  };
}
