/**
 * Sessions of Qwen Code: a tree of records that hold messages in the words of the Gemini API. Going back in a
 * conversation leaves a branch; a record may be written again under its id when it grew.
 */
import type { UnplacedEvent } from '../../../event.ts';
import { asObject, asText, asTime, defined, type JsonObject } from '../../json/json-fields.ts';
import { type BoundedMap, newBoundedMap } from '../bounded-map.ts';
import type { Adapter, Emit, FileInfo, Sample } from '../format.ts';
import { placeEvent } from '../place-event.ts';
import { readReply, readResults, readUser } from './messages.ts';

export type QwenState = {
  session: string | undefined;
  /** Of a sub-agent's file: the agent, whose records have the id of the session it serves. */
  readonly agent: string | undefined;
  /** Calls that were told, by id. */
  calls: BoundedMap<string>;
};

export type QwenLine = {
  readonly state: QwenState;
  readonly record: JsonObject;
  readonly line: number;
  readonly subagent: boolean;
  readonly send: (event: UnplacedEvent) => void;
};

function start({ path }: FileInfo): QwenState {
  const agent = /[\\/]subagents[\\/][^\\/]+[\\/]agent-([^\\/]+)\.jsonl/.exec(path)?.[1];
  return { session: undefined, agent, calls: newBoundedMap() };
}

function step(state: QwenState, record: unknown, line: number, emit: Emit): string | undefined {
  const fields = asObject(record);
  if (fields === undefined) return '(not an object)';
  const agent = asText(fields.agentId) ?? state.agent;
  const subagent = agent !== undefined || fields.isSidechain === true;
  const parent = asText(fields.sessionId) ?? '';
  const session = subagent ? `${parent}:agent-${agent ?? 'unnamed'}` : parent;
  const at = asTime(fields.timestamp);
  const send = (event: UnplacedEvent): void => emit(placeEvent(event, { line, at }), session);
  const place: QwenLine = { state, record: fields, line, subagent, send };
  if (session !== state.session) {
    state.session = session;
    const project = asText(fields.cwd);
    const served = subagent ? { parentSessionId: parent, trigger: 'subagent' as const } : {};
    send({ kind: 'session', agent: 'qwen-code', sessionId: session, ...served, ...defined({ project }) });
  }
  return readRecord(place);
}

function readRecord(place: QwenLine): string | undefined {
  const type = asText(place.record.type);
  switch (type) {
    case 'user':
      readUser(place);
      return undefined;
    case 'assistant':
      readReply(place);
      return undefined;
    case 'tool_result':
      readResults(place);
      return undefined;
    case 'system':
      return readSystem(place);
    default:
      return type ?? '(no type)';
  }
}

/** What the program notes for itself. `rewind` needs no reading: what comes next hangs on an earlier record. */
const NOTES: ReadonlySet<string> = new Set(
  `ui_telemetry slash_command custom_title parent_session session_model notification cron mid_turn_user_message
   agent_retry file_history_snapshot rewind session_artifact_snapshot at_command`.split(/\s+/),
);

function readSystem({ record, send }: QwenLine): string | undefined {
  const subtype = asText(record.subtype) ?? '(no subtype)';
  if (subtype === 'chat_compression') send({ kind: 'compaction' });
  else if (subtype === 'turn_result') readTurnResult(asObject(record.systemPayload)?.state, send);
  else if (!NOTES.has(subtype)) return `system ${subtype}`;
  return undefined;
}

function readTurnResult(state: unknown, send: QwenLine['send']): void {
  if (state === 'completed') send({ kind: 'end', reason: 'normal' });
  else if (state === 'error') send({ kind: 'end', reason: 'error' });
  else if (state === 'cancelled') send({ kind: 'interrupt' });
}

/** Claude Code has the same outer shape, and other messages in it. */
function detect({ records }: Sample): boolean {
  return records.some((record) => {
    const fields = asObject(record);
    const message = asObject(fields?.message);
    return (
      asText(fields?.uuid) !== undefined &&
      asText(fields?.sessionId) !== undefined &&
      asText(fields?.type) !== undefined &&
      asText(message?.role) !== undefined &&
      Array.isArray(message?.parts)
    );
  });
}

/** A branch that became a session of its own begins with the records of its origin, and names them. */
function entryKey(record: unknown): string | undefined {
  const fields = asObject(record);
  return asText(asObject(fields?.forkedFrom)?.messageUuid) ?? asText(fields?.uuid);
}

/** The first record after a start anew has no parent either: it follows on what came before. */
function parentKey(record: unknown): string | undefined {
  return asText(asObject(record)?.parentUuid);
}

export const qwenCodeAdapter: Adapter<QwenState> = { detect, start, step, entryKey, parentKey };
