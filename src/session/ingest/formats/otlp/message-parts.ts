/** One message of a conversation, in whichever API's words it is written. */
import {
  asArray,
  asId,
  asObject,
  asObjects,
  asText,
  contentText,
  type JsonObject,
  parsed,
  shown,
} from '../../json/json-fields.ts';

export type MessageCall = { readonly id?: string; readonly tool: string; readonly input: unknown };
/** Without a text what was answered is not recorded. */
export type MessageResult = { readonly id?: string; readonly text?: string; readonly ok?: boolean };

export type Message = {
  readonly role: string;
  readonly text: string;
  /** False: that there was a message is all that was recorded of it. */
  readonly recorded: boolean;
  readonly calls: readonly MessageCall[];
  readonly results: readonly MessageResult[];
  readonly finish?: string;
};

const ROLES = new Map([
  ['human', 'user'],
  ['ai', 'assistant'],
  ['model', 'assistant'],
  ['function', 'tool'],
  ['tool-response', 'tool'],
]);

const CALLS = new Set(['tool_call', 'tool-call', 'tool_use', 'function_call', 'server_tool_use', 'toolUse']);
const RESULTS = new Set([
  'tool_call_response',
  'tool-result',
  'tool-error',
  'tool_result',
  'function_call_output',
  'function_call_result',
  'tool_response',
  'toolResult',
]);
const CALL_IDS = [
  'toolCallId',
  'tool_call_id',
  'tool_use_id',
  'call_id',
  'callId',
  'toolUseId',
  'id',
] as const;

export function readMessage(message: JsonObject, role: string): Message {
  const type = asText(message.type) ?? '';
  // In some APIs calls and results stand among the messages.
  const parts = CALLS.has(type) || RESULTS.has(type) ? [message] : partsOf(message);
  const finish = asText(message.finish_reason) ?? asText(message.finishReason) ?? asText(message.stop_reason);
  const named = (asText(message.role) ?? asText(message.author) ?? ROLES.get(type) ?? role).toLowerCase();
  const called = [...parts.flatMap(callIn), ...asObjects(parsed(message.tool_calls)).flatMap(callIn)];
  const toolCalls = asObjects(parsed(message.toolCalls)).flatMap(callIn);
  const results = [...parts.flatMap(resultIn), ...wholeResult(message, parts)];
  const isTool = CALLS.has(type) ? 'assistant' : RESULTS.has(type) ? 'tool' : (ROLES.get(named) ?? named);
  return {
    role: isTool,
    text: results.length > 0 ? '' : textOf(message, parts),
    recorded: parts.length > 0 ? parts.some(isRecorded) : isWords(message.content) || isWords(message.text),
    calls: called.length > 0 ? called : toolCalls,
    results,
    ...(finish === undefined ? {} : { finish }),
  };
}

/** Without its content a part only says that there was one. */
function isRecorded(part: JsonObject): boolean {
  return isWords(part.text) || isWords(part.content) || callIn(part).length > 0 || resultIn(part).length > 0;
}

function isWords(value: unknown): boolean {
  return typeof value === 'string';
}

/** A list of parts is often written as JSON text; other JSON is simply what was said. */
function partsOf(message: JsonObject): readonly JsonObject[] {
  for (const list of [message.parts, message.content, message.contents]) {
    const value = typeof list === 'string' && /^\s*\[\s*\{\s*"/.test(list) ? parsed(list) : list;
    const parts = Array.isArray(value) ? asObjects(value) : asObjects([value]);
    if (parts.length > 0 && (!Array.isArray(value) || parts.some(isPart))) return parts;
  }
  return [];
}

function isPart(part: JsonObject): boolean {
  return PART_KEYS.some((key) => key in part);
}

const PART_KEYS = [
  'type',
  'text',
  'functionCall',
  'function_call',
  'functionResponse',
  'function_response',
  'toolUse',
  'toolResult',
] as const;

function textOf(message: JsonObject, parts: readonly JsonObject[]): string {
  if (parts.length > 0) return contentText(parts);
  const content = message.content ?? message.text;
  return typeof content === 'string' || Array.isArray(content) ? contentText(content) : '';
}

function callIn(part: JsonObject): MessageCall[] {
  const inner =
    asObject(part.functionCall ?? part.function_call) ?? asObject(part.toolUse) ?? asObject(part.function);
  const type = asText(part.type);
  if (inner === undefined && type !== undefined && !CALLS.has(type) && type !== 'function') return [];
  const called = inner ?? part;
  const tool = asText(called.name) ?? asText(called.toolName) ?? asText(called.tool_name);
  if (tool === undefined || (inner === undefined && type === undefined && !takesInput(part))) return [];
  const id = idOf(part) ?? idOf(called);
  const input = parsed(called.arguments ?? called.args ?? called.input);
  return [{ tool, input, ...(id === undefined ? {} : { id }) }];
}

function takesInput(part: JsonObject): boolean {
  return 'arguments' in part || 'args' in part || 'input' in part || 'toolCallId' in part || 'id' in part;
}

function resultIn(part: JsonObject): MessageResult[] {
  const inner = asObject(part.functionResponse ?? part.function_response) ?? asObject(part.toolResult);
  if (inner === undefined && !RESULTS.has(asText(part.type) ?? '')) return [];
  return [readResult({ ...part, ...inner })];
}

/** A message that is a tool's answer as a whole. Some write it under the role of the user, with the call's id. */
function wholeResult(message: JsonObject, parts: readonly JsonObject[]): MessageResult[] {
  const role = asText(message.role) ?? asText(message.type);
  const isAnswer = role === 'tool' || role === 'function' || message.tool_call_id !== undefined;
  if (!isAnswer || role === 'assistant' || parts.some((part) => resultIn(part).length > 0)) return [];
  return [readResult({ ...message, type: undefined })];
}

function readResult(part: JsonObject): MessageResult {
  const id = idOf(part)?.trim();
  const stated = part.response ?? part.result ?? part.output ?? part.error ?? part.content;
  const output = asObject(stated);
  const answer =
    output === undefined ? stated : 'value' in output ? output.value : (asText(output.text) ?? bare(output));
  const ok = saysOk(part, output);
  const text = Array.isArray(answer) ? contentText(asArray(answer)) : shown(parsedText(answer));
  return {
    ...(text === undefined ? {} : { text }),
    ...(id === undefined ? {} : { id }),
    ...(ok === undefined ? {} : { ok }),
  };
}

/** `{"result":"…"}`: APIs that want an object get one made around what the tool answered. */
export function bare(value: unknown): unknown {
  const [entry, ...others] = Object.entries(asObject(value) ?? {});
  return entry !== undefined && others.length === 0 && AROUND.has(entry[0]) ? entry[1] : value;
}

const AROUND = new Set(['result', 'output', 'response', 'content', 'error']);

/** `"\"Error: …\""`: a text that was written as JSON once more. */
function parsedText(answer: unknown): unknown {
  return typeof answer === 'string' && answer.startsWith('"') ? parsed(answer) : answer;
}

function saysOk(part: JsonObject, output: JsonObject | undefined): boolean | undefined {
  if (part.is_error === true || part.isError === true || part.type === 'tool-error') return false;
  if (part.status === 'error' || /^error-/.test(asText(output?.type) ?? '')) return false;
  if (output !== undefined && 'error' in output && Object.keys(output).length === 1) return false;
  return part.is_error === false || part.status === 'success' ? true : undefined;
}

function idOf(part: JsonObject): string | undefined {
  for (const name of CALL_IDS) {
    const id = asId(part[name]);
    if (id !== undefined) return id;
  }
  return undefined;
}
