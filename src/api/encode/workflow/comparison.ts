/** A comparison of two workflows as machines read it. */
import type { z } from 'zod';
import type { DocumentedRule } from '../../../workflow/compare/documented-rule.ts';
import type { ExactTest, MetricChange, WorkflowComparison } from '../../../workflow/compare/measure-sides.ts';
import type { Mapping } from '../../../workflow/ingest/mapping.ts';
import type { workflowComparison } from '../../schema/workflow/comparison.ts';
import { encodeMeasurement } from '../measurement.ts';

type Wire = z.infer<typeof workflowComparison>;

export function encodeWorkflowComparison({
  comparison,
  mappings,
  notes,
}: {
  readonly comparison: WorkflowComparison;
  readonly mappings: readonly Mapping[];
  readonly notes: readonly string[];
}): Wire {
  const { before, after, verdict, primary, welch, runsNeeded, rule, exact, improvement } = comparison;
  return {
    format: 'assay-workflow-comparison',
    version: 1,
    baseline: { workflow: before.name, runs: before.runs.length },
    candidate: { workflow: after.name, runs: after.runs.length },
    verdict: verdict.verdict,
    because: verdict.because,
    by_severity: comparison.bySeverity.map(changeJson),
    primary: changeJson(primary),
    left_out: comparison.leftOut.map((task) => ({ ...task })),
    paired: pairedJson(comparison.paired),
    welch:
      welch === undefined
        ? null
        : {
            difference: encodeMeasurement({
              measured: true,
              value: welch.difference,
              n: before.runs.length + after.runs.length,
              low: welch.interval.low,
              high: welch.interval.high,
            }),
            t: welch.t,
            degrees_of_freedom: welch.degreesOfFreedom,
            p: welch.p,
            covers: 'run noise only',
          },
    runs_needed: runsNeeded ?? null,
    documented_rule: ruleJson(rule),
    mcnemar: exactJson(exact),
    improvement_delta: {
      ...encodeMeasurement(improvement.delta),
      meaning: improvement.meaning ?? null,
      confidence: improvement.confidence ?? null,
      documented_rule: ruleJson(improvement.rule),
    },
    secondary: comparison.secondary.map(changeJson),
    errors: comparison.errors.map(({ foundBefore, foundAfter, ...error }) => ({
      ...error,
      found_before: foundBefore,
      found_after: foundAfter,
    })),
    confounders: comparison.confounders.map((one) => ({ ...one })),
    claims: comparison.claims.map((one) => ({ ...one })),
    mappings: [...mappings],
    notes: [...notes],
  };
}

function changeJson({ key, before, after, difference, p, adjustedP }: MetricChange): Wire['primary'] {
  return {
    metric: key,
    baseline: encodeMeasurement(before),
    candidate: encodeMeasurement(after),
    difference: difference ?? null,
    p: p ?? null,
    p_holm: adjustedP,
  };
}

function pairedJson(paired: WorkflowComparison['paired']): Wire['paired'] {
  if (paired === undefined) return null;
  const { power, difference, low, high, standardError, ...rest } = paired;
  return {
    ...rest,
    difference: encodeMeasurement({
      measured: true,
      value: difference,
      n: paired.units,
      ...(low !== undefined && high !== undefined && { low, high }),
    }),
    standard_error: standardError ?? null,
    covers: 'choice of errors and run noise',
    power: {
      detectable: power.detectable ?? null,
      errors_for_this: power.errorsForThis ?? null,
      errors_for_20: power.errorsFor20 ?? null,
    },
  };
}

function exactJson(exact: ExactTest | undefined): Wire['mcnemar'] {
  if (exact === undefined) return null;
  const { onlyBefore, onlyAfter, p, before, after } = exact;
  const ends = (interval: typeof before) =>
    interval === undefined ? null : { low: interval.low, high: interval.high };
  return { only_before: onlyBefore, only_after: onlyAfter, p, before: ends(before), after: ends(after) };
}

function ruleJson(rule: DocumentedRule): Wire['documented_rule'] {
  if (!rule.measured) return { significant: null, reason: rule.reason };
  const { difference, pooledSd, threshold, significant, falseAlarm, runs } = rule;
  return { significant, difference, pooled_sd: pooledSd, threshold, false_alarm_rate: falseAlarm, runs };
}
