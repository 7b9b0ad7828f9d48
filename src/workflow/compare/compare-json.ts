/** A comparison as machines read it. */
import type { Measurement } from '../../measure/metric.ts';
import type { MetricChange, WorkflowComparison } from './compare-sides.ts';
import type { DocumentedRule } from './documented-rule.ts';

export function compareJson(comparison: WorkflowComparison) {
  const { before, after, verdict, primary, paired, welch, runsNeeded, rule, exact, improvement } = comparison;
  return {
    baseline: { workflow: before.name, runs: before.runs.length },
    candidate: { workflow: after.name, runs: after.runs.length },
    verdict: verdict.verdict,
    because: verdict.because,
    primary: changeJson(primary),
    paired: paired ?? null,
    welch: welch ?? null,
    runs_needed: runsNeeded ?? null,
    documented_rule: ruleJson(rule),
    mcnemar: exact ?? null,
    improvement_delta: {
      ...measurementJson(improvement.delta),
      meaning: improvement.meaning ?? null,
      confidence: improvement.confidence ?? null,
      documented_rule: ruleJson(improvement.rule),
    },
    secondary: comparison.secondary.map(changeJson),
    errors: comparison.errors,
    confounders: comparison.confounders,
    claims: comparison.claims,
  };
}

function changeJson({ key, before, after, difference, p, adjustedP }: MetricChange) {
  return {
    metric: key,
    baseline: measurementJson(before),
    candidate: measurementJson(after),
    difference: difference ?? null,
    p: p ?? null,
    ...(adjustedP !== undefined && { p_holm: adjustedP }),
  };
}

function measurementJson(measurement: Measurement) {
  if (!measurement.measured) return { value: null, reason: measurement.reason };
  const { value, n, low, high } = measurement;
  return { value, n, ...(low !== undefined && { low, high }) };
}

function ruleJson(rule: DocumentedRule) {
  if (!rule.measured) return { significant: null, reason: rule.reason };
  const { difference, pooledSd, threshold, significant, falseAlarm, runs } = rule;
  return { significant, difference, pooled_sd: pooledSd, threshold, false_alarm_rate: falseAlarm, runs };
}
