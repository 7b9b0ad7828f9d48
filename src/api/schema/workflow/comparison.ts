import { z } from 'zod';
import { measurement } from '../measurement.ts';
import { claim, reading } from './parts.ts';

const side = z.object({ workflow: z.string(), runs: z.number() });

const change = z.object({
  metric: z.string(),
  baseline: measurement,
  candidate: measurement,
  difference: z.number().nullable().describe('Candidate − baseline, in the unit of the metric'),
  p: z.number().nullable(),
  p_holm: z.number().optional().describe('Corrected for being one of many'),
});

const rule = z.object({
  significant: z.boolean().nullable(),
  reason: z.string().optional(),
  difference: z.number().optional(),
  pooled_sd: z.number().optional(),
  threshold: z.number().optional(),
  false_alarm_rate: z.number().optional(),
  runs: z.number().optional(),
});

const interval = z.object({ low: z.number(), high: z.number() });

/** `workflow compare --format json`. */
export const workflowComparison = z.object({
  format: z.literal('assay-workflow-comparison'),
  version: z.literal(1),
  baseline: side,
  candidate: side,
  verdict: z.enum([
    'improved',
    'worse',
    'improved on this error set only',
    'worse on this error set only',
    'mixed: loses critical errors',
    'within run noise',
    'too few to tell',
    'not comparable',
  ]),
  because: z.string(),
  by_severity: z.array(change).describe('Detection of critical, important and minor errors'),
  primary: change,
  left_out: z
    .array(z.object({ task: z.string(), before: z.number(), after: z.number() }))
    .describe('Tasks with too few runs on a side'),
  paired: z
    .object({
      before: z.number(),
      after: z.number(),
      difference: measurement.describe('In points: candidate − baseline; `n` counts the units'),
      p: z.number(),
      errors: z.number(),
      units: z.number(),
      by: z.enum(['task', 'document', 'error']).describe('What the units are'),
      clustered: z.boolean(),
      significant: z.boolean(),
      standard_error: z.number().nullable(),
      covers: z.literal('choice of errors and run noise').describe('What the interval covers'),
      power: z.object({
        detectable: z.number().nullable(),
        errors_for_this: z.number().nullable(),
        errors_for_20: z.number().nullable(),
      }),
    })
    .nullable()
    .describe('Over errors that both sides could find'),
  welch: z
    .object({
      difference: measurement.describe('In points; `n` counts the runs of both sides'),
      t: z.number(),
      degrees_of_freedom: z.number(),
      p: z.number(),
      covers: z.literal('run noise only').describe('What the interval covers'),
    })
    .nullable()
    .describe('Over the scores of runs'),
  runs_needed: z.number().nullable(),
  documented_rule: rule,
  mcnemar: z
    .object({
      only_before: z.number(),
      only_after: z.number(),
      p: z.number(),
      before: interval.nullable(),
      after: interval.nullable(),
    })
    .nullable(),
  improvement_delta: measurement.safeExtend({
    meaning: z.string().nullable(),
    confidence: z.string().nullable(),
    documented_rule: rule,
  }),
  secondary: z.array(change),
  errors: z.array(
    z.object({
      task: z.string(),
      id: z.string(),
      document: z.string().optional(),
      before: z.number(),
      after: z.number(),
      weight: z.number(),
      found_before: z.boolean(),
      found_after: z.boolean(),
    }),
  ),
  confounders: z.array(
    z.object({ name: z.string(), state: z.string(), before: z.string(), after: z.string() }),
  ),
  claims: z.array(claim),
  ...reading,
});
