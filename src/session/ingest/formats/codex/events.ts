/** What the program itself reports in a Codex rollout (`event_msg`). */
import type { EndReason } from '../../../event.ts';
import { asArray, asObject, asText, type JsonObject } from '../../json/json-fields.ts';
import { readUserParts, SAID_BY_COMPLETION, SAID_BY_EVENT } from './messages.ts';
import type { CodexLine } from './state.ts';
import {
  readCommandEnd,
  readDynamicRequest,
  readDynamicResponse,
  readMcpEnd,
  readPatchEnd,
} from './tools.ts';
import { readTokenCount, readTurnUsage } from './usage.ts';

type Reader = (place: CodexLine) => void;

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['user_message', (place) => readUserParts(place, place.payload.message, SAID_BY_EVENT)],
  ['token_count', readTokenCount],
  ['turn.completed', readTurnEnd],
  ['task_complete', readTaskComplete],
  ['turn_complete', readTaskComplete],
  ['turn.failed', (place) => place.send({ kind: 'end', reason: 'error' })],
  ['turn_aborted', readAborted],
  ['error', (place) => place.send({ kind: 'end', reason: errorReason(place.payload) })],
  ['context_compacted', (place) => readCompaction(place, 'event')],
  ['exec_command_end', (place) => readCommandEnd(place, place.payload)],
  ['mcp_tool_call_end', (place) => readMcpEnd(place, place.payload)],
  ['patch_apply_end', (place) => readPatchEnd(place, place.payload)],
  ['dynamic_tool_call_request', readDynamicRequest],
  ['dynamic_tool_call_response', readDynamicResponse],
  ['collab_agent_spawn_end', readSpawn],
  ['collab_waiting_end', readWaited],
  ['collab_close_end', (place) => sendSpawn(place, place.payload.receiver_thread_id, place.payload.status)],
  ['collab_agent_interaction_end', readInteraction],
  ['item_completed', readCompleted],
  ['undo_completed', readUndo],
]);

/** Known, and either said again elsewhere or not measured. */
const IGNORED: ReadonlySet<string> = new Set([
  'account/rateLimits/updated',
  'agent_message',
  'agent_message_delta',
  'agent_reasoning',
  'agent_reasoning_raw_content',
  'agent_reasoning_section_break',
  'background_event',
  'codex/event/raw_item',
  'collab_agent_interaction_begin',
  'collab_agent_spawn_begin',
  'collab_close_begin',
  'collab_waiting_begin',
  'deprecation_notice',
  'entered_review_mode',
  'exec_command_begin',
  'exited_review_mode',
  'guardian_assessment',
  'image_generation_end',
  'item_started',
  'mcp_tool_call_begin',
  'patch_apply_begin',
  'plan_update',
  'stream_error',
  'sub_agent_activity',
  'task_started',
  'thread_goal_updated',
  'thread_name_updated',
  'thread_rolled_back',
  'thread_settings_applied',
  'turn_diff',
  'turn_started',
  'view_image_tool_call',
  'warning',
  'web_search_begin',
  'web_search_end',
]);

/** The type of an event nobody knows, else undefined. */
export function readEvent(place: CodexLine): string | undefined {
  const type = asText(place.payload.type);
  if (type === undefined) return 'event_msg';
  const reader = READERS.get(type);
  if (reader === undefined) return IGNORED.has(type) ? undefined : `event_msg/${type}`;
  reader(place);
  return undefined;
}

function readTurnEnd(place: CodexLine): void {
  readTurnUsage(place);
  place.send({ kind: 'end', reason: 'normal' });
}

function readTaskComplete(place: CodexLine): void {
  const error = asObject(place.payload.error);
  place.send({ kind: 'end', reason: error === undefined ? 'normal' : errorReason(error) });
}

function errorReason(error: JsonObject): EndReason {
  const info = error.codex_error_info;
  const kind = typeof info === 'string' ? info : Object.keys(asObject(info) ?? {})[0];
  return kind?.startsWith('context_window') ? 'limit' : 'error';
}

function readAborted(place: CodexLine): void {
  const { reason } = place.payload;
  if (reason === 'review_ended') place.send({ kind: 'end', reason: 'normal' });
  else if (reason === 'budget_limited') place.send({ kind: 'end', reason: 'limit' });
  else place.send({ kind: 'interrupt' });
}

/** A compaction writes an event and a record; the second one of a pair is not another compaction. */
export function readCompaction(place: CodexLine, source: 'event' | 'record'): void {
  const { state } = place;
  if (state.compaction !== undefined && state.compaction !== source) {
    state.compaction = undefined;
    return;
  }
  state.compaction = source;
  place.send({ kind: 'compaction' });
}

function readSpawn(place: CodexLine): void {
  sendSpawn(place, place.payload.new_thread_id, place.payload.status);
}

function readInteraction(place: CodexLine): void {
  sendSpawn(place, place.payload.receiver_thread_id, place.payload.status);
}

function readWaited(place: CodexLine): void {
  for (const item of asArray(place.payload.agent_statuses)) {
    const entry = asObject(item);
    sendSpawn(place, entry?.thread_id, entry?.status);
  }
  for (const [thread, status] of Object.entries(asObject(place.payload.statuses) ?? {})) {
    sendSpawn(place, thread, status);
  }
}

function sendSpawn(place: CodexLine, thread: unknown, status: unknown): void {
  const sessionId = asText(thread);
  if (sessionId === undefined) return;
  const ok = spawnOk(status);
  place.send({ kind: 'spawn', spawnId: sessionId, sessionId, ok });
}

/** `"running"`, `"not_found"`, `{ completed: "…" }`, `{ errored: "…" }`. */
function spawnOk(status: unknown): boolean | undefined {
  const fields = asObject(status);
  const name = fields === undefined ? status : Object.keys(fields)[0];
  if (name === 'completed') return true;
  return name === 'errored' || name === 'failed' || name === 'not_found' ? false : undefined;
}

/** Newer versions write finished items; words of the model among them are in the conversation already. */
function readCompleted(place: CodexLine): void {
  const item = asObject(place.payload.item);
  if (item === undefined) return;
  if (item.type === 'UserMessage') readUserParts(place, item.content, SAID_BY_COMPLETION);
  else if (item.type === 'CommandExecution') readCommandEnd(place, item);
  else if (item.type === 'McpToolCall') readMcpEnd(place, item);
  else if (item.type === 'FileChange') readPatchEnd(place, item);
}

function readUndo(place: CodexLine): void {
  if (place.payload.success !== true) return;
  place.send({ kind: 'acceptance', value: 0, what: 'undone by the person' });
}
