import { z } from 'zod';
import { head, measurement } from './parts.ts';
import { taskType } from './task-type.ts';

const shrinkage = z.number().nullable().describe('`null`: the documented weights were kept');

const scoreComparison = z.strictObject({
  figures: z.array(
    z.strictObject({
      scope: z.string(),
      metric: z.enum(['pearson', 'auc']),
      documented: measurement,
      calibrated: measurement,
    }),
  ),
  gain: measurement.describe('Calibrated − documented, on the leading figure'),
  sources_gained: z.number(),
  sources_measured: z.number(),
});

const categoryWeights = z.strictObject({
  completion: z.number(),
  execution: z.number(),
  efficiency: z.number(),
  outcome: z.number(),
});

/** Weights fitted to ratings or outcomes, and what they gain on sessions they have not seen. */
export const calibration = z.strictObject({
  ...head('assay-calibration'),
  kind: z.enum(['ratings', 'outcomes']),
  sessions: z.number(),
  sources: z.number(),
  without_q: z.number(),
  weights: z.strictObject({
    name: z.string(),
    profiles: z.record(taskType, categoryWeights),
    signals: z.record(z.string(), z.number()).optional(),
  }),
  types: z.array(z.strictObject({ task_type: taskType, n: z.number(), fitted: z.boolean() })),
  shrinkage,
  method: z.string(),
  folds: z.array(z.strictObject({ name: z.string(), n: z.number(), shrinkage })),
  in_sample: scoreComparison,
  out_of_fold: scoreComparison,
  verdict: z.strictObject({
    verdict: z.enum(['gained', 'no gain', 'too few to tell']),
    gained: z.boolean(),
    because: z.string(),
  }),
  scorer_version: z.string(),
  out: z.string().nullable().describe('The file that took the weights'),
});
