/**
 * The neutral format (docs/formats/neutral.md): one small object per line, for any agent. One file may hold many
 * sessions. A wrong field is left out, a record without what it needs is counted as unknown.
 */
import type { UnplacedEvent, Usage } from '../../../event.ts';
import { TASK_TYPES } from '../../../profiles/task-type.ts';
import { stemOf } from '../../files/name-by-file.ts';
import {
  asCount,
  asObject,
  asText,
  asTime,
  cutText,
  defined,
  type JsonObject,
  sampled,
} from '../../json/json-fields.ts';
import type { Adapter, FileInfo, Sample } from '../format.ts';
import { placeEvent } from '../place-event.ts';
import { ARTIFACTS, ENDS, ORIGINS, oneOf, STOPS, TRIGGERS } from './words.ts';

export type NeutralState = { session: string };

type Told = UnplacedEvent | undefined;

export const neutralAdapter: Adapter<NeutralState> = {
  detect: ({ records, document }: Sample) => {
    const objects = sampled(records, document);
    if (objects.length >= MANY && objects.every(isHeader)) return true;
    return objects.some(isTelling) && objects.filter(isNeutral).length * 2 >= objects.length;
  },
  start: ({ path }: FileInfo) => ({ session: stemOf(path) }),
  step: (state, value, line, emit) => {
    const record = asObject(value);
    const type = asText(record?.type);
    if (record === undefined || type === undefined) return 'record';
    const session = asText(record.session_id) ?? state.session;
    if (type === 'session') state.session = session;
    const event = READERS.get(type)?.(record, session);
    if (event === undefined) return READERS.has(type) ? `${type} (incomplete)` : type;
    emit(placeEvent(event, { line, at: asTime(record.timestamp) }), session);
    return undefined;
  },
  elements: (document) => (Array.isArray(document) ? document : [document]),
};

const READERS: ReadonlyMap<string, (record: JsonObject, session: string) => Told> = new Map([
  ['session', readSession],
  ['user', readUser],
  ['assistant', readAssistant],
  ['tool_call', readCall],
  ['tool_result', readResult],
  ['spawn', readSpawn],
  ['artifact', readArtifact],
  ['state_change', readEvidence],
  ['acceptance', readEvidence],
  ['compaction', () => ({ kind: 'compaction' })],
  ['interrupt', () => ({ kind: 'interrupt' })],
  ['end', readEnd],
] as const);

/** Other formats have records of type `user` too; theirs hold a message inside or name things in another way. */
const FOREIGN = ['message', 'payload', 'uuid', 'sessionId', 'parentId', 'toolName', 'cwd'];
/** What only this format says so; a `session` or an `end` alone could be anybody's. */
const TELLING = new Set(['user', 'assistant', 'tool_call', 'tool_result']);

function isNeutral(record: JsonObject): boolean {
  const reader = READERS.get(asText(record.type) ?? '');
  return (
    reader !== undefined && !FOREIGN.some((field) => field in record) && reader(record, '-') !== undefined
  );
}

/** So many headers in a row are a list of sessions, whose messages may be far below. */
const MANY = 20;

function isHeader(record: JsonObject): boolean {
  return record.type === 'session' && typeof record.session_id === 'string' && isNeutral(record);
}

function isTelling(record: JsonObject): boolean {
  if (!isNeutral(record) || !TELLING.has(String(record.type))) return false;
  return (
    record.type !== 'assistant' || typeof record.text === 'string' || asObject(record.tokens) !== undefined
  );
}

function readSession(record: JsonObject, session: string): Told {
  const parentSessionId = asText(record.parent_session_id);
  // Who was started by another session was given its task by it.
  const given = parentSessionId === undefined ? undefined : ('subagent' as const);
  return {
    kind: 'session',
    sessionId: session,
    ...defined({
      parentSessionId,
      agent: asText(record.agent),
      project: asText(record.project),
      model: asText(record.model),
      provider: asText(record.provider),
      trigger: oneOf(TRIGGERS, record.trigger) ?? given,
      taskType: oneOf(TASK_TYPES, record.task_type),
      usage: readTokens(record.tokens),
      ...readCost(record.cost_usd),
    }),
  };
}

/** Who writes this format says what it cost: 0 means free, not unknown. */
function readCost(value: unknown): { costUsd?: number; free?: true } {
  const costUsd = asCount(value);
  if (costUsd === undefined) return {};
  return costUsd === 0 ? { costUsd, free: true } : { costUsd };
}

function readTokens(value: unknown): Usage | undefined {
  const tokens = asObject(value);
  const read = (field: string) => asCount(tokens?.[field]);
  const input = read('input');
  const output = read('output');
  const cacheRead = read('cache_read');
  const cacheWrite = read('cache_write');
  if ([input, output, cacheRead, cacheWrite].every((count) => count === undefined)) return undefined;
  return { input: input ?? 0, output: output ?? 0, cacheRead: cacheRead ?? 0, cacheWrite: cacheWrite ?? 0 };
}

function readUser(record: JsonObject): Told {
  if (typeof record.text !== 'string') return undefined;
  return { kind: 'user', origin: oneOf(ORIGINS, record.origin) ?? 'user', text: record.text };
}

function readAssistant(record: JsonObject): Told {
  return {
    kind: 'reply',
    text: asText(record.text) ?? '',
    ...defined({
      messageId: asText(record.message_id),
      model: asText(record.model),
      provider: asText(record.provider),
      usage: readTokens(record.tokens),
      ...readCost(record.cost_usd),
      textMissing: typeof record.text === 'string' ? undefined : (true as const),
      stop: oneOf(STOPS, record.stop),
    }),
  };
}

function readCall(record: JsonObject): Told {
  const callId = asText(record.call_id);
  const tool = asText(record.tool);
  return callId === undefined || tool === undefined
    ? undefined
    : { kind: 'call', callId, tool, input: record.input };
}

function readResult(record: JsonObject): Told {
  const callId = asText(record.call_id);
  if (callId === undefined) return undefined;
  const exitCode = record.exit_code;
  const byCode = typeof exitCode === 'number' ? exitCode === 0 : undefined;
  const text = asText(record.text);
  return {
    kind: 'result',
    callId,
    ...defined({
      ok: asFlag(record.ok) ?? byCode,
      running: asFlag(record.running),
      denied: asFlag(record.denied),
      byRule: record.by_rule === true ? (true as const) : undefined,
      reason: asText(record.reason),
      text: text === undefined ? undefined : cutText(text),
    }),
  };
}

function asFlag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

function readSpawn(record: JsonObject): Told {
  const spawnId = asText(record.spawn_id);
  if (spawnId === undefined) return undefined;
  return {
    kind: 'spawn',
    spawnId,
    ...defined({ sessionId: asText(record.child_session_id), ok: asFlag(record.ok) }),
  };
}

function readArtifact(record: JsonObject): Told {
  const artifact = oneOf(ARTIFACTS, record.artifact);
  return artifact === undefined ? undefined : { kind: 'artifact', artifact, ok: asFlag(record.ok) ?? true };
}

function readEvidence(record: JsonObject): Told {
  const value = asCount(record.value);
  if (value === undefined || value > 1) return undefined;
  const kind = record.type === 'acceptance' ? 'acceptance' : 'state-change';
  // What the author says about it is free text, and no text of a transcript is kept.
  return { kind, value, what: 'stated by the source' };
}

function readEnd(record: JsonObject): Told {
  const reason = oneOf(ENDS, record.reason);
  return reason === undefined ? undefined : { kind: 'end', reason };
}
