/** Calls and results of tools in a Codex rollout. */
import {
  asCount,
  asId,
  asObject,
  asText,
  contentText,
  type JsonObject,
  parsed,
  shown,
} from '../../json/json-fields.ts';
import { remember } from '../bounded-map.ts';
import { exited, type Outcome, sendCall, sendDiff, sendResult } from '../chat.ts';
import type { CodexLine } from './adapter.ts';

export function readFunctionCall(line: CodexLine): void {
  const { record, state } = line;
  const tool = toolName(record);
  const input = parsed(record.arguments ?? record.input ?? record.action);
  const callId = openCall(line, tool, input, asText(record.call_id) ?? asText(record.id));
  const process = asId(asObject(input)?.session_id);
  if (tool === 'write_stdin' && process !== undefined) remember(state.polls, callId, process);
}

const UNNAMED_TOOLS: ReadonlyMap<unknown, string> = new Map([
  ['local_shell_call', 'local_shell'],
  ['tool_search_call', 'tool_search'],
]);

function toolName(record: JsonObject): string {
  const name = asText(record.name) ?? asText(asObject(record.function)?.name);
  if (name === undefined) return UNNAMED_TOOLS.get(record.type) ?? 'unknown';
  const namespace = asText(record.namespace);
  return namespace?.startsWith('mcp') ? `${namespace}__${name}` : name;
}

/** Old calls have no id: their result is the next one of the same tool. */
function openCall(
  { state, line, send }: CodexLine,
  tool: string,
  input: unknown,
  id: string | undefined,
): string {
  const callId = id ?? `line-${line}`;
  if (id === undefined) remember(state.unnamedCalls, tool, callId);
  remember(state.calls, callId, tool);
  sendCall(send, callId, tool, input);
  return callId;
}

export function readFunctionOutput({ record, state, send }: CodexLine): void {
  const callId = asText(record.call_id) ?? state.unnamedCalls.get(toolName(record));
  if (callId === undefined) return;
  const { process, ...outcome } = outcomeOf(record.output ?? record.result ?? record.tools);
  if (process !== undefined) remember(state.processes, process, callId);
  sendResult(send, callId, outcome);
  // A background command is done when a later poll says so.
  const started = state.processes.get(state.polls.get(callId) ?? '');
  if (outcome.ok !== undefined && started !== undefined) sendResult(send, started, { ok: outcome.ok });
}

type CodexOutcome = Outcome & { readonly process?: string };

/** Results are text, a list of parts, `{ output, metadata }` (often as JSON in a string) or `{ content, success }`. */
function outcomeOf(output: unknown): CodexOutcome {
  const value = typeof output === 'string' && output.startsWith('{') ? parsed(output) : output;
  const fields = asObject(value);
  const text = fields === undefined ? contentText(value) : fieldsText(fields);
  const code = asObject(fields?.metadata)?.exit_code ?? fields?.exit_code ?? fields?.exitCode;
  if (typeof code === 'number') return { ...exited(code), text };
  return typeof fields?.success === 'boolean' ? { ok: fields.success, text } : textOutcome(text);
}

function fieldsText(fields: JsonObject): string {
  const said = fields.output ?? fields.content ?? fields.text ?? fields.stdout;
  return said === undefined ? (shown(fields) ?? '') : contentText(said);
}

/** The program's own header comes before the output. */
const HEAD = 400;
const EXITED = /^(?:Exit code|Process exited with code):? (-?\d+)/m;
const RUNNING = /^Process running with session ID (\S+)/m;
/** Said no to, or stopped while it ran. */
const DENIED =
  /^(?:(?:exec command|patch|command|tool call) (?:was )?(?:rejected|denied|aborted) by (?:the )?user|aborted by (?:the )?user\b)/i;

function textOutcome(text: string): CodexOutcome {
  const head = text.slice(0, HEAD);
  if (DENIED.test(head)) return { text, denied: true };
  const code = EXITED.exec(head)?.[1];
  if (code !== undefined) return { text, ok: Number(code) === 0 };
  const process = RUNNING.exec(head)?.[1];
  return process === undefined ? { text } : { text, running: true, process };
}

/** Tools that the API runs itself: call and result in one record. */
export function readHostedCall(line: CodexLine, tool: string): void {
  const { id, call_id, action, arguments: given, status } = line.record;
  const callId = openCall(line, tool, action ?? given, asText(id) ?? asText(call_id));
  if (status !== 'in_progress')
    sendResult(line.send, callId, { ok: asText(status) === undefined ? undefined : status === 'completed' });
}

export function readSearchOutput({ record, send }: CodexLine): void {
  sendResult(send, record.call_id, { ok: record.status !== 'failed' });
}

/** The end of a command or tool that may have been called out of sight of the conversation. */
function settle(line: CodexLine, callId: string, tool: string, input: unknown, outcome: Outcome): void {
  if (!line.state.calls.has(callId)) openCall(line, tool, input, callId);
  sendResult(line.send, callId, outcome);
}

function callIdOf({ call_id, id, callId }: JsonObject): string | undefined {
  return asText(call_id) ?? asText(id) ?? asText(callId);
}

export function readCommandEnd(line: CodexLine, fields: JsonObject): void {
  const callId = callIdOf(fields);
  if (callId === undefined) return;
  const text = asText(fields.aggregated_output) ?? asText(fields.formatted_output) ?? '';
  const outcome = fields.status === 'declined' ? { denied: true } : exited(fields.exit_code);
  settle(line, callId, 'shell', fields.command, { text, ...outcome });
}

export function readMcpEnd(line: CodexLine, fields: JsonObject): void {
  const callId = callIdOf(fields);
  if (callId === undefined) return;
  const call = asObject(fields.invocation) ?? fields;
  const tool = `mcp__${asText(call.server) ?? 'unknown'}__${asText(call.tool) ?? 'unknown'}`;
  settle(line, callId, tool, call.arguments, mcpOutcome(fields));
}

function mcpOutcome(fields: JsonObject): Outcome {
  const result = asObject(fields.result);
  if (result?.Err !== undefined) return { ok: false, text: shown(result.Err) ?? '' };
  const answer = asObject(result?.Ok) ?? result;
  if (answer === undefined) return fields.status === 'failed' ? { ok: false } : {};
  return { ok: answer.isError !== true, text: contentText(answer.content) };
}

export function readDynamicRequest(line: CodexLine): void {
  const { tool, arguments: input, callId, call_id } = line.record;
  openCall(line, asText(tool) ?? 'unknown', input, asText(callId) ?? asText(call_id));
}

export function readDynamicResponse(line: CodexLine): void {
  const { tool, arguments: input, success, callId, call_id } = line.record;
  const id = asText(call_id) ?? asText(callId);
  const ok = typeof success === 'boolean' ? success : undefined;
  if (id !== undefined) settle(line, id, asText(tool) ?? 'unknown', input, { ok });
}

/** A patch was applied, or was not. */
export function readPatchEnd(line: CodexLine, fields: JsonObject): void {
  const { status, success } = fields;
  const stated = status === 'completed' ? true : status === 'failed' ? false : undefined;
  const ok = typeof success === 'boolean' ? success : stated;
  if (ok === undefined) return;
  const callId = callIdOf(fields);
  if (callId !== undefined) {
    const text = asText(fields.stderr) ?? asText(fields.stdout) ?? '';
    if (ok) readChanges(line, callId, fields);
    settle(line, callId, 'apply_patch', undefined, { ok, text });
  }
  const files = asObject(fields.changes);
  const changes = files === undefined ? (asCount(fields.changes) ?? 0) : Object.keys(files).length;
  if (!ok || changes > 0) line.send({ kind: 'artifact', artifact: 'file', ok });
}

/** What the patch did to each file: `{ add: { content } }`, `{ type: 'update', unified_diff }`. */
function readChanges(line: CodexLine, callId: string, fields: JsonObject): void {
  if (!line.state.calls.has(callId)) openCall(line, 'apply_patch', undefined, callId);
  for (const [path, value] of Object.entries(asObject(fields.changes) ?? {})) {
    const change = asObject(value);
    const kind = asText(change?.type) ?? Object.keys(change ?? {})[0];
    const what = asObject(change?.[kind ?? '']) ?? change;
    if (kind === 'add' && typeof what?.content === 'string') {
      const added = what.content.split('\n');
      line.send({ kind: 'file-change', callId, path, added, removed: [], whole: true });
    } else sendDiff(line.send, callId, what?.unified_diff, asText(what?.move_path) ?? path);
  }
}
