/** What is remembered of a session between spans, so that repeated histories and layered spans count once. */
import { hashKey } from '../../duplicates/entry-keys.ts';
import { shown } from '../../json/json-fields.ts';
import { type BoundedMap, entriesOf, newBoundedMap, recall, remember } from '../bounded-map.ts';

export type SessionMemory = {
  /** What was last said about the session itself. */
  announced: string;
  replies: number;
  /** The last request to a model failed. */
  broken: boolean;
  /** Message of a person (its hash) → how often it was seen in one history. */
  readonly users: BoundedMap<number>;
  /** Call → its tool and what it was given, and whether it was answered. */
  readonly calls: BoundedMap<string>;
};

const KEPT_USERS = 300;
const KEPT_CALLS = 500;

export function newSession(): SessionMemory {
  return { announced: '', replies: 0, broken: false, users: newBoundedMap(), calls: newBoundedMap() };
}

export function textKey(text: string): string {
  return String(hashKey(text));
}

/** The messages of a history that were not in an earlier one. Saying the same twice is two messages. */
export function newTexts(session: SessionMemory, texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return texts.filter((text) => {
    const hash = textKey(text);
    const times = (counts.get(hash) ?? 0) + 1;
    counts.set(hash, times);
    if (times <= (recall(session.users, hash) ?? 0)) return false;
    remember(session.users, hash, times, KEPT_USERS);
    return true;
  });
}

/** Something said now, however often it was said before. */
export function saidNow(session: SessionMemory, text: string): void {
  const hash = textKey(text);
  remember(session.users, hash, (recall(session.users, hash) ?? 0) + 1, KEPT_USERS);
}

const DONE = 'done ';

export function isCalled(session: SessionMemory, callId: string): boolean {
  return recall(session.calls, callId) !== undefined;
}

export function isWaiting(session: SessionMemory, callId: string): boolean {
  return recall(session.calls, callId)?.startsWith(DONE) === false;
}

export function called(session: SessionMemory, callId: string, tool: string, input: unknown): void {
  remember(session.calls, callId, callKey(tool, input), KEPT_CALLS);
}

export function answered(session: SessionMemory, callId: string): void {
  const key = recall(session.calls, callId) ?? '';
  remember(session.calls, callId, key.startsWith(DONE) ? key : `${DONE}${key}`, KEPT_CALLS);
}

/** Spans of tools may carry no id: then it is the oldest call with the same input, or of the same tool. */
export function oldestWaiting(session: SessionMemory, tool: string, input: unknown): string | undefined {
  let oldest: string | undefined;
  for (const [callId, waiting] of entriesOf(session.calls)) {
    if (waiting === callKey(tool, input)) return callId;
    if (waiting.startsWith(`${tool} `)) oldest ??= callId;
  }
  return oldest;
}

/** Answers in a history without ids: the second answer to the same call belongs to the second such call. */
export function nthCall(session: SessionMemory, key: string, n: number): string | undefined {
  let seen = 0;
  for (const [callId, known] of entriesOf(session.calls)) {
    if (known !== key && known !== `${DONE}${key}`) continue;
    seen += 1;
    if (seen === n) return callId;
  }
  return undefined;
}

export function callKey(tool: string, input: unknown): string {
  return `${tool} ${inputKey(input)}`;
}

function inputKey(input: unknown): string {
  return String(hashKey(shown(input) ?? ''));
}
