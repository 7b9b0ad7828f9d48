/**
 * The neutral transcript format: one JSON object per line, for every agent without an adapter. This schema is the
 * source; `docs/formats/neutral.schema.json` is generated from it and a test compares them. The adapter (`neutral.ts`)
 * does not load it: it reads every valid field of a record even when another one is wrong.
 */
import * as z from 'zod';
import { TASK_TYPES } from '../../profiles/task-type.ts';
import { ARTIFACTS, ENDS, ORIGINS, STOPS, TRIGGERS } from './neutral.ts';

const tokens = z
  .object({
    input: z.number().min(0).describe('Neither read from nor written to a cache.').optional(),
    output: z.number().min(0).optional(),
    cache_read: z.number().min(0).optional(),
    cache_write: z.number().min(0).optional(),
  })
  .describe('Tokens of this message (or, in a session record, of the whole session).');

const common = {
  session_id: z
    .string()
    .min(1)
    .describe('The session this belongs to; by default that of the last session record, else the file name.')
    .optional(),
  timestamp: z
    .union([z.string(), z.number()])
    .describe('ISO 8601 (without a zone: UTC) or milliseconds since 1970.')
    .optional(),
};

const session = z
  .object({
    type: z.literal('session'),
    ...common,
    parent_session_id: z.string().optional(),
    agent: z.string().optional(),
    project: z.string().describe('The folder it works in, or the name of the project.').optional(),
    model: z.string().optional(),
    provider: z.string().optional(),
    trigger: z.enum(TRIGGERS).optional(),
    task_type: z.enum(TASK_TYPES).optional(),
    tokens: tokens.optional(),
    cost_usd: z.number().min(0).describe('Of the whole session, when no message carries its own.').optional(),
  })
  .describe('What is known about the session. May come again; later fields win.');

const user = z
  .object({
    type: z.literal('user'),
    ...common,
    text: z.string(),
    origin: z.enum(ORIGINS).describe('Who said it; a person by default.').optional(),
  })
  .describe('Something said to the agent.');

const assistant = z
  .object({
    type: z.literal('assistant'),
    ...common,
    text: z.string().optional(),
    message_id: z
      .string()
      .describe('Records with the same id are one message; the last usage counts.')
      .optional(),
    model: z.string().optional(),
    provider: z.string().optional(),
    tokens: tokens.optional(),
    cost_usd: z.number().min(0).optional(),
    stop: z.enum(STOPS).optional(),
  })
  .describe('A message of the model.');

const toolCall = z
  .object({
    type: z.literal('tool_call'),
    ...common,
    call_id: z.string().min(1),
    tool: z.string().min(1),
    input: z.unknown().optional(),
  })
  .describe('The agent calls a tool.');

const toolResult = z
  .object({
    type: z.literal('tool_result'),
    ...common,
    call_id: z.string().min(1),
    ok: z.boolean().describe('Left out: the exit code decides, else the text.').optional(),
    exit_code: z.number().int().optional(),
    text: z.string().optional(),
    denied: z.boolean().describe('A person said no to the call, or stopped it while it ran.').optional(),
    by_rule: z.boolean().describe('Of a denied call: no person, but a rule forbade it.').optional(),
    reason: z.string().describe('Of a denied call: what the person said with it.').optional(),
    running: z.boolean().describe('Not a result yet: still going on.').optional(),
  })
  .describe('What a call came back with.');

const spawn = z
  .object({
    type: z.literal('spawn'),
    ...common,
    spawn_id: z.string().min(1),
    child_session_id: z.string().optional(),
    ok: z.boolean().describe('Left out when it starts; set when it comes back.').optional(),
  })
  .describe('A sub-agent starts or comes back.');

const artifact = z
  .object({
    type: z.literal('artifact'),
    ...common,
    artifact: z.enum(ARTIFACTS),
    ok: z.boolean().describe('False: it was tried and failed. True by default.').optional(),
  })
  .describe('Something was made.');

const evidence = z
  .object({
    type: z.enum(['state_change', 'acceptance']),
    ...common,
    value: z.number().min(0).max(1).describe('1: it happened and holds. 0: it was undone or refused.'),
    what: z.string().describe('For people who read the file; not kept.').optional(),
  })
  .describe('Something outside changed, or somebody accepted the work.');

const mark = z
  .object({ type: z.enum(['compaction', 'interrupt']), ...common })
  .describe('The history was shortened; or the person stopped the agent.');

const end = z
  .object({ type: z.literal('end'), ...common, reason: z.enum(ENDS) })
  .describe('How the run ended. Left out, it is told from the last records.');

export const NEUTRAL_RECORD = z
  .discriminatedUnion('type', [
    session,
    user,
    assistant,
    toolCall,
    toolResult,
    spawn,
    artifact,
    evidence,
    mark,
    end,
  ])
  .describe('One line of a neutral agent transcript. Fields that are not listed are ignored.');

/** The published JSON Schema (draft 2020-12). */
export function neutralJsonSchema(): object {
  return z.toJSONSchema(NEUTRAL_RECORD, { io: 'input' });
}
