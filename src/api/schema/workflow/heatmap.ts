import { z } from 'zod';
import { reading } from './parts.ts';

export const categoryCell = z.object({
  category: z.string(),
  errors: z.number(),
  detected: z.number(),
  rate: z.number(),
  mark: z.enum(['✓', '~', '✗']),
  tasks: z.number(),
  few_errors: z.boolean(),
  blind_spot: z.enum(['yes', 'no', 'too few tasks']),
});

export const categories = z.object({
  categories: z.array(z.string()),
  legend: z.record(z.string(), z.string()),
  workflows: z.array(
    z.object({
      workflow: z.string(),
      tasks: z.number(),
      runs: z.number(),
      cc: z.number().nullable(),
      cc_present: z.number().nullable(),
      reason: z.string().optional(),
      cells: z.array(categoryCell),
    }),
  ),
});

/** `workflow heatmap --format json`. */
export const workflowHeatmap = categories.safeExtend({
  format: z.literal('assay-workflow-heatmap'),
  version: z.literal(1),
  ...reading,
});
