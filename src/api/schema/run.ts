/** A run as it leaves the product, whichever instrument it is of and whichever door it leaves by. */
import { z } from 'zod';
import type { CaseChange } from '../../judge/case-changes.ts';
import type { Change, Comparison } from '../../judge/compare.ts';
import type { Paired } from '../../judge/paired.ts';
import type { JudgedCase, JudgedMetric, Verdict } from '../../judge/verdict.ts';
import { estimate, metricKey } from '../../measure/metric.ts';
import { from } from '../wire.ts';
import { byKey, judgedMeasurement, judgedMetrics, measurement } from './parts.ts';

export const gate = z.object({
  verdict: z.enum(['passed', 'blocked', 'inconclusive', 'could not run']),
  exit_code: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  reasons: z.array(z.string()),
  checks: z.array(
    z.object({
      id: z.string(),
      outcome: z.enum(['passed', 'warning', 'blocked', 'inconclusive']),
      reason: z.string(),
    }),
  ),
});

const paired = z.object({
  points: from(
    ({ points, cases, low, high }: Paired) => estimate(points, cases, { low, high }),
    measurement.describe('Percentage points, positive when better; `n` counts the cases'),
  ),
  p: z.number(),
  verdict: z.string(),
});

const change = z.object({
  size: z.enum(['improved', 'unchanged', 'small regression', 'regression', 'lost', 'not comparable']),
  points: z.number().nullable().describe('Percentage points, positive when better'),
  baseline: measurement,
  paired: paired.optional().describe('Over the cases that both runs measured'),
});

const changes = z.record(z.string(), change);

function changesByKey(all: Readonly<Record<string, Change>>) {
  return Object.fromEntries(Object.entries(all).map(([id, one]) => [metricKey(id), one]));
}

/** What a comparison adds: the recommended action, and the changes of each case. */
type Beside = { readonly action?: string; readonly caseChanges?: readonly CaseChange[] };

const metric = from((one: { readonly metric: string }) => metricKey(one.metric), z.string());

export const comparison = z.object({
  baseline: z.object({ id: from('runId', z.string()), at: z.string() }),
  differences: z.array(z.string()).describe('Why the two should not be compared; empty when all is well'),
  insisted: z.boolean(),
  action: z.string().optional(),
  metrics: from((one: Comparison) => changesByKey(one.changes), changes),
  cases: from(
    ({ caseChanges = [] }: Beside) => caseChanges,
    z.array(
      z.object({
        id: z.string(),
        metrics: from((one: CaseChange) => changesByKey(one.changes), changes),
      }),
    ),
  ),
  missing_cases: z.array(z.string()),
  approvals: z.array(z.object({ metric, reason: z.string(), who: z.string(), at: z.string() })),
});

const metrics = from(
  (one: { readonly metrics: readonly JudgedMetric[] }) => byKey(one.metrics),
  judgedMetrics,
);

export const caseResult = z.looseObject({
  id: z.string(),
  error: z
    .string()
    .optional()
    .describe('Why it, or a part of it, gave nothing to measure; that part counts as nothing found'),
  metrics,
  zone: judgedMeasurement.shape.zone,
  notes: z.array(z.string()),
});

const trend = z.object({
  metric,
  title: z.string(),
  unit: z.string(),
  points: z.array(z.object({ run_id: z.string(), at: z.string(), value: z.number() })),
  declines: z.number(),
  alert: z.boolean(),
});

const HEAD = { format: z.literal('assay-run'), version: z.literal(2) };

/** One run of an instrument: its measurements and its verdict with reasons. Instruments add fields of their own. */
export const run = z.looseObject({
  ...HEAD,
  run: from(
    ({ validity, instrument, subject }: Verdict) => ({ ...validity, instrument, subject }),
    z.looseObject({
      id: from('runId', z.string()),
      at: z.string(),
      instrument: z.string(),
      subject: z.string(),
      scorer: z.string().describe('Version of the code that measured'),
      standard: z
        .string()
        .optional()
        .describe('The standard it was held to: documented, or the name of one of your own'),
    }),
  ),
  suite: from(
    (verdict: Verdict) => verdict,
    z.looseObject({
      truth_hash: from(
        ({ validity }: Pick<Verdict, 'validity'>) => validity.truthHash,
        z.string().nullable().describe('Hash of the golden set or ground truth'),
      ),
      n_cases: from(({ cases }: { readonly cases: readonly JudgedCase[] }) => cases.length, z.number()),
      n_errored: from(
        ({ cases }: { readonly cases: readonly JudgedCase[] }) =>
          cases.filter(({ error }) => error !== undefined).length,
        z.number(),
      ),
      metrics,
    }),
  ),
  cases: z.array(caseResult),
  comparison: comparison.optional(),
  gate,
  trends: z.array(trend),
  notes: z.array(z.string()),
});
