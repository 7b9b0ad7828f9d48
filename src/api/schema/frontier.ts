import { z } from 'zod';
import { taskType } from './task-type.ts';

const sides = z.strictObject({ dearer: z.number(), cheaper: z.number() });

const difference = z.strictObject({
  value: z.number(),
  low: z.number().nullable(),
  high: z.number().nullable(),
});

const point = z.strictObject({
  key: z.string().describe('The model or agent'),
  n: z.number(),
  mean_q: z.number(),
  q_low: z.number().nullable(),
  q_high: z.number().nullable(),
  mean_cost_usd: z.number(),
  place: z.enum(['frontier', 'below', 'unclear']),
  beaten_by: z.string().nullable().describe('The best point that costs no more'),
});

const comparison = z.strictObject({
  dearer: z.string(),
  cheaper: z.string(),
  n: sides,
  mean_q: sides,
  mean_cost_usd: sides,
  cost_ratio: z.number().nullable().describe('`null`: the cheaper one is free'),
  quality: difference.describe('Mean Q of the dearer − mean Q of the cheaper'),
  margin: difference.nullable().describe('Q of the dearer − cost ratio × Q of the cheaper'),
  verdict: z.enum(['worth it', 'not worth it', 'too few to tell']),
  because: z.string(),
  needed_per_model: z.number().nullable().describe('Sessions of each that would tell'),
});

/** What nothing beats for less, per task type, and whether the dearer of two neighbours is worth it. */
export const frontier = z.strictObject({
  format: z.literal('assay-frontier'),
  version: z.literal(1),
  by: z.enum(['model', 'agent']),
  task_types: z.array(
    z.strictObject({ task_type: taskType, points: z.array(point), comparisons: z.array(comparison) }),
  ),
});
