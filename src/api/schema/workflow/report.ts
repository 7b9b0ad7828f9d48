import { z } from 'zod';
import { categories, categoryCell } from './heatmap.ts';
import { claim, reading, severity } from './parts.ts';
import { reviewScore } from './score.ts';

const spread = z.object({
  mean: z.number().nullable(),
  sd: z.number().nullable(),
  reason: z.string().optional(),
});

const concern = z.object({
  workflow: z.string(),
  id: z.string(),
  layer: z.string(),
  points: z.number(),
  methods: z.number(),
  runs: z.number(),
  ce: z.number().nullable(),
  reason: z.string().optional(),
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
  z.object({ workflow, kind: z.literal('concern'), concerns: z.array(concern) }),
  z.object({ workflow, kind: z.literal('unresolved'), findings: z.number(), disputed: z.number() }),
  z.object({ workflow, kind: z.literal('truth'), discovery: z.number() }),
]);

/** `workflow report --format json`. */
export const workflowReport = z.object({
  format: z.literal('assay-workflow-report'),
  version: z.literal(1),
  experiment: z.string(),
  baseline: z.string(),
  experiments: z.array(
    z.object({
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
      id: z.number().nullable().describe('Improvement delta against the baseline'),
      significant: z.boolean().nullable(),
      false_alarm_rate: z.number().nullable(),
      verdict: z.string().nullable(),
      reason: z.string().optional(),
    }),
  ),
  comparisons: z.array(
    z.object({
      workflow,
      verdict: z.string(),
      because: z.string(),
      dr_difference: z.number().nullable(),
      low: z.number().nullable(),
      high: z.number().nullable(),
      p: z.number().nullable(),
    }),
  ),
  errors: z.array(
    z.object({
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
    }),
  ),
  heatmap: categories,
  concerns: z.array(concern),
  fix_next: z.array(fix),
  claims: z.array(claim),
  scores: z.array(reviewScore),
  ...reading,
});
