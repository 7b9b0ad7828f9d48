/** Calls and results of tools in a Codex rollout. */
import type { ResultEvent } from '../../../event.ts';
import { readDiffs } from '../../../fold/file-changes.ts';
import {
  asCount,
  asId,
  asObject,
  asText,
  contentText,
  cutText,
  type JsonObject,
  parsed,
  shown,
} from '../../json/json-fields.ts';
import { remember } from '../bounded-map.ts';
import type { CodexLine } from './state.ts';

export function readFunctionCall(place: CodexLine): void {
  const { payload, state } = place;
  const tool = toolName(payload);
  const input = parsed(payload.arguments ?? payload.input ?? payload.action);
  const callId = openCall(place, tool, input, asText(payload.call_id) ?? asText(payload.id));
  const process = asId(asObject(input)?.session_id);
  if (tool === 'write_stdin' && process !== undefined) remember(state.polls, callId, process);
}

const UNNAMED_TOOLS: ReadonlyMap<unknown, string> = new Map([
  ['local_shell_call', 'local_shell'],
  ['tool_search_call', 'tool_search'],
]);

function toolName(payload: JsonObject): string {
  const name = asText(payload.name) ?? asText(asObject(payload.function)?.name);
  if (name === undefined) return UNNAMED_TOOLS.get(payload.type) ?? 'unknown';
  const namespace = asText(payload.namespace);
  return namespace?.startsWith('mcp') ? `${namespace}__${name}` : name;
}

/** Old calls have no id: their result is the next one of the same tool. */
function openCall(place: CodexLine, tool: string, input: unknown, id: string | undefined): string {
  const callId = id ?? `line-${place.line}`;
  if (id === undefined) remember(place.state.unnamedCalls, tool, callId);
  remember(place.state.calls, callId, tool);
  place.send({ kind: 'call', callId, tool, input: input ?? null });
  return callId;
}

export function readFunctionOutput(place: CodexLine): void {
  const { payload, state } = place;
  const callId = asText(payload.call_id) ?? state.unnamedCalls.get(toolName(payload));
  if (callId === undefined) return;
  const outcome = outcomeOf(payload.output ?? payload.result ?? payload.tools);
  if (outcome.process !== undefined) remember(state.processes, outcome.process, callId);
  const { process: _, ...result } = outcome;
  place.send({ kind: 'result', callId, ...result });
  finishProcess(place, callId, outcome);
}

type Outcome = Pick<ResultEvent, 'ok' | 'running' | 'denied' | 'text'> & { process?: string };

/** A command that went on is done when a later look at it says so. */
function finishProcess(place: CodexLine, poll: string, outcome: Outcome): void {
  if (outcome.ok === undefined) return;
  const process = place.state.polls.get(poll);
  const started = process === undefined ? undefined : place.state.processes.get(process);
  if (started !== undefined) place.send({ kind: 'result', callId: started, ok: outcome.ok });
}

/** Results are text, a list of parts, `{ output, metadata }` (often as JSON in a string) or `{ content, success }`. */
function outcomeOf(output: unknown): Outcome {
  const value = typeof output === 'string' && output.startsWith('{') ? parsed(output) : output;
  const fields = asObject(value);
  const text = fields === undefined ? contentText(value) : fieldsText(fields);
  const code = asObject(fields?.metadata)?.exit_code ?? fields?.exit_code ?? fields?.exitCode;
  if (typeof code === 'number') return { ok: code === 0, text: cutText(text) };
  if (typeof fields?.success === 'boolean') return { ok: fields.success, text: cutText(text) };
  return textOutcome(text);
}

function fieldsText(fields: JsonObject): string {
  const said = fields.output ?? fields.content ?? fields.text ?? fields.stdout;
  if (said === undefined) return shown(fields) ?? '';
  return typeof said === 'string' ? said : contentText(said);
}

/** The program's own words stand above the output. */
const HEAD = 400;
const EXITED = /^(?:Exit code|Process exited with code):? (-?\d+)/m;
const RUNNING = /^Process running with session ID (\S+)/m;
/** Said no to, or stopped while it ran. */
const DENIED =
  /^(?:(?:exec command|patch|command|tool call) (?:was )?(?:rejected|denied|aborted) by (?:the )?user|aborted by (?:the )?user\b)/i;

function textOutcome(text: string): Outcome {
  const head = text.slice(0, HEAD);
  const shortened = { text: cutText(text) };
  if (DENIED.test(head)) return { ...shortened, denied: true };
  const code = EXITED.exec(head)?.[1];
  if (code !== undefined) return { ...shortened, ok: Number(code) === 0 };
  const process = RUNNING.exec(head)?.[1];
  return process === undefined ? shortened : { ...shortened, running: true, process };
}

/** Tools that the API runs itself: call and result in one record. */
export function readHostedCall(place: CodexLine, tool: string): void {
  const { payload } = place;
  const id = asText(payload.id) ?? asText(payload.call_id);
  const callId = openCall(place, tool, payload.action ?? payload.arguments, id);
  if (payload.status === 'in_progress') return;
  place.send({
    kind: 'result',
    callId,
    ...(asText(payload.status) && { ok: payload.status === 'completed' }),
  });
}

export function readSearchOutput(place: CodexLine): void {
  const callId = asText(place.payload.call_id);
  if (callId !== undefined) place.send({ kind: 'result', callId, ok: place.payload.status !== 'failed' });
}

/** The end of a command or tool that may have been called out of sight of the conversation. */
function settle(place: CodexLine, callId: string, tool: string, input: unknown, result: Outcome): void {
  if (place.state.calls.get(callId) === undefined) openCall(place, tool, input, callId);
  place.send({ kind: 'result', callId, ...result });
}

export function readCommandEnd(place: CodexLine, fields: JsonObject): void {
  const callId = asText(fields.call_id) ?? asText(fields.id);
  if (callId === undefined) return;
  const text = cutText(asText(fields.aggregated_output) ?? asText(fields.formatted_output) ?? '');
  settle(place, callId, 'shell', fields.command, { text, ...commandOutcome(fields) });
}

function commandOutcome(fields: JsonObject): Outcome {
  if (fields.status === 'declined') return { denied: true };
  return typeof fields.exit_code === 'number' ? { ok: fields.exit_code === 0 } : {};
}

export function readMcpEnd(place: CodexLine, fields: JsonObject): void {
  const callId = asText(fields.call_id) ?? asText(fields.id);
  if (callId === undefined) return;
  const call = asObject(fields.invocation) ?? fields;
  const tool = `mcp__${asText(call.server) ?? 'unknown'}__${asText(call.tool) ?? 'unknown'}`;
  settle(place, callId, tool, call.arguments, mcpOutcome(fields));
}

function mcpOutcome(fields: JsonObject): Outcome {
  const result = asObject(fields.result);
  if (result?.Err !== undefined) return { ok: false, text: cutText(shown(result.Err) ?? '') };
  const answer = asObject(result?.Ok) ?? result;
  if (answer === undefined) return fields.status === 'failed' ? { ok: false } : {};
  return { ok: answer.isError !== true, text: cutText(contentText(answer.content)) };
}

export function readDynamicRequest(place: CodexLine): void {
  const { payload } = place;
  openCall(
    place,
    asText(payload.tool) ?? 'unknown',
    payload.arguments,
    asText(payload.callId) ?? asText(payload.call_id),
  );
}

export function readDynamicResponse(place: CodexLine): void {
  const { payload } = place;
  const callId = asText(payload.call_id) ?? asText(payload.callId);
  if (callId === undefined) return;
  const ok = typeof payload.success === 'boolean' ? { ok: payload.success } : {};
  settle(place, callId, asText(payload.tool) ?? 'unknown', payload.arguments, ok);
}

/** A patch was applied, or was not. */
export function readPatchEnd(place: CodexLine, fields: JsonObject): void {
  const ok = typeof fields.success === 'boolean' ? fields.success : patchStatus(fields.status);
  if (ok === undefined) return;
  const callId = asText(fields.call_id) ?? asText(fields.id);
  if (callId !== undefined) {
    const text = cutText(asText(fields.stderr) ?? asText(fields.stdout) ?? '');
    if (ok) readChanges(place, callId, fields);
    settle(place, callId, 'apply_patch', undefined, { ok, text });
  }
  if (!ok || changes(fields) > 0) place.send({ kind: 'artifact', artifact: 'file', ok });
}

/** What the patch did to each file: `{ add: { content } }`, `{ type: 'update', unified_diff }`. */
function readChanges(place: CodexLine, callId: string, fields: JsonObject): void {
  if (place.state.calls.get(callId) === undefined) openCall(place, 'apply_patch', undefined, callId);
  for (const [path, value] of Object.entries(asObject(fields.changes) ?? {})) {
    const change = asObject(value);
    const kind = asText(change?.type) ?? Object.keys(change ?? {})[0];
    const what = asObject(change?.[kind ?? '']) ?? change;
    const moved = asText(what?.move_path) ?? path;
    const diff = asText(what?.unified_diff);
    if (kind === 'add' && typeof what?.content === 'string') {
      const added = what.content.split('\n');
      place.send({ kind: 'file-change', callId, path, added, removed: [], whole: true });
    } else if (diff !== undefined)
      for (const one of readDiffs(diff, moved)) place.send({ kind: 'file-change', callId, ...one });
  }
}

function patchStatus(status: unknown): boolean | undefined {
  if (status === 'completed') return true;
  return status === 'failed' ? false : undefined;
}

function changes(fields: JsonObject): number {
  const files = asObject(fields.changes);
  return files === undefined ? (asCount(fields.changes) ?? 0) : Object.keys(files).length;
}
