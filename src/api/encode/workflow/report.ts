/** A report as machines read it: `null` for what was not measured, and the reason beside it. */
import type { z } from 'zod';
import type { Measurement } from '../../../measure/metric.ts';
import type { WorkflowComparison } from '../../../workflow/compare/measure-sides.ts';
import type { Mapping } from '../../../workflow/ingest/mapping.ts';
import type { ConcernRow } from '../../../workflow/reports/error-matrix.ts';
import type { ExperimentRow, MeanAndSd } from '../../../workflow/reports/experiments.ts';
import type { Fix, Report } from '../../../workflow/reports/report.ts';
import type { workflowReport } from '../../schema/workflow/report.ts';
import { encodeMeasurement } from '../measurement.ts';
import { encodeCategories, encodeCell } from './heatmap.ts';
import { encodeScore } from './score.ts';

type Wire = z.infer<typeof workflowReport>;

export function encodeReport({
  name,
  report,
  mappings,
  notes,
}: {
  readonly name: string;
  readonly report: Report;
  readonly mappings: readonly Mapping[];
  readonly notes: readonly string[];
}): Wire {
  const { baseline, experiments, comparisons, heatmap, errors, concerns, fixes, claims } = report;
  return {
    format: 'assay-workflow-report',
    version: 1,
    experiment: name,
    baseline,
    experiments: experiments.map(experimentJson),
    comparisons: comparisons.map(({ after, verdict, paired }) => ({
      workflow: after.name,
      verdict: verdict.verdict,
      because: verdict.because,
      dr_difference: encodeMeasurement(differenceOf(paired)),
      p: paired?.p ?? null,
    })),
    errors: errors.map(({ foundBy, arms, ...error }) => ({
      ...error,
      arms: arms.map(({ runs, ...arm }) => ({ ...arm, runs: runs.map((run) => ({ ...run })) })),
      found_by: [...foundBy],
    })),
    heatmap: encodeCategories(heatmap),
    concerns: concerns.map(concernJson),
    fix_next: fixes.map(fixJson),
    claims: claims.map((claim) => ({ ...claim })),
    scores: experiments.map(({ arm, summary }) => encodeScore(arm.truth, summary)),
    mappings: [...mappings],
    notes: [...notes],
  };
}

function differenceOf(paired: WorkflowComparison['paired']): Measurement {
  if (paired === undefined) return { measured: false, reason: 'no error that both sides could find' };
  const { difference, low, high, units } = paired;
  return {
    measured: true,
    value: difference,
    n: units,
    ...(low !== undefined && high !== undefined && { low, high }),
  };
}

function concernJson({ efficiency, low, ...concern }: ConcernRow): Wire['concerns'][number] {
  return {
    ...concern,
    ce: encodeMeasurement(efficiency),
    low_value: low,
  };
}

function fixJson(fix: Fix): Wire['fix_next'][number] {
  switch (fix.kind) {
    case 'category':
      return { ...fix, cells: fix.cells.map(encodeCell) };
    case 'concern':
      return { ...fix, concerns: fix.concerns.map(concernJson) };
    case 'never-found':
      return { ...fix, errors: fix.errors.map((error) => ({ ...error })) };
    default:
      return { ...fix };
  }
}

function experimentJson({ exp, arm, against, ...row }: ExperimentRow): Wire['experiments'][number] {
  const { dr, wds, te, precision, dq, oes } = row;
  return {
    exp,
    workflow: arm.workflow,
    task: arm.task,
    truth_hash: arm.truth.hash,
    runs: arm.runs.length,
    dr: spreadJson(dr),
    wds: spreadJson(wds),
    te: spreadJson(te),
    precision: spreadJson(precision),
    dq: spreadJson(dq),
    oes: spreadJson(oes),
    id: encodeMeasurement(against?.delta ?? { measured: false, reason: 'this is the baseline' }),
    significant: against?.rule.measured ? against.rule.significant : null,
    false_alarm_rate: against?.rule.measured ? against.rule.falseAlarm : null,
    verdict: against?.verdict?.verdict ?? null,
    ...(against?.rule.measured === false && { reason: against.rule.reason }),
  };
}

function spreadJson({ mean, sd }: MeanAndSd) {
  return { ...encodeMeasurement(mean), sd: encodeMeasurement(sd) };
}
