/** Short ways to write a session down in tests. */
import type { CallEvent, Event, ReplyEvent, ResultEvent, UserEvent } from '../../event.ts';
import type { AgentRunFacts, SessionFacts } from '../../evidence.ts';
import { finish, startFold, step, withoutText } from '../fold.ts';
import type { FoldState } from '../state.ts';

export type EventInput = Event extends infer E ? (E extends Event ? Omit<E, 'line' | 'at'> : never) : never;

/** Gives events their lines: the first one is line 1. */
export function lined(events: readonly EventInput[]): Event[] {
  return events.map((event, index) => ({ line: index + 1, ...event }) as Event);
}

export function folded(events: readonly Event[]): FoldState {
  const state = startFold('test');
  for (const event of events) step(state, event);
  return withoutText(state);
}

export function factsOfEvents(...events: readonly EventInput[]): SessionFacts {
  const facts = finish(folded(lined(events)), 'nameless');
  if (facts === undefined) throw new Error('nothing of a session was seen');
  return facts;
}

export function runsOf(...events: readonly EventInput[]): readonly AgentRunFacts[] {
  return factsOfEvents(...events).runs;
}

/** The only run of what is told. */
export function runOf(...events: readonly EventInput[]): AgentRunFacts {
  const [run, second] = runsOf(...events);
  if (run === undefined || second !== undefined) throw new Error('not one run');
  return run;
}

export const user = (text: string, origin: UserEvent['origin'] = 'user'): UserEvent => ({
  kind: 'user',
  origin,
  text,
});
export const reply = (text: string, more: Partial<ReplyEvent> = {}): ReplyEvent => ({
  kind: 'reply',
  text,
  ...more,
});
export const call = (callId: string, tool: string, input: unknown = {}): CallEvent => ({
  kind: 'call',
  callId,
  tool,
  input,
});
export const result = (callId: string, more: Partial<ResultEvent> = {}): ResultEvent => ({
  kind: 'result',
  callId,
  ...more,
});

let calls = 0;
/** A call and its result. */
export function did(tool: string, input: unknown, ok: boolean, text = ''): [CallEvent, ResultEvent] {
  calls += 1;
  const id = `call-${calls}`;
  return [call(id, tool, input), result(id, { ok, text })];
}
export const ran = (command: string, ok: boolean, text = '') => did('Bash', { command }, ok, text);
