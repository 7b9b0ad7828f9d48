/** Items of a turn: what the model says, and its calls, which begin and end under one id. */
import type { ResultEvent, UnplacedEvent } from '../../../event.ts';
import {
  asArray,
  asObject,
  asObjects,
  asText,
  contentText,
  cutText,
  defined,
  type JsonObject,
  shown,
} from '../../json/json-fields.ts';
import { recall, remember } from '../bounded-map.ts';
import type { CodexExecState } from './adapter.ts';

type Send = (event: UnplacedEvent) => void;
type Call = { readonly tool: string; readonly input: unknown };

export function readItem(
  state: CodexExecState,
  item: JsonObject,
  isDone: boolean,
  send: Send,
): string | undefined {
  const id = `${state.runs}/${asText(item.id) ?? ''}`;
  const type = asText(item.type);
  switch (type) {
    case 'agent_message':
      if (isDone) send({ kind: 'reply', messageId: id, text: asText(item.text) ?? '', usageElsewhere: true });
      return undefined;
    case 'reasoning':
    case 'todo_list':
    case 'error':
      return undefined;
    default: {
      const call = callOf(item);
      if (call === undefined) return `item ${type ?? '(no type)'}`;
      tellCall(state, id, call, send);
      if (isDone) readOutcome(item, id, send);
      return undefined;
    }
  }
}

function callOf(item: JsonObject): Call | undefined {
  switch (item.type) {
    case 'command_execution':
      return { tool: 'shell', input: { command: item.command ?? null } };
    case 'file_change':
      return { tool: 'apply_patch', input: patchOf(item) };
    case 'mcp_tool_call':
      return { tool: asText(item.tool) ?? 'unknown', input: item.arguments ?? null };
    case 'collab_tool_call':
      return { tool: asText(item.tool) ?? 'unknown', input: { prompt: item.prompt ?? null } };
    case 'web_search':
      return { tool: 'web_search', input: { query: item.query ?? null } };
    default:
      return undefined;
  }
}

/** Changes without their text, in the words of the tool. */
function patchOf({ changes }: JsonObject): JsonObject {
  const words: Readonly<Record<string, string>> = { add: 'Add', delete: 'Delete' };
  const lines = asObjects(changes).map(
    ({ path, kind }) => `*** ${words[asText(kind) ?? ''] ?? 'Update'} File: ${asText(path) ?? ''}`,
  );
  return { input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') };
}

function tellCall(state: CodexExecState, callId: string, { tool, input }: Call, send: Send): void {
  if (recall(state.calls, callId) !== undefined) return;
  remember(state.calls, callId, 1);
  send({ kind: 'call', callId, tool, input });
}

function readOutcome(item: JsonObject, callId: string, send: Send): void {
  const result = asObject(item.result);
  const text =
    asText(item.aggregated_output) ??
    asText(asObject(item.error)?.message) ??
    (result === undefined ? undefined : contentText(result.content) || shown(result));
  send({ kind: 'result', callId, ...outcomeOf(item), ...defined({ text: text && cutText(text) }) });
  if (item.type === 'collab_tool_call') readAgents(item, send);
}

/** What became of agents is told where they are started, and where they are waited for. */
function readAgents(item: JsonObject, send: Send): void {
  const states = asObject(item.agents_states) ?? {};
  const started = item.tool === 'spawn_agent' ? asArray(item.receiver_thread_ids) : [];
  for (const sessionId of new Set([...started, ...Object.keys(states)].flatMap((id) => asText(id) ?? []))) {
    const ok = AGENT_ENDS.get(asObject(states[sessionId])?.status);
    if (ok !== undefined || started.includes(sessionId))
      send({ kind: 'spawn', spawnId: sessionId, sessionId, ...defined({ ok }) });
  }
}

/** Others are still at work, or were stopped. */
const AGENT_ENDS: ReadonlyMap<unknown, boolean> = new Map([
  ['completed', true],
  ['errored', false],
  ['failed', false],
  ['not_found', false],
]);

function outcomeOf(item: JsonObject): Pick<ResultEvent, 'ok' | 'denied' | 'byRule' | 'running'> {
  // Nobody is there to ask.
  if (item.status === 'declined') return { denied: true, byRule: true };
  if (item.status === 'in_progress') return { running: true };
  if (typeof item.exit_code === 'number') return { ok: item.exit_code === 0 };
  if (item.status === 'failed' || asObject(item.error) !== undefined) return { ok: false };
  return item.status === 'completed' || item.type === 'web_search' ? { ok: true } : {};
}
