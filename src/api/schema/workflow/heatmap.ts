import { z } from 'zod';
import { measurement } from '../measurement.ts';
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
      cc: measurement,
      cc_present: measurement,
      cells: z.array(categoryCell),
    }),
  ),
});

/** One line of `--format jsonl`: a category of a workflow. */
export const categoryRow = categoryCell.safeExtend({ workflow: z.string(), runs: z.number() });

/** `workflow heatmap --format json`. */
export const workflowHeatmap = categories.safeExtend({
  format: z.literal('assay-workflow-heatmap'),
  version: z.literal(1),
  ...reading,
});
