/** What is remembered between the lines of a Codex rollout. */
import type { Trigger, UnplacedEvent } from '../../../event.ts';
import { asObject, asText, type JsonObject } from '../../json/json-fields.ts';

import type { Emit, FileInfo } from '../format.ts';
import { placeEvent } from '../place-event.ts';

/** Token counts as Codex writes them: input with the cached part, output with the reasoning. */
export type Totals = { input: number; cached: number; written: number; output: number };

/** A user message lately seen: hashes of its text and of its parts, and which kinds of record showed it. */
export type Said = { hashes: number[]; sources: number };

export type CodexState = {
  session: string | undefined;
  /** A fork begins with the history of the session it left: `undefined` when none is being replayed. */
  forkedFrom: string | undefined;
  /** Stays true when the replay is over. */
  isFork: boolean;
  replayUntil: number | undefined;
  trigger: Trigger | undefined;
  model: string | undefined;
  provider: string | undefined;
  totals: Totals | undefined;
  /** Model responses so far; each one ends with its token count. */
  responses: number;
  /** Of the two records of a compaction, the one that waits for the other. */
  compaction: 'event' | 'record' | undefined;
  said: Said[];
  /** Calls seen, by id, with the name of their tool. */
  calls: Map<string, string>;
  /** The last call of a tool whose calls have no ids. */
  unnamedCalls: Map<string, string>;
  /** Process that goes on → the call that started it; call that looks at a process → the process. */
  processes: Map<string, string>;
  polls: Map<string, string>;
};

export function startCodex(_file: FileInfo): CodexState {
  return {
    session: undefined,
    forkedFrom: undefined,
    isFork: false,
    replayUntil: undefined,
    trigger: undefined,
    model: undefined,
    provider: undefined,
    totals: undefined,
    responses: 0,
    compaction: undefined,
    said: [],
    calls: new Map(),
    unnamedCalls: new Map(),
    processes: new Map(),
    polls: new Map(),
  };
}

/** A line with its place: everything the readers of single record kinds need. */
export type CodexLine = {
  readonly state: CodexState;
  readonly payload: JsonObject;
  readonly line: number;
  readonly send: (event: UnplacedEvent) => void;
};

export function codexLine(
  state: CodexState,
  payload: JsonObject,
  line: number,
  at: number | undefined,
  emit: Emit,
): CodexLine {
  const send = (event: UnplacedEvent): void => emit(placeEvent(event, { line, at }), state.session);
  return { state, payload, line, send };
}

/**
 * The first header of a file names its session. The header of another session is either the beginning of the history
 * that a fork took along, or the beginning of another rollout in the same stream.
 */
export function readHeader(place: CodexLine, at: number | undefined): void {
  const { state, payload } = place;
  const id = asText(payload.id) ?? asText(payload.session_id);
  if (id === undefined || id === state.session) return;
  if (state.session !== undefined && (state.replayUntil !== undefined || id === state.forkedFrom)) {
    state.replayUntil ??= at;
    return;
  }
  if (state.session !== undefined) Object.assign(state, startCodex({ path: '' }));
  state.session = id;
  state.forkedFrom = asText(payload.forked_from_id);
  state.isFork = state.forkedFrom !== undefined;
  state.provider = asText(payload.model_provider);
  const child = asObject(asObject(payload.source)?.subagent) ?? asText(asObject(payload.source)?.subagent);
  if (child !== undefined) state.trigger = 'subagent';
  const parent = child === undefined ? undefined : parentOf(payload, child);
  const project = asText(payload.cwd);
  place.send({
    kind: 'session',
    sessionId: id,
    agent: 'codex',
    ...(state.provider && { provider: state.provider }),
    ...(state.trigger && { trigger: state.trigger }),
    ...(parent && { parentSessionId: parent }),
    ...(project !== undefined && { project }),
  });
}

function parentOf(payload: JsonObject, child: JsonObject | string): string | undefined {
  const spawn = typeof child === 'string' ? undefined : asObject(child.thread_spawn);
  return asText(spawn?.parent_thread_id) ?? asText(payload.parent_thread_id);
}

/** Copied history is written in one go: lines without a pause between them, or older than the fork itself. */
const PAUSE = 1000;

/** True while the line belongs to the history that a fork took along; it counts where it happened. */
export function isReplayed(state: CodexState, at: number | undefined): boolean {
  if (state.replayUntil === undefined) return false;
  if (at === undefined || at > state.replayUntil + PAUSE) {
    state.replayUntil = undefined;
    state.forkedFrom = undefined;
    return false;
  }
  state.replayUntil = Math.max(state.replayUntil, at);
  return true;
}
