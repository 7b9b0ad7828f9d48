/** What is remembered of a session between spans, so that repeated histories and layered spans count once. */
import { hashKey } from '../../copies/entry-keys.ts';
import { type BoundedMap, entriesOf, newBoundedMap, recall, remember } from '../bounded-map.ts';

export type SessionMemory = {
  /** What was last said about the session itself. */
  announced: string;
  replies: number;
  /** Message of a person (its hash) → how often it was seen in one history. */
  readonly users: BoundedMap<number>;
  /** Call → its tool while it waits for an answer, empty afterwards. */
  readonly calls: BoundedMap<string>;
};

const KEPT_USERS = 300;
const KEPT_CALLS = 500;

export function newSession(): SessionMemory {
  return { announced: '', replies: 0, users: newBoundedMap(), calls: newBoundedMap() };
}

/** The messages of a history that were not in an earlier one. Saying the same twice is two messages. */
export function newTexts(session: SessionMemory, texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return texts.filter((text) => {
    const hash = String(hashKey(text));
    const times = (counts.get(hash) ?? 0) + 1;
    counts.set(hash, times);
    if (times <= (recall(session.users, hash) ?? 0)) return false;
    remember(session.users, hash, times, KEPT_USERS);
    return true;
  });
}

export function isCalled(session: SessionMemory, callId: string): boolean {
  return recall(session.calls, callId) !== undefined;
}

export function isWaiting(session: SessionMemory, callId: string): boolean {
  return (recall(session.calls, callId) ?? '') !== '';
}

export function called(session: SessionMemory, callId: string, tool: string): void {
  remember(session.calls, callId, tool, KEPT_CALLS);
}

export function answered(session: SessionMemory, callId: string): void {
  remember(session.calls, callId, '', KEPT_CALLS);
}

/** Spans of tools often carry no id: the oldest call of that tool that waits is the one. */
export function oldestWaiting(session: SessionMemory, tool: string): string | undefined {
  for (const [callId, waiting] of entriesOf(session.calls)) if (waiting === tool) return callId;
  return undefined;
}
