/** A report as machines read it: `null` for what was not measured, and the reason beside it. */
import type { Measurement } from '../../measure/metric.ts';
import { scoreJson } from '../score-json.ts';
import { heatmapJson } from './category-heatmap.ts';
import type { ExperimentRow, Spread } from './experiments.ts';
import type { Report } from './report.ts';

export function reportJson(name: string, report: Report) {
  const { baseline, experiments, comparisons, heatmap, errors, concerns, fixes, claims } = report;
  return {
    experiment: name,
    baseline,
    experiments: experiments.map(experimentJson),
    comparisons: comparisons.map(({ after, verdict, paired }) => ({
      workflow: after.name,
      verdict: verdict.verdict,
      because: verdict.because,
      dr_difference: paired?.difference ?? null,
      low: paired?.low ?? null,
      high: paired?.high ?? null,
      p: paired?.p ?? null,
    })),
    errors: errors.map(({ foundBy, ...error }) => ({ ...error, found_by: foundBy })),
    heatmap: heatmapJson(heatmap),
    concerns: concerns.map(({ efficiency, low, ...concern }) => ({
      ...concern,
      ce: numberOf(efficiency),
      ...(!efficiency.measured && { reason: efficiency.reason }),
      low_value: low,
    })),
    fix_next: fixes,
    claims,
    scores: experiments.map(({ arm, summary }) => scoreJson(arm.truth, summary)),
  };
}

function experimentJson({ exp, arm, against, ...row }: ExperimentRow) {
  const { dr, wds, te, precision, dq, oes } = row;
  const spreads = Object.entries({ dr, wds, te, precision, dq, oes });
  return {
    exp,
    workflow: arm.workflow,
    task: arm.task,
    truth_hash: arm.truth.hash,
    runs: arm.runs.length,
    ...Object.fromEntries(spreads.map(([key, spread]) => [key, spreadJson(spread)])),
    id: against === undefined ? null : numberOf(against.delta),
    significant: against?.rule.measured ? against.rule.significant : null,
    false_alarm_rate: against?.rule.measured ? against.rule.falseAlarm : null,
    verdict: against?.verdict?.verdict ?? null,
    ...(against?.rule.measured === false && { reason: against.rule.reason }),
  };
}

function spreadJson({ mean, sd }: Spread) {
  return {
    mean: numberOf(mean),
    sd: numberOf(sd),
    ...(!mean.measured && { reason: mean.reason }),
  };
}

function numberOf(measurement: Measurement): number | null {
  return measurement.measured ? measurement.value : null;
}
