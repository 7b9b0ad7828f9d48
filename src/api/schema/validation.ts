import { z } from 'zod';
import { measurement } from './measurement.ts';
import { taskType } from './task-type.ts';

const skipped = z.record(z.string(), z.number()).describe('Left out: reason → how many');

const ratingValidation = z.strictObject({
  format: z.literal('assay-validation'),
  version: z.literal(1),
  against: z.literal('ratings'),
  sessions: z.number().describe('With a Q and at least one rating'),
  ratings: z.number(),
  skipped,
  target: z.number(),
  pearson: measurement,
  spearman: measurement,
  per_type: z.array(
    z.strictObject({ task_type: taskType, n: z.number(), pearson: measurement, spearman: measurement }),
  ),
  verdict: z.strictObject({
    verdict: z.enum(['meets the target', 'does not meet it', 'too few to tell']),
    because: z.string(),
    needed: z.number().nullable().describe('Rated sessions that would decide it'),
  }),
  bias: z.array(
    z.strictObject({
      task_type: taskType,
      n: z.number(),
      value: z.number(),
      low: z.number().nullable(),
      high: z.number().nullable(),
      p: z.number().nullable(),
      verdict: z.enum(['overvalued', 'undervalued', 'no bias shown', 'too few to tell']),
      because: z.string(),
    }),
  ),
  raters: measurement.describe('Agreement between raters of the same sessions'),
});

const outcomeValidation = z.strictObject({
  format: z.literal('assay-validation'),
  version: z.literal(1),
  against: z.literal('outcomes'),
  sessions: z.number(),
  successes: z.number(),
  skipped,
  auc: measurement,
  per_type: z.array(z.strictObject({ task_type: taskType, auc: measurement })),
  per_source: z.array(z.strictObject({ source: z.string(), auc: measurement })),
  brier: measurement,
  reliability: z.array(
    z.strictObject({
      low: z.number(),
      high: z.number(),
      mean_predicted: z.number(),
      observed: z.number(),
      observed_low: z.number(),
      observed_high: z.number(),
      n: z.number(),
    }),
  ),
});

/** Q held against what people or the world say of sessions. */
export const validation = z.discriminatedUnion('against', [ratingValidation, outcomeValidation]);
