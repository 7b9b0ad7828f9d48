import { z } from 'zod';

const point = z.object({
  at: z.string(),
  value: z.number(),
  run_id: z.string().optional(),
  week: z.string().optional().describe('ISO week; then the value is the mean of its runs'),
  runs: z.number().optional(),
});

/** How the metrics of the gate moved. */
export const decompositionTrend = z.object({
  format: z.literal('assay-decomposition-trend'),
  version: z.literal(1),
  weekly: z.boolean(),
  series: z.array(
    z.object({
      subject: z.string(),
      extractor: z.string(),
      prompt: z.string().nullable(),
      truth_hash: z.string().nullable(),
      scorer: z.string(),
      n_runs: z.number(),
      metrics: z.record(
        z.string(),
        z.object({ declines: z.number(), alert: z.boolean(), points: z.array(point) }),
      ),
    }),
  ),
});

/** A line of `--format jsonl`: one run or week. */
export const decompositionTrendRow = z.object({
  subject: z.string(),
  at: z.string().describe('When it was measured, or the ISO week'),
  runs: z.number(),
  metrics: z.record(z.string(), z.number()),
});
