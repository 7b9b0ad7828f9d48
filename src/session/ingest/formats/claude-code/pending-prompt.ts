/**
 * A prompt may be written under the id of the session before: it belongs to the session of its answer, found by its
 * parent line. Where the file does not name its session, a prompt waits for the next line.
 */
import { asArray, asObject, asText, asTime, type JsonObject } from '../../json/json-fields.ts';
import type { Emit } from '../format.ts';
import { type ClaudeCodeState, placeLine } from './state.ts';
import { readUser } from './user.ts';

/** True when the line is a prompt and waits. */
export function deferPrompt(state: ClaudeCodeState, record: JsonObject, line: number): boolean {
  if (state.pinned !== undefined || record.isSidechain === true || !isPrompt(record)) return false;
  state.pendingPrompt = { record, line };
  return true;
}

function isPrompt(record: JsonObject): boolean {
  if (record.type !== 'user' || asText(record.uuid) === undefined) return false;
  const content = asObject(record.message)?.content;
  return (
    typeof content === 'string' || asArray(content).every((item) => asObject(item)?.type !== 'tool_result')
  );
}

/** Reads the prompt that waits, now that the next line has come. */
export function readPendingPrompt(state: ClaudeCodeState, next: JsonObject | undefined, emit: Emit): void {
  const held = state.pendingPrompt;
  if (held === undefined) return;
  state.pendingPrompt = undefined;
  const { record, line } = held;
  const isAnswer = next !== undefined && next.isSidechain !== true && asText(next.parentUuid) === record.uuid;
  const session = isAnswer ? asText(next.sessionId) : undefined;
  const own = session === undefined ? record : { ...record, sessionId: session };
  readUser(placeLine(state, own, line, asTime(record.timestamp), emit));
}

/** The same at the end of what there is; the state stays as it is. */
export function finishPendingPrompt(state: ClaudeCodeState, emit: Emit): void {
  if (state.pendingPrompt === undefined) return;
  const { sessions, chains, spawns, background, pullRequests, unpinned } = state;
  const memory = { sessions, chains, spawns, background, pullRequests, unpinned };
  const copy: ClaudeCodeState = { ...state, ...structuredClone(memory) };
  readPendingPrompt(copy, undefined, emit);
}
