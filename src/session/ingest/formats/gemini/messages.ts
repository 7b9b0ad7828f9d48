/**
 * Messages of a Gemini CLI session. A message is written again under the same id when it grows (tokens and results of
 * tools come later): what was told before is not told twice, and the usage that was written last counts.
 */
import type { ResultEvent, Usage } from '../../../event.ts';
import {
  asArray,
  asCount,
  asObject,
  asText,
  cutText,
  type JsonObject,
  shown,
} from '../../json/json-fields.ts';
import { recall, remember } from '../bounded-map.ts';
import { shownDiff } from '../shown-diff.ts';
import { fencedCommand } from '../told-command.ts';
import type { GeminiLine } from './state.ts';

export function readUser(place: GeminiLine): void {
  const text = partsText(place.record.content ?? place.record.parts ?? place.record.message);
  if (newText(place, text) === undefined) return;
  if (text === '' && !hasAttachment(place.record)) return;
  const ran = fencedCommand(text);
  const origin = isRuntimeText(text) ? 'runtime' : place.state.subagent ? 'subagent' : 'user';
  place.send(ran ?? { kind: 'user', origin, text });
}

/** Pictures and files without a word are a message, too; answers of tools are none. */
function hasAttachment(record: JsonObject): boolean {
  return asArray(record.content ?? record.parts).some((part) => {
    const fields = asObject(part);
    return fields?.inlineData !== undefined || fields?.fileData !== undefined;
  });
}

const RUNTIME_STARTS = [
  'System: Please continue',
  '<session_context>',
  '<state_snapshot>',
  '<hook_context>',
  'This is the Gemini CLI. We are setting up the context',
];

function isRuntimeText(text: string): boolean {
  return RUNTIME_STARTS.some((start) => text.startsWith(start));
}

export function readReply(place: GeminiLine): void {
  const { record } = place;
  const text = newText(place, partsText(record.content ?? record.parts)) ?? '';
  const messageId = asText(record.id);
  const model = asText(record.model);
  const usage = usageOf(record.tokens);
  place.send({
    kind: 'reply',
    text,
    ...(messageId && { messageId: `${place.state.session ?? ''} ${messageId}` }),
    ...(model && { model }),
    ...(usage && { usage }),
  });
  asArray(record.toolCalls).forEach((call, index) => {
    const fields = asObject(call);
    if (fields !== undefined) readCall(place, fields, index);
  });
}

/** What a message says beyond what it said when it was written before; undefined when that is nothing. */
function newText(place: GeminiLine, text: string): string | undefined {
  const id = asText(place.record.id);
  if (id === undefined) return text;
  const told = recall(place.state.messages, id);
  remember(place.state.messages, id, Math.max(told ?? 0, text.length));
  if (told === undefined) return text;
  return text.length > told ? text.slice(told) : undefined;
}

/** True when a note with this id was read before. */
export function isKnown(place: GeminiLine): boolean {
  const id = asText(place.record.id);
  if (id === undefined) return false;
  const known = recall(place.state.messages, id) !== undefined;
  remember(place.state.messages, id, 0);
  return known;
}

/** A string, or parts; thoughts (`thought: true`) are not said, and calls and answers of tools have no text. */
export function partsText(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content : [content];
  const texts: string[] = [];
  for (const part of parts) {
    const fields = asObject(part);
    const text = typeof part === 'string' ? part : fields?.thought === true ? undefined : fields?.text;
    if (typeof text === 'string' && text !== '') texts.push(text);
  }
  return texts.join('\n');
}

/**
 * The input contains what was read from the cache. Gemini bills thinking as output and states it apart from the
 * output; what tools put into the prompt is billed as input and is stated apart from it, too.
 */
function usageOf(tokens: unknown): Usage | undefined {
  const fields = asObject(tokens);
  const prompt = asCount(fields?.input);
  const said = asCount(fields?.output);
  if (fields === undefined || (prompt === undefined && said === undefined)) return undefined;
  const cacheRead = Math.min(asCount(fields.cached) ?? 0, prompt ?? 0);
  return {
    input: (prompt ?? 0) - cacheRead + (asCount(fields.tool) ?? 0),
    output: (said ?? 0) + (asCount(fields.thoughts) ?? 0),
    cacheRead,
    cacheWrite: 0,
  };
}

function readCall(place: GeminiLine, call: JsonObject, index: number): void {
  const { state, record, line, send } = place;
  const callId = asText(call.id) ?? `${asText(record.id) ?? `line-${line}`}/${index}`;
  const tool = asText(call.name) ?? 'unknown';
  const agent = asText(call.agentId);
  const stage = recall(state.calls, callId);
  if (stage === undefined) send({ kind: 'call', callId, tool, input: call.args ?? null });
  if (stage === undefined && agent !== undefined) send({ kind: 'spawn', spawnId: callId, sessionId: agent });
  if (stage === 2) return;
  const outcome = outcomeOf(call, tool);
  remember(state.calls, callId, outcome.running ? 1 : 2);
  if (outcome.running && stage !== undefined) return;
  const display = asObject(call.resultDisplay);
  const path = asText(asObject(call.args)?.file_path) ?? asText(display?.filePath);
  for (const change of shownDiff(callId, asText(display?.fileDiff), path)) send(change);
  send({ kind: 'result', callId, ...outcome });
  if (agent !== undefined && outcome.ok !== undefined)
    send({ kind: 'spawn', spawnId: callId, ok: outcome.ok });
}

type Outcome = Pick<ResultEvent, 'ok' | 'running' | 'denied' | 'text'>;

function outcomeOf(call: JsonObject, tool: string): Outcome {
  const text = resultText(call);
  const cut = cutText(text);
  if (call.status === 'error') return { ok: false, text: cut };
  if (call.status === 'cancelled') return { denied: true, text: cut };
  if (call.status === 'success') {
    return { ok: !isFailedCommand(tool, text) && !hasErrorAnswer(call), text: cut };
  }
  return call.result === undefined || call.result === null ? { running: true } : { text: cut };
}

/** A command that fails is still a success of the tool; its exit code stands in the answer. */
const EXIT_CODE = /(?:^|\n|\\n)Exit Code: (-?\d+)/;
const SHELL = /shell|terminal|bash/i;

function isFailedCommand(tool: string, text: string): boolean {
  if (!SHELL.test(tool)) return false;
  const code = EXIT_CODE.exec(text)?.[1];
  return code !== undefined && Number(code) !== 0;
}

function hasErrorAnswer(call: JsonObject): boolean {
  return answers(call).some((answer) => answer.error !== undefined && answer.error !== null);
}

function answers(call: JsonObject): JsonObject[] {
  const found: JsonObject[] = [];
  for (const part of Array.isArray(call.result) ? call.result : [call.result]) {
    const answer = asObject(asObject(asObject(part)?.functionResponse)?.response);
    if (answer !== undefined) found.push(answer);
  }
  return found;
}

function resultText(call: JsonObject): string {
  const said = answers(call).map((answer) => {
    const value = answer.output ?? answer.error ?? answer.content;
    return typeof value === 'string' ? value : (shown(value) ?? '');
  });
  if (said.length > 0) return said.join('\n');
  return partsText(call.result) || (typeof call.resultDisplay === 'string' ? call.resultDisplay : '');
}
