import { z } from 'zod';
import { from } from '../wire.ts';
import { head, taskType } from './parts.ts';

/** One line of `sessions watch --format jsonl`, the body of a webhook, and the data of a server-sent event. */
export const sessionEvent = z.strictObject({
  ...head('assay-session-event'),
  event_id: z.string().describe('The same for the same event, however often it is told'),
  type: z
    .enum(['session.started', 'session.updated', 'session.scored'])
    .describe('`session.scored`: the session has ended, or had ended and is scored otherwise now'),
  at: z.iso.datetime(),
  session_key: z.string(),
  session_id: from('session.sessionId', z.string()),
  revision: z.string().describe('Of the stored row: the same score has the same one'),
  source: from('session.source', z.string()),
  agent: from('session.agent', z.string().nullable()),
  model: from('session.model', z.string().nullable()),
  project: z.string().nullable(),
  task_type: from('session.taskType', taskType),
  q: from('session.q', z.number().nullable().describe('`null`: not enough was measured')),
  tier: from('session.tier', z.string().nullable()),
  coverage: from('session.coverage', z.number()),
  cost_usd: from('session.costUsd', z.number().nullable().describe('`null` where it is not known')),
  turns: from('session.turns', z.number()),
  tool_calls: from('session.toolCalls', z.number()),
  started_at: from('session.startedAt', z.iso.datetime().nullable()),
  ended_at: from(
    'session.endedAt',
    z.iso.datetime().nullable().describe('Of the last thing in its transcript'),
  ),
  why: z.string().describe('What took the score away; empty where nothing did'),
  outcome: from(
    'session.categories.outcome',
    z.number().nullable().describe('What became of the work, 0–1; `null` where that is not known'),
  ),
});

export type SessionEventWire = z.infer<typeof sessionEvent>;

/** What became of lines of a transcript that were sent. */
export const sessionLines = z.strictObject({
  ...head('assay-session-lines'),
  session_id: z.string(),
  length: z.number().describe('Bytes of this session that are kept now: where the next lines begin'),
  added: z.number().describe('Bytes of these lines that were not there before'),
});
