import { z } from 'zod';
import { head } from './parts.ts';
import { taskType } from './task-type.ts';

const usage = z.strictObject({
  input: z.number(),
  output: z.number(),
  cache_read: z.number(),
  cache_write: z.number(),
});

const signal = z.strictObject({
  id: z.string(),
  value: z.number().nullable(),
  reason: z.string().optional().describe('Why there is no value'),
  because: z.string().optional().describe('What was seen'),
  lines: z.array(z.number()).describe('The lines that showed it, the first few of them'),
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

/** Why a session scored as it did: each signal of each of its agent runs, what it cost and the lines behind it. */
export const explanation = z.strictObject({
  ...head('assay-explanation'),
  session_id: z.string(),
  parent_session_id: z.string().nullable(),
  source: z.string(),
  agent: z.string().nullable(),
  path: z.string().describe('The file whose lines are meant'),
  task_type: taskType,
  task_type_reason: z.string(),
  model: z.string().nullable(),
  models: z.array(z.string()),
  started_at: z.iso.datetime().nullable(),
  ended_at: z.iso.datetime().nullable(),
  q: z.number().nullable(),
  tier: z.string().nullable(),
  special_case: z.string().nullable(),
  coverage: z.number(),
  low_confidence: z.boolean(),
  categories: z.strictObject({
    completion: z.number().nullable(),
    execution: z.number().nullable(),
    efficiency: z.number().nullable(),
    outcome: z.number().nullable(),
  }),
  usage: usage.nullable(),
  turns: z.number(),
  tool_calls: z.number(),
  tool_errors: z.number(),
  compactions: z.number(),
  cost_usd: z.number().nullable(),
  cost_reason: z.string().optional().describe('Why there is no cost'),
  roi: z.union([z.number(), z.literal('free')]).nullable(),
  roi_reason: z.string().optional().describe('Why it is no number'),
  delegation: z.strictObject({
    spawned: z.number(),
    completed: z.number(),
    failed: z.number(),
    value: z.number().nullable(),
  }),
  runs: z.array(agentRun),
  weighted_by: z.enum(['cost', 'turns', 'runs']),
  runs_left_out: z.number().describe('Heartbeats beside other work'),
  weights: z.string(),
  baseline_set: z.string(),
  prices: z.string(),
  scorer_version: z.string(),
  judge_rating: z.number().nullable().describe('What a model said last, 1 to 5; no part of Q'),
  judged_by: z.string().nullable().describe('The model, its rubric and the beginning of its hash'),
  moments: z.array(moment).optional().describe('With `--per-message`'),
  quotes: z.array(quote).optional().describe('With `--show`: what the lines say, read for this answer'),
});
