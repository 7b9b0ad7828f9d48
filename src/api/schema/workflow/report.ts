import { z } from 'zod';
import { measurement } from '../measurement.ts';
import { categories, categoryCell } from './heatmap.ts';
import { claim, reading, severity } from './parts.ts';
import { reviewScore } from './score.ts';

const spread = measurement.safeExtend({ sd: measurement.describe('Between runs') });

export const concernRow = z.object({
  workflow: z.string(),
  id: z.string(),
  layer: z.string(),
  points: z.number(),
  methods: z.number(),
  runs: z.number(),
  ce: measurement,
  low_value: z.boolean(),
});

const workflow = z.string();

const fix = z.discriminatedUnion('kind', [
  z.object({ workflow, kind: z.literal('category'), cells: z.array(categoryCell) }),
  z.object({
    workflow,
    kind: z.literal('never-found'),
    errors: z.array(z.object({ task: z.string(), id: z.string(), severity })),
  }),
  z.object({ workflow, kind: z.literal('concern'), concerns: z.array(concernRow) }),
  z.object({ workflow, kind: z.literal('unresolved'), findings: z.number(), disputed: z.number() }),
  z.object({ workflow, kind: z.literal('truth'), discovery: z.number() }),
]);

export const experimentRow = z.object({
  exp: z.string(),
  workflow,
  task: z.string(),
  truth_hash: z.string(),
  runs: z.number(),
  dr: spread,
  wds: spread,
  te: spread,
  precision: spread,
  dq: spread,
  oes: spread,
  id: measurement.describe('Improvement delta against the baseline'),
  significant: z.boolean().nullable(),
  false_alarm_rate: z.number().nullable(),
  verdict: z.string().nullable(),
  reason: z.string().optional().describe('Why nothing is said about significance'),
});

export const errorRow = z.object({
  task: z.string(),
  id: z.string(),
  severity,
  category: z.string(),
  description: z.string(),
  often: z.enum(['never', 'sometimes', 'always']),
  arms: z.array(
    z.object({
      workflow,
      runs: z.array(z.object({ run: z.string(), credit: z.number(), finding: z.string().optional() })),
      found: z.number(),
      credit: z.number(),
    }),
  ),
  found_by: z.array(z.string()),
});

/** `workflow report --format json`. */
export const workflowReport = z.object({
  format: z.literal('assay-workflow-report'),
  version: z.literal(1),
  experiment: z.string(),
  baseline: z.string(),
  experiments: z.array(experimentRow),
  comparisons: z.array(
    z.object({
      workflow,
      verdict: z.string(),
      because: z.string(),
      dr_difference: measurement,
      p: z.number().nullable(),
    }),
  ),
  errors: z.array(errorRow),
  heatmap: categories,
  concerns: z.array(concernRow),
  fix_next: z.array(fix),
  claims: z.array(claim),
  scores: z.array(reviewScore),
  ...reading,
});
