import { z } from 'zod';
import { estimate, unmeasured } from '../../measure/metric.ts';
import type { Hits } from '../../session/intents/fit-intents.ts';
import type { IntentTraining } from '../../session/results.ts';
import { from } from '../wire.ts';
import { head, measurement } from './parts.ts';
import { taskType } from './task-type.ts';

type Trained = Pick<IntentTraining, 'validation'>;

function shareOf({ n, share, interval }: Hits) {
  return n === 0 ? unmeasured('no labelled session was found') : estimate(share, n, interval);
}

/** What was learnt of kinds of work from labels, held against the rules on sources it had not seen. */
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
