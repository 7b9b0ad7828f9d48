/**
 * Whether a tool of OpenClaw worked. Its `isError` is no help in many versions, so the details and the text are asked too; a
 * command in the background has its outcome in a later `process` result, or in a notice. Sub-agents are started by a call
 * and are back with a message that the runtime writes much later.
 */
import { asObject, asText, contentText, type JsonObject, parsed } from '../../json/json-fields.ts';
import { pushBounded } from '../bounded-map.ts';
import { type Line as LineOf, sendResult } from '../chat.ts';
import { messageOf } from '../typed-entries.ts';

/** Background commands: process, the call that started it, whether its outcome was emitted. */
type Background = { readonly process: string; readonly callId: string; isReported: boolean };
/** `process` calls that wait for their result: what they do, and to which process. */
type ProcessCall = { readonly callId: string; readonly action: string; readonly process: string };
type Spawned = { readonly callId: string; key: string; readonly label: string; back: boolean };

export type ToolState = {
  readonly background: Background[];
  readonly processCalls: ProcessCall[];
  readonly spawned: Spawned[];
};

type Line = LineOf<ToolState>;

/** The maximum number; the oldest are dropped first. */
const MAX_REMEMBERED = 256;

/** The agent ends its own process, so its exit code is no failure. */
const ENDING: ReadonlySet<string> = new Set(['kill', 'clear', 'remove']);

const EXIT_IN_TEXT = /\(Command exited with code (-?\d{1,10})\)/g;
const ERROR_DOCUMENT = /^\s*\{\s*"status"\s*:\s*"(?:error|failed|forbidden)"/;
const DENIED = /^\s*Exec denied \([^)\n]{0,200}\buser-denied\b|\bdenied by (?:the )?user\b/i;

export function noteProcessCall({ processCalls }: ToolState, callId: string, input: unknown): void {
  const fields = asObject(input);
  const action = asText(fields?.action) ?? '';
  pushBounded(processCalls, { callId, action, process: asText(fields?.sessionId) ?? '' }, MAX_REMEMBERED);
}

export function readToolResult(line: Line): unknown {
  const { state, send } = line;
  const message = messageOf(line);
  const callId = asText(message.toolCallId);
  if (callId === undefined) return 'message toolResult without a call';
  const details = asObject(message.details);
  const text = contentText(message.content);
  if (message.toolName === 'process') readProcess(line, callId, message, text);
  else if (isRunning(details)) {
    const process = asText(details?.sessionId);
    if (process !== undefined)
      pushBounded(state.background, { process, callId, isReported: false }, MAX_REMEMBERED);
    sendResult(send, callId, { running: true, text });
  } else {
    const isDenied = DENIED.test(text.slice(0, 400));
    sendResult(send, callId, isDenied ? { denied: true, text } : { ok: outcomeOf(message, text), text });
  }
  return readSpawnResult(line, message);
}

/** Asking about a process works even when the process failed; the failure belongs to the call that started it. */
function readProcess({ state, send }: Line, callId: string, message: JsonObject, text: string): void {
  const details = asObject(message.details);
  const index = state.processCalls.findIndex((each) => each.callId === callId);
  const call = index === -1 ? undefined : state.processCalls.splice(index, 1)[0];
  const isEnding = call !== undefined && ENDING.has(call.action);
  const process =
    asText(details?.sessionId) ?? (typeof details?.exitCode === 'number' ? call?.process : undefined);
  const started = state.background.find((each) => each.process === process);
  const ok = outcomeOf(message, text);
  if (started !== undefined && !started.isReported && !isRunning(details)) {
    started.isReported = true;
    if (!isEnding) sendResult(send, started.callId, { ok, text });
  }
  const worked = isRunning(details) || started !== undefined || isEnding;
  sendResult(send, callId, { ok: worked ? message.isError !== true : ok, text });
}

/** A notice such as `Exec completed (crisp-cl, code 0)` names the process by the beginning of its id. */
export function readExecNotice({ state, send }: Line, notice: string): void {
  const ends = notice
    .slice(0, 8_000)
    .matchAll(
      /\bexec (completed|failed) \(([a-z0-9_-]{4,64}), (?:code (-?\d{1,10})|signal [a-z0-9]{1,20})/gi,
    );
  for (const [, verb, process = '', code] of ends) {
    const started = state.background.find((each) => !each.isReported && each.process.startsWith(process));
    if (started === undefined) continue;
    started.isReported = true;
    const ok = verb?.toLowerCase() === 'completed' && Number(code) === 0;
    sendResult(send, started.callId, { ok, text: notice });
  }
}

/** The most reliable source first; undefined when there is none. */
function outcomeOf(message: JsonObject, text: string): boolean | undefined {
  const details = asObject(message.details);
  if (message.isError === true) return false;
  if (details !== undefined && failedByDetails(details)) return false;
  if (typeof details?.exitCode === 'number') return true;
  if (exitInText(text) !== 0 || (details === undefined && ERROR_DOCUMENT.test(text))) return false;
  if (message.isError === false || asText(details?.status) !== undefined) return true;
  return undefined;
}

function failedByDetails(details: JsonObject): boolean {
  const { status, exitCode, error } = details;
  if (status === 'error' || status === 'failed' || status === 'forbidden') return true;
  // A web page's answer.
  if (typeof status === 'number' && status >= 400 && status <= 599) return true;
  if (typeof exitCode === 'number' && exitCode !== 0) return true;
  return error === true || asText(error) !== undefined || asObject(error) !== undefined;
}

/** The last one in the text is that of the command; the rest may be anything. */
function exitInText(text: string): number {
  let code = 0;
  for (const [, digits] of text.slice(-600).matchAll(EXIT_IN_TEXT)) code = Number(digits);
  return code;
}

function isRunning(details: JsonObject | undefined): boolean {
  return details?.status === 'running' || details?.status === 'approval-pending';
}

export const SPAWN_TOOL = 'sessions_spawn';

type Return = { ok: boolean | undefined; key: string; sessionId: string; label: string };

export function readSpawnCall({ state, send }: Line, callId: string, input: unknown): void {
  const fields = asObject(input);
  const label = asText(fields?.label) ?? asText(fields?.task)?.slice(0, 400) ?? '';
  pushBounded(state.spawned, { callId, key: '', label, back: false }, MAX_REMEMBERED);
  send({ kind: 'spawn', spawnId: callId });
}

/** The answer to the call: accepted, or refused at once. */
function readSpawnResult({ state, send }: Line, message: JsonObject): void {
  const spawned = state.spawned.find((each) => each.callId === message.toolCallId);
  if (spawned === undefined) return;
  const answer = asObject(message.details) ?? answerInText(contentText(message.content));
  spawned.key = asText(answer?.childSessionKey) ?? '';
  const isRefused = message.isError === true || answer?.status === 'forbidden' || answer?.status === 'error';
  if (!isRefused) return;
  spawned.back = true;
  send({ kind: 'spawn', spawnId: spawned.callId, ok: false });
}

/** Every child that a message of the runtime reports as finished. */
export function readReturns({ state, line, send }: Line, text: string): void {
  for (const child of returnsIn(text)) {
    const spawned = matching(state, child);
    if (spawned !== undefined) spawned.back = true;
    const spawnId = spawned?.callId ?? (child.sessionId || child.key || `line-${line}`);
    send({ kind: 'spawn', spawnId, ok: child.ok, sessionId: asText(child.sessionId) });
  }
}

/** By key where there is one, else by label, else the one that has waited longest. */
function matching(state: ToolState, child: Return): Spawned | undefined {
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
  return [{ ok: returnedOk(status), key: '', sessionId, label }];
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
      ok: returnedOk(named('status')),
      key: named('session_key'),
      sessionId: named('session_id'),
      label: named('task'),
    },
  ];
}

function returnedOk(status: string): boolean | undefined {
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
  return text.length > 20_000 ? undefined : asObject(parsed(text));
}
