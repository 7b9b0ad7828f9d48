import { z } from 'zod';
import { head } from './parts.ts';
import { listedSession } from './session-list.ts';
import { taskType } from './task-type.ts';
import { verified } from './verified.ts';

/** One line of `sessions watch --format jsonl`, the body of a webhook, and the data of a server-sent event. */
export const sessionEvent = z.strictObject({
  ...head('assay-session-event'),
  event_id: z.string().describe('The same for the same event, however often it is told'),
  type: z
    .enum(['session.started', 'session.updated', 'session.scored'])
    .describe('`session.scored`: the session has ended, or had ended and is scored otherwise now'),
  at: z.iso.datetime(),
  session_key: z.string(),
  session_id: z.string(),
  revision: z.string().describe('Of the stored row: the same score has the same one'),
  source: z.string(),
  agent: z.string().nullable(),
  model: z.string().nullable(),
  project: z.string().nullable(),
  task_type: taskType,
  q: z.number().nullable().describe('`null`: not enough was measured'),
  tier: z.string().nullable(),
  verified,
  coverage: z.number(),
  cost_usd: z.number().nullable().describe('`null` where it is not known'),
  turns: z.number(),
  tool_calls: z.number(),
  started_at: z.iso.datetime().nullable(),
  ended_at: z.iso.datetime().nullable().describe('Of the last thing in its transcript'),
  headline: z.string().describe('The most important fact, with the line that proves it'),
  completion: z.number().nullable().describe('Was the work finished? 0–1; `null`: not measured'),
  execution: z.number().nullable().describe('Did the steps work? 0–1'),
  efficiency: z.number().nullable().describe('Was the effort in proportion? 0–1'),
  outcome: z.number().nullable().describe('What became of the work, 0–1; `null` where that is not known'),
});

/** The data of a server-sent event: with its row, so that a page which lists sessions need not ask for it. */
export const sessionNews = sessionEvent.extend({ row: listedSession });

export type SessionEventWire = z.infer<typeof sessionEvent>;

/** The result of sending lines of a transcript. */
export const sessionLines = z.strictObject({
  ...head('assay-session-lines'),
  session_id: z.string(),
  length: z.number().describe('Bytes of this session that are kept now: where the next lines begin'),
  added: z.number().describe('Bytes of these lines that were not there before'),
});
