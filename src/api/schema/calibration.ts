import { z } from 'zod';
import { estimate, unmeasured } from '../../measure/metric.ts';
import type { CalibrationResult } from '../../session/results.ts';
import { from } from '../wire.ts';
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

type Calibrated = { readonly calibration: CalibrationResult['calibration'] };

function compared(comparison: 'inSample' | 'outOfFold') {
  return ({ calibration: { sessions, ...own } }: Calibrated) => {
    const { gain } = own[comparison];
    return {
      ...own[comparison],
      gain:
        gain === undefined
          ? unmeasured('too few labelled sessions to measure both scores')
          : estimate(gain.value, sessions, gain.interval),
    };
  };
}

/** Weights fitted to ratings or outcomes, and what they gain on sessions they have not seen. */
export const calibration = z.strictObject({
  ...head('assay-calibration'),
  kind: from('calibration.kind', z.enum(['ratings', 'outcomes'])),
  sessions: from('calibration.sessions', z.number()),
  sources: from('calibration.sources', z.number()),
  without_q: from('calibration.withoutQ', z.number()),
  weights: from(
    'calibration.weights',
    z.strictObject({
      name: z.string(),
      profiles: z.record(taskType, categoryWeights),
      signals: z.record(z.string(), z.number()).optional(),
    }),
  ),
  types: from(
    'calibration.types',
    z.array(z.strictObject({ task_type: taskType, n: z.number(), fitted: z.boolean() })),
  ),
  shrinkage: from('calibration.shrinkage', shrinkage),
  method: from('calibration.method', z.string()),
  folds: from('calibration.folds', z.array(z.strictObject({ name: z.string(), n: z.number(), shrinkage }))),
  in_sample: from(compared('inSample'), scoreComparison),
  out_of_fold: from(compared('outOfFold'), scoreComparison),
  verdict: from(
    'calibration.verdict',
    z.strictObject({
      verdict: z.enum(['gained', 'no gain', 'too few to tell']),
      gained: z.boolean(),
      because: z.string(),
    }),
  ),
  scorer_version: from('calibration.scorerVersion', z.string()),
  out: z.string().nullable().describe('The file that took the weights'),
});
