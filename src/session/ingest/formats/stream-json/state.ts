/** What is remembered between the lines of a stream, and which session a line is of. */
import type { UnplacedEvent, Usage } from '../../../event.ts';
import { asText, asTime, defined, type JsonObject } from '../../json/json-fields.ts';
import { type BoundedMap, newBoundedMap, recall, remember } from '../bounded-map.ts';
import type { Emit } from '../format.ts';
import { placeEvent } from '../place-event.ts';

/** A message whose tokens no total contains yet. */
export type Pending = { readonly session: string; readonly model: string | undefined; readonly usage: Usage };

export type Spent = { readonly usage: Usage; readonly costUsd: number | undefined };

export type StreamState = {
  session: string | undefined;
  agent: string;
  model: string | undefined;
  /** Sessions that were told of. */
  told: BoundedMap<1>;
  /** Calls that were told of, and what they are to. */
  calls: BoundedMap<string>;
  pending: BoundedMap<Pending>;
  /** What the last `result` said was spent so far, by model. */
  spent: BoundedMap<Spent>;
  /** The last message of each model since then. */
  latest: BoundedMap<string>;
  /** Messages so far; since the last `result` whether one of them said something. */
  messages: number;
  said: boolean;
};

export function startStream(): StreamState {
  return {
    session: undefined,
    agent: 'claude-code',
    model: undefined,
    told: newBoundedMap(),
    calls: newBoundedMap(),
    pending: newBoundedMap(),
    spent: newBoundedMap(),
    latest: newBoundedMap(),
    messages: 0,
    said: false,
  };
}

export type StreamLine = {
  readonly state: StreamState;
  readonly record: JsonObject;
  readonly line: number;
  readonly session: string;
  readonly subagent: boolean;
  readonly send: (event: UnplacedEvent) => void;
};

/** Lines of a sub-agent name the call that started it. */
export function placeStreamLine(
  state: StreamState,
  record: JsonObject,
  line: number,
  emit: Emit,
): StreamLine {
  const named = asText(record.session_id);
  if (named !== undefined && named !== state.session) Object.assign(state, { session: named });
  const main = state.session ?? '';
  const call = asText(record.parent_tool_use_id);
  const session = call === undefined ? main : childOf(main, call);
  const at = asTime(record.timestamp) ?? asTime(record.timestamp_ms);
  const send = (event: UnplacedEvent): void => emit(placeEvent(event, { line, at }), session);
  if (recall(state.told, session) === undefined) {
    remember(state.told, session, 1);
    const served =
      call === undefined ? {} : { parentSessionId: main, trigger: 'subagent' as const, agent: state.agent };
    send({ kind: 'session', ...defined({ sessionId: session === '' ? undefined : session }), ...served });
  }
  return { state, record, line, session, subagent: call !== undefined, send };
}

export function childOf(session: string, call: string): string {
  return `${session}:${call}`;
}
