import { z } from 'zod';
import type { SessionJudgements } from '../../session/results.ts';
import { from } from '../wire.ts';
import { head } from './parts.ts';
import { taskType } from './task-type.ts';

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
  allowed: z.boolean().describe('False: nobody agreed to send anything'),
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
  warnings: from(({ warnings = [] }: Pick<SessionJudgements, 'warnings'>) => warnings, z.array(z.string())),
});
