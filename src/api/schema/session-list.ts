/** Sessions one by one, and what they come to. */
import { z } from 'zod';
import type { SessionRecord } from '../../session/columns.ts';
import type { Usage } from '../../session/event.ts';
import { isReceipt, RECEIPT_KINDS, type Statement } from '../../session/receipts.ts';
import { from } from '../wire.ts';
import { head, measurement } from './parts.ts';
import { taskType } from './task-type.ts';
import { verified } from './verified.ts';

/** What speaks against a session. The quote is read for the answer and never stored. */
const receipt = z.strictObject({
  kind: z.enum(RECEIPT_KINDS),
  text: z.string(),
  line: z.number().nullable().describe('The line that proves it; `null` where no single line does'),
  quote: from('said', z.string().nullable().describe('`null` where the transcript was not read or is gone')),
});
export const receipts = from(
  ({ statements }: { readonly statements: readonly (Statement & { readonly said?: string })[] }) =>
    statements.filter(isReceipt),
  z.array(receipt).describe('What speaks against it, the most serious first; empty where nothing does'),
);

export const listedSession = z.strictObject({
  session_id: z.string(),
  session_key: z.string().describe('What tells it from all others'),
  started_at: z.iso.datetime().nullable(),
  project: z.string().nullable().describe('Folder it worked in, or the project name from its agent'),
  title: z
    .string()
    .nullable()
    .describe(
      'What was asked, read from the transcript for this answer; `null` where it is gone or says nothing',
    ),
  task_type: taskType,
  source: z.string(),
  agent: z.string().nullable(),
  model: z.string().nullable(),
  turns: z.number().nullable(),
  q: z.number().nullable(),
  tier: z.string().nullable(),
  verified,
  input_tokens: z.number().nullable(),
  output_tokens: z.number().nullable(),
  cache_write_tokens: z.number().nullable(),
  cache_read_tokens: z.number().nullable(),
  cost_usd: z.number().nullable(),
  cost_usd_is_lower_bound: from(
    ({ costAtLeast }: Pick<SessionRecord, 'costAtLeast'>) => costAtLeast === 1,
    z.boolean().describe('`true`: it cost at least this'),
  ),
  headline: z
    .string()
    .describe('What a reader should know of it first, with its quote where the transcript was read'),
  receipts,
  path: z.string().nullable().describe('File it was read from'),
});

const totals = {
  sessions: z.number(),
  q: measurement.describe('Mean over the sessions with a Q'),
  turns: z.number().nullable().describe('`null` where only kept sums were read'),
  input_tokens: from('usage.input', z.number()),
  output_tokens: from('usage.output', z.number()),
  cache_write_tokens: from('usage.cacheWrite', z.number()),
  cache_read_tokens: from('usage.cacheRead', z.number()),
  total_tokens: from(
    ({ usage: { input, output, cacheRead, cacheWrite } }: { readonly usage: Usage }) =>
      input + output + cacheRead + cacheWrite,
    z.number(),
  ),
  cost_usd: z.number().nullable().describe('`null` where no cost is known'),
  cost_usd_is_lower_bound: from('costIsLowerBound', z.boolean()),
  cost_unknown: z.number().describe('Sessions whose cost is not known'),
};

export const listedGroup = z.strictObject({
  key: z.string().nullable().describe('`null`: not known of these sessions'),
  ...totals,
  models: z.array(z.string()),
  listed: z.array(listedSession).describe('As many as were asked for'),
});

export const sessionList = z.strictObject({
  ...head('assay-session-list'),
  sort: z.enum(['date', 'q', 'cost', 'turns']),
  by: z.enum(['model', 'agent', 'task-type', 'project', 'day', 'week', 'month', 'block']).nullable(),
  timezone: from(
    ({ timezone = 'UTC' }: { readonly timezone?: string }) => timezone,
    z.string().describe('Whose days, weeks and months they are'),
  ),
  total: z.strictObject(totals),
  sessions: from('listed', z.array(listedSession).describe('Empty where they are grouped')),
  groups: z.array(listedGroup),
});

/** Kept sessions, a page at a time. */
export const sessionPage = z.strictObject({
  ...head('assay-session-page'),
  items: from('sessions', z.array(listedSession)),
  next: z.string().nullable().describe('What `cursor` takes for the next page; `null` on the last one'),
  total: from(
    'inAll',
    z.number().nullable().describe('How many fit the filter; `null` where only counting them would tell'),
  ),
});

/** What people call sessions that something else speaks of by their keys. */
export const sessionNames = z.strictObject({
  ...head('assay-session-names'),
  items: z.array(
    listedSession.pick({ session_key: true, session_id: true, started_at: true, project: true, title: true }),
  ),
});
