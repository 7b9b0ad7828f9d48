/**
 * The state between the lines of a Claude Code transcript, and which session a line belongs to.
 *
 *  A file is one main session and the sub-agents that older versions wrote into it. Sub-agents are sessions of their
 * own: `<session>:agent-<agentId>`, whether they have a file (`agent-<id>.jsonl`, next to the session or in
 * `<session>/subagents/`) or are between the lines of their parent (`isSidechain`, identified by the first line of
 * their chain). The name includes the parent because agent ids of older versions have only seven digits.
 */
import type { Event, UnplacedEvent, Usage } from '../../../event.ts';
import { stemOf } from '../../files/name-by-file.ts';
import { asText, type JsonObject } from '../../json/json-fields.ts';
import { remember } from '../bounded-map.ts';
import type { Emit, FileInfo } from '../format.ts';

/** The usage counted for a message so far. */
export type Counted = {
  usage: Usage;
  /** As the line states it; absent when it does not. */
  costUsd?: number;
  /** Whether the line has the speed of the model. */
  speed: boolean;
  sidechain: boolean;
  /** The text of its time, which replays repeat. */
  at: string;
  key: string;
  /** The session that the line names. */
  said: string;
  /** The session it counts for. */
  session: string;
  /** How many messages had been sent on before it. */
  order: number;
};

/** The minimum number of lines and messages to remember: copies within a file are closer together. */
export const MIN_RECENT_HASHES = 16_384;

/** What is needed of the usage of a message of long ago. */
export type FarRow = Pick<Counted, 'usage' | 'speed' | 'sidechain'>;

export type ClaudeCodeState = {
  stem: string;
  /** Parent by the path of a sub-agent's file, for versions whose lines do not name it. */
  pathParent: string | undefined;
  /** The session named like the file: lines with another session's id are copies of its past. */
  pinned: string | undefined;
  current: string | undefined;
  /** Main sessions seen while none was pinned. */
  unpinned: string[];
  /** Session of the line before. */
  latest: string | undefined;
  /** A prompt whose session is known when its answer arrives. */
  pendingPrompt: { readonly record: JsonObject; readonly line: number } | undefined;
  sessions: Map<string, 1>;
  /** The session whose folder was recorded last: not every record has one, and one is enough. */
  placed: string | undefined;
  /** Lines by the hash of their `uuid`. */
  lines: Map<number, true>;
  /** Line of a sidechain → its session. */
  chains: Map<string, string>;
  /** Message id → the usage that counts, for each of its requests. */
  counted: Map<string, Counted[]>;
  /** The same for all messages of the file, in short: by the hash of the key of the message. */
  far: Map<number, FarRow>;
  /** Messages sent on so far. */
  sent: number;
  /** The session whose compaction was announced and whose summary is pending. */
  compacting: string | undefined;
  /** Sub-agent calls, by call id. */
  spawns: Map<string, 1>;
  /** Work in the background: task or agent → call. */
  background: Map<string, string>;
  pullRequests: Map<string, 1>;
  /** A command that the user ran themselves, until its output arrives. */
  personCommand: string | undefined;
  /** The last call that came without an id. */
  anonymousCall: string | undefined;
};

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MAX_UNPINNED = 32;

export function startClaudeCode(file: FileInfo): ClaudeCodeState {
  const stem = stemOf(file.path);
  return {
    stem,
    pathParent: folderSession(file.path),
    // A file with the name of a session is that session, whatever its first lines were copied from.
    pinned: UUID.test(stem) ? stem : undefined,
    current: undefined,
    unpinned: [],
    latest: undefined,
    pendingPrompt: undefined,
    sessions: new Map(),
    placed: undefined,
    lines: new Map(),
    chains: new Map(),
    counted: new Map(),
    far: new Map(),
    sent: 0,
    compacting: undefined,
    spawns: new Map(),
    background: new Map(),
    pullRequests: new Map(),
    personCommand: undefined,
    anonymousCall: undefined,
  };
}

/** The session whose sub-agents are in the folder of a file. */
function folderSession(path: string): string | undefined {
  return /[\\/]([^\\/]+)[\\/]subagents[\\/]/.exec(path)?.[1];
}

/** A line with its place: everything the readers of single record kinds need. */
export type Line = {
  readonly state: ClaudeCodeState;
  readonly record: JsonObject;
  readonly line: number;
  readonly at: number | undefined;
  readonly session: string;
  readonly sidechain: boolean;
  /** Written before, with the same `uuid`: only its usage may be news. */
  readonly repeated: boolean;
  readonly send: (event: UnplacedEvent) => void;
  /** To another session than the line's own. */
  readonly sendTo: (event: UnplacedEvent, session: string) => void;
};

export function placeLine(
  state: ClaudeCodeState,
  record: JsonObject,
  line: number,
  at: number | undefined,
  emit: Emit,
  repeated = false,
): Line {
  const sidechain = record.isSidechain === true;
  const before = state.pinned;
  const main = mainSession(state, record);
  const session = sidechain ? sidechainSession(state, record, main) : main;
  const sendTo = (event: UnplacedEvent, to: string): void => emit(placed(event, line, at), to);
  const send = (event: UnplacedEvent): void => sendTo(event, session);
  if (state.pinned !== before) {
    // What came before under another name is the beginning of this session.
    for (const other of state.unpinned) sendTo({ kind: 'session', sessionId: main }, other);
    state.unpinned = [];
  }
  if (session !== state.latest && state.sessions.get(session) === undefined) {
    remember(state.sessions, session, 1);
    send(introduce(state, record, session, main, sidechain));
  }
  const project = session === state.placed ? undefined : asText(record.cwd);
  if (project !== undefined) {
    state.placed = session;
    send({ kind: 'session', project });
  }
  state.latest = session;
  return { state, record, line, at, session, sidechain, repeated, send, sendTo };
}

/** The event itself, not a copy: the caller made it for this purpose. */
function placed(event: UnplacedEvent, line: number, at: number | undefined): Event {
  const whole = event as { line?: number; at?: number };
  whole.line = line;
  if (at !== undefined) whole.at = at;
  return whole as Event;
}

function introduce(
  state: ClaudeCodeState,
  record: JsonObject,
  session: string,
  main: string,
  sidechain: boolean,
): UnplacedEvent {
  if (!sidechain) return { kind: 'session', sessionId: session, agent: 'claude-code' };
  return {
    kind: 'session',
    sessionId: session,
    parentSessionId: parentOf(state, record, main),
    agent: asText(record.attributionAgent) ?? 'claude-code',
    trigger: 'subagent',
  };
}

function mainSession(state: ClaudeCodeState, record: JsonObject): string {
  const said = asText(record.sessionId);
  if (said === undefined) return state.pinned ?? state.current ?? state.stem;
  if (state.pinned !== undefined) return state.pinned;
  if (said !== state.current) {
    state.current = said;
    if (state.stem === said || state.stem.endsWith(`-${said}`)) state.pinned = said;
    else if (state.unpinned.length < MAX_UNPINNED && !state.unpinned.includes(said))
      state.unpinned.push(said);
  }
  return said;
}

function sidechainSession(state: ClaudeCodeState, record: JsonObject, main: string): string {
  const agent = asText(record.agentId);
  if (agent !== undefined) return childSession(parentOf(state, record, main), agent);
  const uuid = asText(record.uuid);
  const before = asText(record.parentUuid);
  const session =
    (before === undefined ? undefined : state.chains.get(before)) ?? `${main}:${uuid ?? 'sidechain'}`;
  if (uuid !== undefined) remember(state.chains, uuid, session);
  return session;
}

/** Lines of a sub-agent name its parent session; some name themselves, then the folder decides. */
function parentOf(state: ClaudeCodeState, record: JsonObject, main: string): string {
  const agent = asText(record.agentId);
  if (agent === undefined || (main !== agent && main !== `agent-${agent}`)) return main;
  return state.pathParent ?? main;
}

export function childSession(parent: string, agentId: string): string {
  return `${parent}:agent-${agentId}`;
}
