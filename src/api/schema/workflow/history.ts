import { z } from 'zod';
import { measurement } from '../measurement.ts';

const trend = z.object({
  declines: z.number(),
  alert: z.boolean(),
  points: z.array(z.object({ run_id: z.string(), at: z.string(), value: z.number() })),
});

const series = z.object({
  workflow: z.string(),
  task: z.string(),
  truth_hash: z.string(),
  matcher_version: z.string(),
  scores: z.number(),
  earlier_series: z.number(),
  metrics: z.record(z.string(), trend),
});

/** `workflow history --format json`. */
export const workflowHistory = z.object({
  format: z.literal('assay-workflow-history'),
  version: z.literal(1),
  series: z.array(series),
});

/** One line of `--format jsonl`: a score, oldest first. */
export const historyRow = z.object({
  workflow: z.string(),
  task: z.string(),
  run_id: z.string(),
  at: z.string(),
  runs: z.number(),
  metrics: z.record(z.string(), measurement),
  truth_hash: z.string(),
  matcher_version: z.string(),
});
