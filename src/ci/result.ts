/** A result as a step before wrote it (JSON of a run), and the verdict in it, from which every report is made. */
import type { z } from 'zod';
import { run } from '../api/schema/run.ts';
import { workflowComparison } from '../api/schema/workflow.ts';
import { AssayError } from '../errors.ts';
import { readJson } from '../files.ts';
import type { JudgedCase, JudgedMetric, Verdict } from '../judge/verdict.ts';
import { CATALOG } from '../measure/catalog.ts';
import { estimate, type Measurement, metricKey, unmeasured } from '../measure/metric.ts';

export type CiResult = z.infer<typeof run>;
type WireMetrics = CiResult['suite']['metrics'];
type WireMeasurement = WireMetrics[string];

export type CiComparison = z.infer<typeof workflowComparison>;

/** Of a run, or of two workflows that were compared. */
export function readResult(path: string): CiResult | CiComparison {
  const value = readJson(path);
  const isComparison = isRecord(value) && value.format === 'assay-workflow-comparison';
  const parsed = (isComparison ? workflowComparison : run).safeParse(value);
  if (parsed.success) return parsed.data as CiResult | CiComparison;
  throw new AssayError('INPUT_INVALID', `${path} is not the JSON of a run or of a comparison`, {
    cause: parsed.error,
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

export function isComparison(result: CiResult | CiComparison): result is CiComparison {
  return result.format === 'assay-workflow-comparison';
}

/** Of a comparison only the gate is a verdict: its metrics belong to two sides. */
export function comparisonVerdict({ baseline, candidate, gate, notes }: CiComparison, now: Date): Verdict {
  const { exit_code: exitCode, ...judged } = gate;
  return {
    instrument: 'workflow',
    subject: `${baseline.workflow} → ${candidate.workflow}`,
    validity: { runId: '', at: now.toISOString(), scorer: '', cases: 0, skipped: {} },
    metrics: [],
    cases: [],
    trends: [],
    gate: { ...judged, exitCode },
    notes,
  };
}

/** Without what only the instrument knows, such as the baseline. */
export function verdictOf({ run: of, suite, cases, gate, notes }: CiResult): Verdict {
  const { exit_code: exitCode, ...judged } = gate;
  return {
    instrument: of.instrument,
    subject: of.subject,
    validity: {
      runId: of.id,
      at: of.at,
      scorer: of.scorer,
      ...(suite.truth_hash !== null && { truthHash: suite.truth_hash }),
      cases: suite.n_cases - suite.n_errored,
      skipped: suite.n_errored === 0 ? {} : { 'could not be read': suite.n_errored },
    },
    metrics: metricsOf(of.instrument, suite.metrics),
    cases: cases.map((one) => caseOf(of.instrument, one)),
    trends: [],
    gate: { ...judged, exitCode },
    notes,
  };
}

function caseOf(instrument: string, one: CiResult['cases'][number]): JudgedCase {
  return {
    id: one.id,
    metrics: metricsOf(instrument, one.metrics),
    notes: one.notes,
    ...(one.zone !== null && { zone: one.zone }),
    ...(one.failed === true && { failed: true as const }),
    ...(one.error !== undefined && { error: one.error }),
  };
}

/** Names and units come from the catalogue; an unknown metric is shown by its key. */
function metricsOf(instrument: string, metrics: WireMetrics): JudgedMetric[] {
  return Object.entries(metrics).map(([key, measured]) => {
    const known = CATALOG.find(({ id }) => id.startsWith(`${instrument}/`) && metricKey(id) === key);
    const { id = key, title = key, unit = 'score', better = 'higher' } = known ?? {};
    const { zone } = measured;
    return { id, title, unit, better, measurement: measurementOf(measured), ...(zone !== null && { zone }) };
  });
}

function measurementOf({ value, low, high, n, micro, reason }: WireMeasurement): Measurement {
  if (value === null) return unmeasured(reason ?? 'not measured');
  return estimate(value, n, {
    ...(low !== null && high !== null && { low, high }),
    ...(micro !== null && { pooled: micro }),
  });
}
