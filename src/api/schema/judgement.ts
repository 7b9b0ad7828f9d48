import { z } from 'zod';
import { head } from './parts.ts';
import { taskType } from './task-type.ts';

/** What a model says of sessions. */
export const sessionJudgements = z.strictObject({
  ...head('assay-session-judgements'),
  model: z.string(),
  address: z.string().nullable().describe('Where it was asked, when that is not the provider’s own'),
  author: z.string().describe('The name its ratings are kept under'),
  rubric: z.strictObject({ name: z.string(), sha256: z.string() }),
  sessions: z.number(),
  judged_before: z.number(),
  asked: z.number(),
  allowed: z.boolean().describe('False: nobody agreed to send anything'),
  sessions_cost_usd: z.number().nullable(),
  ceiling_usd: z.number().nullable(),
  spent_usd: z.number().nullable().describe('Null where the price of the model is not known'),
  judged: z.array(
    z.strictObject({
      session_id: z.string(),
      task_type: taskType,
      q: z.number().nullable(),
      tier: z.string().nullable(),
      judge_rating: z.number().nullable().describe('1 to 5; null when the model could not tell'),
      judge_reason: z.string(),
      cost_usd: z.number().nullable(),
    }),
  ),
  not_judged: z.array(z.strictObject({ session_id: z.string(), why: z.string() })),
  warnings: z.array(z.string()),
});
