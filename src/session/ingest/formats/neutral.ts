/**
 * The neutral format (docs/formats/neutral.md): one small object per line, for any agent. One file may have many
 * sessions. An invalid field is skipped, a record without required fields is counted as unknown.
 */
import type {
  ArtifactKind,
  EndReason,
  ReplyEvent,
  Trigger,
  UnplacedEvent,
  Usage,
  UserEvent,
} from '../../event.ts';
import { TASK_TYPES } from '../../profiles/task-type.ts';
import { stemOf } from '../files/name-by-file.ts';
import { asCount, asObject, asText, type JsonObject, sampled } from '../json/json-fields.ts';
import { type ChatState, chatAdapter, exited, type Line, sendResult, usageApart } from './chat.ts';

export const TRIGGERS = [
  'user',
  'cron',
  'heartbeat',
  'subagent',
  'hook',
  'unknown',
] as const satisfies Trigger[];
export const ORIGINS = [
  'user',
  'cron',
  'heartbeat',
  'subagent',
  'hook',
  'runtime',
] as const satisfies UserEvent['origin'][];
export const STOPS = ['end', 'tool', 'length', 'error', 'aborted', 'refusal'] as const satisfies NonNullable<
  ReplyEvent['stop']
>[];
export const ARTIFACTS = [
  'file',
  'commit',
  'pull-request',
  'message',
  'cron',
  'issue',
  'record',
  'answer',
] as const satisfies ArtifactKind[];
export const ENDS = [
  'normal',
  'error',
  'aborted',
  'timeout',
  'limit',
  'handoff',
  'cut-off',
  'open',
  'unknown',
] as const satisfies EndReason[];

function oneOf<const T extends readonly string[]>(words: T, value: unknown): T[number] | undefined {
  return words.find((word) => word === value);
}

/** Undefined: a required field is missing. */
type Reader = (record: JsonObject, session: string) => UnplacedEvent | undefined;

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
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
]);

/** Many headers in a row are a list of sessions, whose messages may be far below. */
const MANY = 20;

export const neutralAdapter = chatAdapter<ChatState>({
  detect: ({ records, document }) => {
    const objects = sampled(records, document);
    if (objects.length >= MANY && objects.every(isHeader)) return true;
    return objects.some(isTelling) && objects.filter(isNeutral).length * 2 >= objects.length;
  },
  start: ({ path }) => ({ session: stemOf(path) }),
  sessionOf: ({ session_id }, { session }) => asText(session_id) ?? session,
  kind: () => 'record',
  readers: { record: readRecord },
});

function readRecord({ state, record, send }: Line): unknown {
  const type = asText(record.type) ?? 'record';
  const reader = READERS.get(type);
  if (reader === undefined) return type;
  const session = asText(record.session_id) ?? state.session ?? '';
  if (type === 'session') state.session = session;
  const event = reader(record, session);
  if (event === undefined) return `${type} (incomplete)`;
  return event.kind === 'result' ? sendResult(send, event.callId, event) : send(event);
}

/** Other formats have records of type `user` too; theirs hold a message inside or name things in another way. */
const FOREIGN = ['message', 'payload', 'uuid', 'sessionId', 'parentId', 'toolName', 'cwd'];
/** Records that only this format has; a `session` or an `end` alone is ambiguous. */
const TELLING = new Set(['user', 'assistant', 'tool_call', 'tool_result']);

function isNeutral(record: JsonObject): boolean {
  const event = READERS.get(asText(record.type) ?? '')?.(record, '-');
  return event !== undefined && !FOREIGN.some((field) => field in record);
}

function isHeader(record: JsonObject): boolean {
  return record.type === 'session' && typeof record.session_id === 'string' && isNeutral(record);
}

function isTelling(record: JsonObject): boolean {
  if (!isNeutral(record) || !TELLING.has(String(record.type))) return false;
  return (
    record.type !== 'assistant' || typeof record.text === 'string' || asObject(record.tokens) !== undefined
  );
}

function readSession(record: JsonObject, session: string): UnplacedEvent {
  const parentSessionId = asText(record.parent_session_id);
  // A sub-agent's task comes from its parent.
  const given = parentSessionId === undefined ? undefined : 'subagent';
  return {
    kind: 'session',
    sessionId: session,
    parentSessionId,
    agent: asText(record.agent),
    project: asText(record.project),
    model: asText(record.model),
    provider: asText(record.provider),
    trigger: oneOf(TRIGGERS, record.trigger) ?? given,
    taskType: oneOf(TASK_TYPES, record.task_type),
    usage: readTokens(record.tokens),
    ...readCost(record.cost_usd),
  };
}

/** Authors of this format state costs on purpose: 0 means free, not unknown. */
function readCost(value: unknown): { costUsd?: number; free?: true } {
  const costUsd = asCount(value);
  if (costUsd === undefined) return {};
  return costUsd === 0 ? { costUsd, free: true } : { costUsd };
}

function readTokens(value: unknown): Usage | undefined {
  const { input, output, cache_read, cache_write } = asObject(value) ?? {};
  const isStated = [input, output, cache_read, cache_write].some((count) => asCount(count) !== undefined);
  return isStated ? usageApart(asCount(input) ?? 0, output, cache_read, cache_write) : undefined;
}

function readUser(record: JsonObject): UnplacedEvent | undefined {
  if (typeof record.text !== 'string') return undefined;
  return { kind: 'user', origin: oneOf(ORIGINS, record.origin) ?? 'user', text: record.text };
}

function readAssistant(record: JsonObject): UnplacedEvent {
  return {
    kind: 'reply',
    text: asText(record.text) ?? '',
    messageId: asText(record.message_id),
    model: asText(record.model),
    provider: asText(record.provider),
    usage: readTokens(record.tokens),
    ...readCost(record.cost_usd),
    textMissing: typeof record.text === 'string' ? undefined : true,
    stop: oneOf(STOPS, record.stop),
  };
}

function readCall(record: JsonObject): UnplacedEvent | undefined {
  const callId = asText(record.call_id);
  const tool = asText(record.tool);
  if (callId === undefined || tool === undefined) return undefined;
  return { kind: 'call', callId, tool, input: record.input };
}

function readResult(record: JsonObject): UnplacedEvent | undefined {
  const callId = asText(record.call_id);
  if (callId === undefined) return undefined;
  return {
    kind: 'result',
    callId,
    ok: asFlag(record.ok) ?? exited(record.exit_code).ok,
    running: asFlag(record.running),
    denied: asFlag(record.denied),
    byRule: record.by_rule === true ? true : undefined,
    reason: asText(record.reason),
    text: asText(record.text),
  };
}

function asFlag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

function readSpawn(record: JsonObject): UnplacedEvent | undefined {
  const spawnId = asText(record.spawn_id);
  if (spawnId === undefined) return undefined;
  return { kind: 'spawn', spawnId, sessionId: asText(record.child_session_id), ok: asFlag(record.ok) };
}

function readArtifact(record: JsonObject): UnplacedEvent | undefined {
  const artifact = oneOf(ARTIFACTS, record.artifact);
  return artifact && { kind: 'artifact', artifact, ok: asFlag(record.ok) ?? true };
}

function readEvidence(record: JsonObject): UnplacedEvent | undefined {
  const value = asCount(record.value);
  if (value === undefined || value > 1) return undefined;
  const kind = record.type === 'acceptance' ? 'acceptance' : 'state-change';
  // The author's note is free text, and no transcript text is stored.
  return { kind, value, what: 'stated by the source' };
}

function readEnd(record: JsonObject): UnplacedEvent | undefined {
  const reason = oneOf(ENDS, record.reason);
  return reason && { kind: 'end', reason };
}
