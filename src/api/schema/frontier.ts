import { z } from 'zod';
import { head, measurement } from './parts.ts';
import { taskType } from './task-type.ts';

const costAndQuality = {
  q: measurement.describe('Mean over the sessions with a Q'),
  cost_usd: measurement.describe('Mean over those whose cost is known too'),
};

const point = z.strictObject({
  key: z.string().describe('The model or agent'),
  ...costAndQuality,
  place: z.enum(['frontier', 'below', 'unclear']),
  beaten_by: z.string().nullable().describe('The best point that costs no more'),
});

const side = z.strictObject({
  key: z.string(),
  ...costAndQuality,
  point_usd: measurement.describe('Dollars for a point of Q, a hundredth'),
});

const comparison = z.strictObject({
  dearer: side,
  cheaper: side,
  cost_ratio: z.number().nullable().describe('`null`: the cheaper one is free'),
  quality: measurement.describe('Mean Q of the dearer − mean Q of the cheaper'),
  margin: measurement.describe('Q of the dearer − cost ratio × Q of the cheaper'),
  out_of_reach: z.boolean().describe('`true`: the documented criterion asks for more than a Q of 1'),
  further_point_usd: measurement.describe('Dollars for each point that the dearer one has more'),
  cost_usd_is_lower_bound: z.boolean().describe('`true`: the costs of a side are at least these'),
  verdict: z.enum(['worth it', 'not worth it', 'too few to tell']),
  because: z.string(),
  needed_per_model: z.number().nullable().describe('Sessions of each that would tell'),
});

/** What nothing beats for less, per task type, and whether the dearer of two neighbours is worth it. */
export const frontier = z.strictObject({
  ...head('assay-frontier'),
  by: z.enum(['model', 'agent']),
  task_types: z.array(
    z.strictObject({ task_type: taskType, points: z.array(point), comparisons: z.array(comparison) }),
  ),
});
