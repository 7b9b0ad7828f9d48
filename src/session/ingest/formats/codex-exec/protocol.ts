/** What earlier builds print: events of the protocol, each as `msg` under the id of its submission. */
import type { ResultEvent, UnplacedEvent } from '../../../event.ts';
import { asArray, asObject, asText, cutText, defined, type JsonObject } from '../../json/json-fields.ts';
import { recall, remember } from '../bounded-map.ts';
import type { CodexExecState } from './adapter.ts';

type Send = (event: UnplacedEvent) => void;

/** Deltas, thoughts, and what is told again by what follows. */
const IGNORED =
  /_delta$|^(?:task_started|agent_reasoning.*|exec_approval_request|apply_patch_approval_request|background_event|turn_diff|plan_update|web_search_begin|mcp_list_tools_response|stream_error|user_message|warning|deprecation_notice)$/;

export function isProtocolLine(fields: JsonObject): boolean {
  return asText(fields.id) !== undefined && asText(asObject(fields.msg)?.type) !== undefined;
}

/** Tokens are read where those of newer builds are. */
export function readProtocol(
  state: CodexExecState,
  msg: JsonObject,
  line: number,
  send: Send,
  readTotal: (usage: unknown) => void,
): string | undefined {
  const type = asText(msg.type) ?? '';
  switch (type) {
    case 'session_configured': {
      state.thread = asText(msg.session_id) ?? state.thread;
      const about = { sessionId: state.thread, model: asText(msg.model), project: asText(msg.cwd) };
      send({ kind: 'session', agent: 'codex', ...defined(about) });
      return undefined;
    }
    case 'agent_message':
      send({
        kind: 'reply',
        messageId: `line-${line}`,
        text: asText(msg.message) ?? '',
        usageElsewhere: true,
      });
      return undefined;
    case 'exec_command_begin':
      tellCall(state, msg, 'shell', { command: asArray(msg.command) }, send);
      return undefined;
    case 'patch_apply_begin':
      tellCall(state, msg, 'apply_patch', { files: Object.keys(asObject(msg.changes) ?? {}) }, send);
      return undefined;
    case 'mcp_tool_call_begin': {
      const called = asObject(msg.invocation);
      tellCall(state, msg, asText(called?.tool) ?? 'unknown', called?.arguments ?? null, send);
      return undefined;
    }
    case 'web_search_end':
      tellCall(state, msg, 'web_search', { query: msg.query ?? null }, send);
      sendResult(msg, { ok: true }, send);
      return undefined;
    case 'exec_command_end':
      sendResult(msg, typeof msg.exit_code === 'number' ? { ok: msg.exit_code === 0 } : {}, send);
      return undefined;
    case 'patch_apply_end':
      sendResult(msg, { ok: msg.success === true }, send);
      return undefined;
    case 'mcp_tool_call_end':
      sendResult(msg, { ok: asObject(msg.result)?.Ok !== undefined }, send);
      return undefined;
    case 'token_count':
      readTotal(asObject(msg.info)?.total_token_usage ?? (msg.info === undefined ? msg : undefined));
      return undefined;
    case 'turn_aborted':
      send({ kind: 'interrupt' });
      return undefined;
    case 'error':
      send({ kind: 'end', reason: 'error' });
      return undefined;
    case 'task_complete':
    case 'shutdown_complete':
      if (type === 'task_complete') send({ kind: 'end', reason: 'normal' });
      return undefined;
    default:
      return IGNORED.test(type) ? undefined : `msg ${type}`;
  }
}

function tellCall(state: CodexExecState, msg: JsonObject, tool: string, input: unknown, send: Send): void {
  const callId = asText(msg.call_id);
  if (callId === undefined || recall(state.calls, callId) !== undefined) return;
  remember(state.calls, callId, 1);
  send({ kind: 'call', callId, tool, input });
}

function sendResult(msg: JsonObject, outcome: Pick<ResultEvent, 'ok'>, send: Send): void {
  const callId = asText(msg.call_id);
  const said = [msg.aggregated_output ?? msg.stdout, msg.stderr]
    .filter((one) => typeof one === 'string')
    .join('\n');
  if (callId !== undefined) send({ kind: 'result', callId, ...outcome, text: cutText(said) });
}
