/** Rows of the lists about sessions: each is one object of `--format jsonl`, and `--format json` is an array of them. */
import { z } from 'zod';
import { taskType } from './task-type.ts';

export const lowSession = z.strictObject({
  session_id: z.string(),
  task_type: taskType,
  q: z.number(),
  cost_usd: z.number().nullable().describe('`null` where it is not known'),
  why: z.string().describe('What took most of the score away'),
});

/** Beside these it has the value it is grouped by: `model`, `agent`, `task_type` or `day`. */
export const roiRow = z.strictObject({
  task_type: z.string(),
  model: z.string().optional(),
  agent: z.string().optional(),
  day: z.string().optional(),
  sessions: z.number().describe('Sessions with a Q'),
  mean_q: z.number(),
  q_low: z.number().nullable().describe('Lower end of the 95% interval of the mean; it needs five sessions'),
  q_high: z.number().nullable(),
  mean_cost_usd: z.number().nullable(),
  total_cost_usd: z.number().nullable(),
  roi: z
    .union([z.number(), z.literal('free')])
    .nullable()
    .describe('Mean Q / mean cost of the priced sessions'),
});

export const sourceRow = z.strictObject({
  agent: z.string(),
  place: z.string(),
  files: z.number().nullable().describe('`null`: the place does not exist'),
});

export const skippedRow = z.strictObject({
  path: z.string(),
  reason: z.string(),
  count: z.number(),
  line: z.number().nullable().describe('The first of them, where lines are counted'),
});

export const baselineRow = z.strictObject({
  task_type: taskType,
  token_ratio: z.number().describe('Output / all input tokens'),
  turns: z.number(),
  idle_cost_usd: z.number(),
});

export const fittedRow = z.strictObject({
  task_type: taskType,
  figure: z.enum(['token_ratio', 'turns', 'idle_cost_usd']),
  value: z.number(),
  runs: z.number().describe('Agent runs that the figure could rest on'),
  fitted: z.boolean().describe('`false`: too few runs, the figure of the former set was kept'),
});
