import { z } from 'zod';
import { head, measurement } from './parts.ts';
import { taskType } from './task-type.ts';

/** What was learnt of kinds of work from labels, held against the rules on sources it had not seen. */
export const sessionIntents = z.strictObject({
  ...head('assay-session-intents-training'),
  name: z.string(),
  verdict: z.enum(['take the model', 'keep the rules', 'too few to tell']),
  labels: z.number(),
  sessions: z.number(),
  sources: z.number(),
  rules: measurement.describe('Share of the labels that the rules find'),
  model: measurement.describe(
    'Share of the labels that what was learnt finds, with the rules where it is not sure',
  ),
  sure: z.number().nullable().describe('How often it is sure'),
  p: z.number().describe('That the two are alike (exact test of McNemar)'),
  confusion: z.array(z.strictObject({ given: taskType, found: taskType, n: z.number() })),
  out: z.string().nullable().describe('The file that took it'),
});
