import { z } from 'zod';
import { estimate, unmeasured } from '../../measure/metric.ts';
import type { WeightCalibration } from '../../session/calibration/calibrate.ts';
import type { Hits, IntentValidation } from '../../session/intents/fit-intents.ts';
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

type Calibrated = { readonly calibration: WeightCalibration };

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

type Trained = { readonly validation: IntentValidation };

function shareOf({ n, share, interval }: Hits) {
  return n === 0 ? unmeasured('no labelled session was found') : estimate(share, n, interval);
}

/** A model of task types learnt from labels, compared with the rules on sources it has not seen. */
export const sessionIntents = z.strictObject({
  ...head('assay-session-intents-training'),
  name: from('model.name', z.string()),
  verdict: from('validation.verdict', z.enum(['take the model', 'keep the rules', 'too few to tell'])),
  labels: z.number(),
  sessions: from('validation.n', z.number()),
  sources: from('validation.sources', z.number()),
  rules: from(
    ({ validation }: Trained) => shareOf(validation.rules),
    measurement.describe('Share of the labels that the rules find'),
  ),
  model: from(
    ({ validation }: Trained) => shareOf(validation.model),
    measurement.describe(
      'Share of the labels that what was learnt finds, with the rules where it is not sure',
    ),
  ),
  sure: from(
    ({ validation: { n, sure } }: Trained) => (n === 0 ? undefined : sure),
    z.number().nullable().describe('How often it is sure'),
  ),
  p: from('validation.p', z.number().describe('That the two are alike (exact test of McNemar)')),
  confusion: from(
    'validation.confusion',
    z.array(z.strictObject({ given: taskType, found: taskType, n: z.number() })),
  ),
  out: z.string().nullable().describe('The file that took it'),
});

/** What a model says of sessions. */
export const sessionJudgements = z.strictObject({
  ...head('assay-session-judgements'),
  model: from('plan.model', z.string()),
  address: from(
    'plan.address',
    z.string().nullable().describe('Where it was asked, when that is not the provider’s own'),
  ),
  author: from('plan.author', z.string().describe('The name its ratings are kept under')),
  rubric: from('plan.rubric', z.strictObject({ name: z.string(), sha256: z.string() })),
  sessions: from('plan.of', z.number()),
  judged_before: from('plan.known', z.number()),
  asked: from('plan.asked', z.number()),
  allowed: z.boolean().describe('False: sending was not allowed, so nothing was sent'),
  sessions_cost_usd: from('plan.costUsd', z.number().nullable()),
  ceiling_usd: from('plan.ceilingUsd', z.number().nullable()),
  spent_usd: z.number().nullable().describe('Null where the price of the model is not known'),
  judged: z.array(
    z.strictObject({
      session_id: z.string(),
      task_type: taskType,
      q: z.number().nullable(),
      tier: z.string().nullable(),
      judge_rating: from(
        'rating',
        z.number().nullable().describe('1 to 5; null when the model could not tell'),
      ),
      judge_reason: from('reason', z.string()),
      cost_usd: z.number().nullable(),
    }),
  ),
  not_judged: from('unjudged', z.array(z.strictObject({ session_id: z.string(), why: z.string() }))),
  warnings: from(
    ({ warnings = [] }: { readonly warnings?: readonly string[] }) => warnings,
    z.array(z.string()),
  ),
});
