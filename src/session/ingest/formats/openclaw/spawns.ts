/** Sub-agents of OpenClaw: started by a call, and back with a message that the runtime writes much later. */
import type { SpawnEvent } from '../../../event.ts';
import { asObject, asText, contentText, defined, type JsonObject } from '../../json/json-fields.ts';
import { pushBounded } from '../bounded-list.ts';
import type { Emit } from '../format.ts';
import type { EventPlace } from '../place-event.ts';
import { put } from '../typed-entries.ts';
import { MAX_REMEMBERED } from './results.ts';

export type Spawned = { callId: string; key: string; label: string; back: boolean };
export type SpawnState = { spawned: Spawned[] };

export const SPAWN_TOOL = 'sessions_spawn';

type Return = { ok: boolean | undefined; key: string; sessionId: string; label: string };

export function readSpawnCall(
  state: SpawnState,
  callId: string,
  input: unknown,
  place: EventPlace,
  emit: Emit,
): void {
  const fields = asObject(input);
  const label = asText(fields?.label) ?? asText(fields?.task)?.slice(0, 400) ?? '';
  pushBounded(state.spawned, { callId, key: '', label, back: false }, MAX_REMEMBERED);
  put(emit, place, { kind: 'spawn', spawnId: callId });
}

/** The answer to the call: accepted, or refused at once. */
export function readSpawnResult(state: SpawnState, message: JsonObject, place: EventPlace, emit: Emit): void {
  const spawned = state.spawned.find((each) => each.callId === message.toolCallId);
  if (spawned === undefined) return;
  const answer = asObject(message.details) ?? answerInText(contentText(message.content));
  spawned.key = asText(answer?.childSessionKey) ?? '';
  const refused = message.isError === true || answer?.status === 'forbidden' || answer?.status === 'error';
  if (!refused) return;
  spawned.back = true;
  put(emit, place, { kind: 'spawn', spawnId: spawned.callId, ok: false });
}

/** Every child that a message of the runtime says is back. */
export function readReturns(state: SpawnState, text: string, place: EventPlace, emit: Emit): void {
  for (const child of returnsIn(text)) {
    const spawned = matching(state, child);
    if (spawned !== undefined) spawned.back = true;
    const spawnId = spawned?.callId ?? (child.sessionId || child.key || `line-${place.line}`);
    const event: SpawnEvent = { kind: 'spawn', spawnId };
    put(emit, place, { ...event, ...defined({ ok: child.ok, sessionId: asText(child.sessionId) }) });
  }
}

/** By key where there is one, else by label, else the one that has waited longest. */
function matching(state: SpawnState, child: Return): Spawned | undefined {
  const waiting = state.spawned.filter((each) => !each.back);
  return (
    state.spawned.find((each) => each.key !== '' && each.key === child.key) ??
    waiting.find((each) => each.label !== '' && each.label === child.label) ??
    waiting.find((each) => each.key === '' || child.key === '')
  );
}

const SENTENCE =
  /\bA subagent task "([^\n]{0,400}?)" (?:just )?(completed successfully|completed with status: [^\n]{1,80}|failed|timed out|finished)/;
const EVENT = '[Internal task completion event]';

function returnsIn(whole: string): Return[] {
  const text = withoutChildOutput(whole);
  const events = text.split(EVENT, 33).slice(1);
  if (events.length > 0) return events.flatMap(returnOfEvent);
  const head = text.slice(0, 4_000);
  const [, label = '', status = ''] = SENTENCE.exec(head) ?? [];
  if (status === '') return [];
  const sessionId = /\[sessionId: ([^\]\n]{1,200})\]/.exec(head)?.[1] ?? '';
  return [{ ok: outcomeOf(status), key: '', sessionId, label }];
}

function returnOfEvent(event: string): Return[] {
  const lines = new Map<string, string>();
  for (const line of event.slice(0, 4_000).trimStart().split('\n')) {
    if (line.trim() === '') break;
    const colon = line.indexOf(': ');
    if (colon > 0) lines.set(line.slice(0, colon).trim(), line.slice(colon + 2).trim());
  }
  if (lines.get('source') !== 'subagent') return [];
  const named = (name: string) => {
    const value = lines.get(name) ?? '';
    return value === 'unknown' ? '' : value;
  };
  return [
    {
      ok: outcomeOf(named('status')),
      key: named('session_key'),
      sessionId: named('session_id'),
      label: named('task'),
    },
  ];
}

function outcomeOf(status: string): boolean | undefined {
  const plain = status.replace(/^completed with status: /, '');
  if (/^(?:completed|ok\b|success|done\b)/.test(plain)) return true;
  return /^(?:failed|error|timed out|timeout|killed|aborted)/.test(plain) ? false : undefined;
}

/** What a child wrote is not the runtime's word: it may contain anything, such as reports about other children. */
function withoutChildOutput(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    const begin = text.indexOf('<<<BEGIN_UNTRUSTED_CHILD_RESULT>>>', from);
    if (begin === -1) break;
    parts.push(text.slice(from, begin));
    const end = text.indexOf('<<<END_UNTRUSTED_CHILD_RESULT>>>', begin);
    if (end === -1) return parts.join('');
    from = end;
  }
  parts.push(text.slice(from));
  return parts.join('');
}

function answerInText(text: string): JsonObject | undefined {
  if (text.length > 20_000 || !text.trimStart().startsWith('{')) return undefined;
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}
