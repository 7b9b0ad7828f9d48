import { z } from 'zod';

const trend = z.object({
  declines: z.number(),
  alert: z.boolean(),
  points: z.array(z.object({ run_id: z.string(), at: z.string(), value: z.number() })),
});

/** `workflow history --format json`: one entry per series. */
export const workflowHistory = z.array(
  z.object({
    workflow: z.string(),
    task: z.string(),
    truth_hash: z.string(),
    matcher_version: z.string(),
    scores: z.number(),
    earlier_series: z.number(),
    metrics: z.record(z.string(), trend),
  }),
);
