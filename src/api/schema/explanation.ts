import { z } from 'zod';
import type { ScoredSignal } from '../../session/score.ts';
import type { ScoredSession } from '../../session/score-session.ts';
import { from } from '../wire.ts';
import { head } from './parts.ts';
import { receipts } from './session-list.ts';
import { taskType } from './task-type.ts';
import { verified } from './verified.ts';

const usage = z.strictObject({
  input: z.number(),
  output: z.number(),
  cache_read: z.number(),
  cache_write: z.number(),
});

const signal = z.strictObject({
  id: z.string(),
  value: from(
    ({ reading }: ScoredSignal) => (reading.measured ? reading.value : undefined),
    z.number().nullable(),
  ),
  reason: from(
    ({ reading }: ScoredSignal) => (reading.measured ? undefined : reading.reason),
    z.string().optional().describe('Why there is no value'),
  ),
  because: from(
    ({ reading }: ScoredSignal) => (reading.measured ? reading.because : undefined),
    z.string().optional().describe('What was seen'),
  ),
  lines: from(
    ({ reading }: ScoredSignal) => (reading.measured ? reading.lines : []),
    z.array(z.number()).describe('The lines that showed it, the first few of them'),
  ),
  weight: z.number().describe('Share of Q in this run, after redistribution'),
  cost: z.number().describe('How much of Q it took away'),
});

const category = z.strictObject({
  value: z.number().nullable(),
  coverage: z.number().describe('Share of the weight of its signals that was measured'),
  weight: z.number(),
  contribution: z.number().describe('Weight × value'),
  signals: z.array(signal),
});

const agentRun = z.strictObject({
  q: z.number().nullable(),
  tier: z.string().nullable(),
  verified,
  task_type: taskType,
  task_type_reason: z.string(),
  special_case: z.string().nullable(),
  special_case_reason: z.string().optional(),
  coverage: z.number(),
  low_confidence: z.boolean(),
  categories: z.strictObject({
    completion: category,
    execution: category,
    efficiency: category,
    outcome: category,
  }),
  cost: z.strictObject({
    cost_usd: z.number().nullable(),
    from: z.string().optional().describe('`stated` by the transcript, `priced` by Assay, or both'),
    reason: z.string().optional().describe('Why there is no cost'),
  }),
  usage: usage.nullable(),
});

const moment = z.strictObject({
  line: z.number(),
  what: z.enum(['user', 'reply', 'result']),
  q: z.number().describe('Had the session ended here'),
});
const quote = z.strictObject({
  line: z.number(),
  who: z.enum(['person', 'agent', 'call', 'result']),
  text: z.string(),
});

type Explained = { readonly session: ScoredSession };

/** Why a session got its score: each signal of each run, its cost and its lines. */
export const explanation = z.strictObject({
  ...head('assay-explanation'),
  session_id: from('session.sessionId', z.string()),
  headline: z.string().describe('What a reader should know of it first'),
  receipts,
  parent_session_id: from('session.parentSessionId', z.string().nullable()),
  source: from('session.source', z.string()),
  agent: from('session.agent', z.string().nullable()),
  path: from('file.path', z.string().describe('The file whose lines are meant')),
  task_type: from('session.taskType', taskType),
  task_type_reason: from('session.taskTypeReason', z.string()),
  model: from('session.model', z.string().nullable()),
  models: from('session.models', z.array(z.string())),
  started_at: from('session.startedAt', z.iso.datetime().nullable()),
  ended_at: from('session.endedAt', z.iso.datetime().nullable()),
  q: from('session.q', z.number().nullable()),
  tier: from('session.tier', z.string().nullable()),
  verified: from('session.verified', verified),
  verify_result: from(
    'session.verification.result',
    z.string().nullable().describe("What the project's own check said (`sessions verify`)"),
  ),
  success: from(
    'chance',
    z
      .strictObject({
        p: z.number(),
        low: z.number().describe('Lower end of the 95% interval'),
        high: z.number(),
        n: z.number().describe('Known outcomes that it rests on'),
        of_task: z.number().describe('Of these, outcomes of the same task'),
      })
      .nullable()
      .describe('How likely it succeeded; null while fewer than ten outcomes are known. No part of Q'),
  ),
  known_outcomes: z.number().describe('Sessions whose outcome is known'),
  special_case: from('session.specialCase', z.string().nullable()),
  coverage: from('session.coverage', z.number()),
  low_confidence: from('session.lowConfidence', z.boolean()),
  categories: from(
    'session.categories',
    z.strictObject({
      completion: z.number().nullable(),
      execution: z.number().nullable(),
      efficiency: z.number().nullable(),
      outcome: z.number().nullable(),
    }),
  ),
  usage: from('session.usage', usage.nullable()),
  turns: from('session.turns', z.number()),
  tool_calls: from('session.toolCalls', z.number()),
  tool_errors: from('session.toolErrors', z.number()),
  compactions: from('session.compactions', z.number()),
  cost_usd: from('session.costUsd', z.number().nullable()),
  cost_reason: from('session.costReason', z.string().optional().describe('Why there is no cost')),
  roi: from(
    ({ session: { roi } }: Explained) => (roi.measured ? roi.value : roi.free ? 'free' : undefined),
    z.union([z.number(), z.literal('free')]).nullable(),
  ),
  roi_reason: from(
    ({ session: { roi } }: Explained) => (roi.measured ? undefined : roi.reason),
    z.string().optional().describe('Why it is no number'),
  ),
  delegation: from(
    'session.delegation',
    z.strictObject({
      spawned: z.number(),
      completed: z.number(),
      failed: z.number(),
      value: z.number().nullable(),
    }),
  ),
  runs: from('session.runs', z.array(agentRun)),
  weighted_by: from('session.weightedBy', z.enum(['cost', 'turns', 'runs'])),
  runs_left_out: from('session.runsLeftOut', z.number().describe('Heartbeats beside other work')),
  weights: from('session.weights', z.string()),
  baseline_set: from('session.baselineSet', z.string()),
  prices: from('session.prices', z.string()),
  scorer_version: from('session.scorerVersion', z.string()),
  judge_rating: from(
    'session.opinion.rating',
    z.number().nullable().describe('What a model said last, 1 to 5; no part of Q'),
  ),
  judged_by: from(
    'session.opinion.author',
    z.string().nullable().describe('The model, its rubric and the beginning of its hash'),
  ),
  moments: z.array(moment).optional().describe('With `--per-message`'),
  quotes: z.array(quote).optional().describe('With `--show`: what the lines say, read for this answer'),
});
