/**
 * What went into a model and what came out, in every spelling: GenAI conventions new and old, OpenInference, the AI SDK, requests
 * and answers of several APIs, whole or as frameworks write them down.
 */
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
import { type Attributes, firstOf, unflattened } from './attributes.ts';
import type { OtlpSpan, SpanEvent } from './span.ts';

type MessageCall = { readonly id?: string; readonly tool: string; readonly input: unknown };
/** Without a text the result was not recorded. */
export type MessageResult = { readonly id?: string; readonly text?: string; readonly ok?: boolean };

export type Message = {
  readonly role: string;
  readonly text: string;
  /** False: only the existence of the message was recorded. */
  readonly recorded: boolean;
  readonly calls: readonly MessageCall[];
  readonly results: readonly MessageResult[];
  readonly finish?: string;
};

/** Older instrumentation wrote each message as an event of the span, or as a log record that points at it. */
const EVENT_ROLES = new Map([
  ['gen_ai.system.message', 'system'],
  ['gen_ai.user.message', 'user'],
  ['gen_ai.assistant.message', 'assistant'],
  ['gen_ai.tool.message', 'tool'],
]);

const INPUTS = [
  'gen_ai.prompt',
  'input.value',
  'traceloop.entity.input',
  'langfuse.observation.input',
  'langfuse.trace.input',
  'pydantic_ai.all_messages',
  'gcp.vertex.agent.llm_request',
  'mlflow.spanInputs',
] as const;
const OUTPUTS = [
  'gen_ai.completion',
  'output.value',
  'traceloop.entity.output',
  'langfuse.observation.output',
  'gcp.vertex.agent.llm_response',
  'mlflow.spanOutputs',
] as const;

export function inputMessages(span: OtlpSpan): Message[] {
  const { attributes, events } = span;
  const found =
    statedMessages(span, 'gen_ai.input.messages') ??
    filled(unflattened(attributes, 'gen_ai.prompt')) ??
    openInference(attributes, 'llm.input_messages', 'input.value') ??
    messagesIn(firstOf(attributes, 'ai.prompt.messages', 'ai.prompt')) ??
    filled(events.flatMap(eventMessage)) ??
    statedMessages(span, 'gen_ai.prompt') ??
    INPUTS.map((name) => messagesIn(attributes.get(name))).find((one) => one !== undefined) ??
    messagesIn(otherInput(attributes)) ??
    [];
  return found.flatMap(unpacked).map((one) => readMessage(one, 'user'));
}

/** One library writes the whole conversation as the text of one message. */
function unpacked(message: JsonObject): JsonObject[] {
  const { role, text, results } = readMessage(message, 'user');
  const isList = role === 'user' && results.length === 0 && /^\s*\[\s*\{\s*"(?:role|type|id)"/.test(text);
  return (isList ? messagesIn(text) : undefined) ?? [message];
}

type Request = {
  readonly texts: readonly string[];
  /** It repeats earlier messages, with their answers. */
  readonly isHistory: boolean;
};

/** The request of a run: the user's messages, or the text it began with. */
export function requestOf(span: OtlpSpan): Request {
  const messages = inputMessages(span);
  const said = messages.filter(isSaid);
  const isHistory = messages.some(({ role }) => role === 'assistant');
  if (said.length > 0) return { texts: said.map(({ text }) => text), isHistory };
  const stated = firstOf(span.attributes, 'ai.prompt', ...INPUTS) ?? otherInput(span.attributes);
  const text = messages.length > 0 ? '' : requestIn(stated);
  return { texts: text.trim() === '' ? [] : [text], isHistory: false };
}

/** A message of the user; results of tools may have the user role as well. */
export function isSaid({ role, text, results, recorded }: Message): boolean {
  return role === 'user' && results.length === 0 && (text.trim() !== '' || !recorded);
}

export function outputMessages(span: OtlpSpan): Message[] {
  const { attributes } = span;
  const found =
    statedMessages(span, 'gen_ai.output.messages') ??
    filled(unflattened(attributes, 'gen_ai.completion')) ??
    openInference(attributes, 'llm.output_messages', 'output.value') ??
    aiSdkOutput(attributes) ??
    filled(span.events.filter(({ name }) => name === 'gen_ai.choice').map(choiceOf)) ??
    statedMessages(span, 'gen_ai.completion') ??
    OUTPUTS.map((name) => answerIn(attributes.get(name))).find((one) => one !== undefined) ??
    [];
  const messages = found
    .map((one) => readMessage(one, 'assistant'))
    .filter(({ role }) => role === 'assistant');
  return messages.some(({ text }) => text !== '') ? messages : withText(messages, attributes);
}

/** Some put the text next to the message instead of into it. */
function withText(messages: Message[], attributes: Attributes): Message[] {
  const text = asText(attributes.get('ai.response.text'));
  if (text === undefined) return messages;
  const [first, ...rest] = messages;
  const empty: Message = { role: 'assistant', text: '', recorded: true, calls: [], results: [] };
  return [{ ...(first ?? empty), text, recorded: true }, ...rest];
}

function answerIn(value: unknown): JsonObject[] | undefined {
  const messages = messagesIn(value);
  const text = asText(value);
  if (messages !== undefined || text === undefined) return messages;
  return [{ role: 'assistant', content: parsed(text.startsWith('"') ? text : '') || text }];
}

function aiSdkOutput(attributes: Attributes): JsonObject[] | undefined {
  const said = ['ai.response.text', 'ai.result.text', 'ai.response.object', 'ai.result.object'];
  const text = firstOf(attributes, ...said);
  const toolCalls = parsed(firstOf(attributes, 'ai.response.toolCalls', 'ai.result.toolCalls'));
  if (text === undefined && toolCalls === undefined) return undefined;
  return [{ role: 'assistant', content: text ?? '', toolCalls }];
}

/** On the span itself or on its events; as a list or as a JSON text. */
function statedMessages(span: OtlpSpan, name: string): JsonObject[] | undefined {
  for (const attributes of [span.attributes, ...span.events.map((event) => event.attributes)]) {
    const messages = messagesIn(attributes.get(name));
    if (messages !== undefined) return messages;
  }
  return undefined;
}

/** `mastra.agent_run.input`: frameworks use names of their own for the input of a step. */
function otherInput(attributes: Attributes): unknown {
  for (const [key, value] of attributes)
    if (/^\w+\.\w*(?:agent|workflow|run)\w*\.input$/.test(key)) return value;
  return undefined;
}

/**
 * OpenInference writes messages twice: flattened into attributes, and as the raw request or answer. Each lacks
 * something: ids, text, or which results were failures. The more complete one is used.
 */
function openInference(attributes: Attributes, flat: string, whole: string): JsonObject[] | undefined {
  const messages = filled(unflattened(attributes, flat).map(openInferenceMessage));
  const stated = messages === undefined ? undefined : messagesIn(attributes.get(whole));
  return stated !== undefined && tells(stated) > tells(messages ?? []) ? stated : messages;
}

/** Each field is below its kind: `message.tool_calls.0.tool_call.function.name`. */
function openInferenceMessage(entry: JsonObject): JsonObject {
  const { role, content, contents, tool_call_id, tool_calls } = asObject(entry.message) ?? {};
  const parts = asObjects(contents)
    .map((part) => asObject(part.message_content))
    .filter((part) => part?.text !== undefined);
  return {
    role,
    content: content ?? (parts.length > 0 ? parts : undefined),
    tool_calls: asObjects(tool_calls).map((call) => call.tool_call),
    ...(tool_call_id !== undefined && { tool_call_id }),
  };
}

function tells(messages: readonly JsonObject[]): number {
  let told = 0;
  for (const one of messages) {
    const { text, calls, results } = readMessage(one, 'user');
    told += text === '' ? 0 : 1;
    for (const { id } of calls) told += id === undefined ? 1 : 2;
    for (const { id, ok } of results) told += (id === undefined ? 1 : 2) + (ok === undefined ? 0 : 1);
  }
  return told;
}

function filled<T>(list: readonly T[]): T[] | undefined {
  return list.length > 0 ? [...list] : undefined;
}

function eventMessage(event: SpanEvent): JsonObject[] {
  const role = EVENT_ROLES.get(event.name);
  return role === undefined ? [] : [{ role, ...bodyOf(event.attributes) }];
}

/** Some write all of it as one attribute. */
function bodyOf(attributes: Attributes): JsonObject {
  const whole = asObject(parsed(attributes.get('gen_ai.event.content')));
  if (whole !== undefined) return whole;
  const names = { content: 'content', tool_calls: 'tool_calls', role: 'role', tool_call_id: 'id' };
  const fields = Object.entries(names).map(([field, name]) => [field, attributes.get(name)]);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined && value !== null));
}

function choiceOf({ attributes }: SpanEvent): JsonObject {
  const body = bodyOf(attributes);
  const said = parsed(attributes.get('message') ?? body.message);
  const message = Array.isArray(said) ? { content: said } : (asObject(said) ?? body);
  const finish = attributes.get('finish_reason') ?? body.finish_reason;
  return { role: 'assistant', finish_reason: finish, ...message };
}

const MAX_DEPTH = 6;
const MAX_MESSAGES = 5_000;

/** Where a request has its messages, and an answer its own. */
const LISTS = 'messages contents input prompt output choices generations candidates'.split(' ');

/** Undefined: it does not look like messages. */
export function messagesIn(value: unknown, depth = 0): JsonObject[] | undefined {
  const stated = parsed(value);
  if (depth > MAX_DEPTH) return undefined;
  if (Array.isArray(stated)) return messagesOfList(stated, depth);
  const object = asObject(stated);
  if (object === undefined) return undefined;
  const message = unwrapped(object);
  if (isMessage(message)) return [message];
  for (const key of LISTS) {
    const found = Array.isArray(parsed(object[key])) ? messagesIn(object[key], depth + 1) : undefined;
    if (found !== undefined && found.length > 0) return found;
  }
  const asked = asText(object.input) ?? asText(object.prompt);
  if (asked !== undefined && 'model' in object) return [{ role: 'user', content: asked }];
  const inner =
    asObject(object.message) ?? asObject(object.output) ?? asObject(object.input) ?? asObject(object.content);
  if (inner !== undefined) return withFinish(messagesIn(inner, depth + 1), object);
  return asText(object.text) !== undefined || Array.isArray(object.toolCalls)
    ? [{ role: 'assistant', ...object }]
    : undefined;
}

function messagesOfList(list: readonly unknown[], depth: number): JsonObject[] | undefined {
  const found = list.slice(0, MAX_MESSAGES).flatMap((one) => {
    if (Array.isArray(one)) return messagesIn(one, depth + 1) ?? [];
    const object = asObject(one);
    if (object === undefined) return [];
    const message = unwrapped(object);
    return isMessage(message) ? [message] : (messagesIn(object, depth + 1) ?? []);
  });
  return filled(found);
}

function withFinish(messages: JsonObject[] | undefined, around: JsonObject): JsonObject[] | undefined {
  const finish = around.finish_reason ?? around.finishReason;
  return finish === undefined ? messages : messages?.map((one) => ({ finish_reason: finish, ...one }));
}

const ITEMS: ReadonlySet<unknown> = new Set(
  'function_call function_call_output function_call_result human ai system tool'.split(' '),
);

function isMessage(object: JsonObject): boolean {
  if (asText(object.role) !== undefined) return !Array.isArray(object.choices);
  return ITEMS.has(object.type) && ('content' in object || 'call_id' in object || 'callId' in object);
}

const CLASSES: readonly (readonly [RegExp, string])[] = [
  [/^Human/, 'user'],
  [/^AI/, 'assistant'],
  [/^System/, 'system'],
  [/^(?:Tool|Function)/, 'tool'],
];

/** Objects that a framework wrote with their class: `{"lc":1,"id":[…,"HumanMessage"],"kwargs":{…}}`. */
function unwrapped(object: JsonObject): JsonObject {
  const fields = asObject(object.kwargs) ?? asObject(object.data);
  const name = Array.isArray(object.id) ? asText(object.id.at(-1)) : asText(object.type);
  if (fields === undefined || name === undefined) return object;
  const role = CLASSES.find(([pattern]) => pattern.test(name))?.[1] ?? asText(fields.role);
  const finish = asObject(fields.response_metadata)?.finish_reason;
  return {
    ...(finish === undefined ? {} : { finish_reason: finish }),
    ...fields,
    ...(role === undefined ? {} : { role }),
  };
}

/** Fields of a form that is used in place of a message. */
const WORDS = 'task question query prompt input text message content user_input request goal'.split(' ');

/** The request of a run as text. Empty: there is none. */
function requestIn(value: unknown, depth = 0): string {
  const stated = parsed(value);
  if (typeof stated === 'string') return stated;
  if (Array.isArray(stated)) return depth > MAX_DEPTH ? '' : firstText(stated, depth);
  const object = asObject(stated);
  if (object === undefined || depth > MAX_DEPTH) return '';
  const named = WORDS.map((word) => object[word]);
  const given = firstText(named, depth) || firstText([object.args, object.kwargs, object.inputs], depth);
  // Below an unknown name, text is distinguished from ids and settings by its blanks.
  return given !== '' ? given : (Object.values(object).slice(0, 20).find(isSentence) ?? '');
}

function isSentence(value: unknown): value is string {
  return typeof value === 'string' && /\S\s+\S/.test(value);
}

function firstText(values: readonly unknown[], depth: number): string {
  for (const value of values.slice(0, 50)) {
    if (typeof value !== 'string' && (typeof value !== 'object' || value === null)) continue;
    const text = requestIn(value, depth + 1);
    if (text.trim() !== '') return text;
  }
  return '';
}

const ROLES = new Map([
  ['human', 'user'],
  ['ai', 'assistant'],
  ['model', 'assistant'],
  ['function', 'tool'],
  ['tool-response', 'tool'],
]);

const CALLS: ReadonlySet<unknown> = new Set(
  'tool_call tool-call tool_use function_call server_tool_use toolUse'.split(' '),
);
const RESULTS: ReadonlySet<unknown> = new Set(
  `tool_call_response tool-result tool-error tool_result function_call_output function_call_result
   tool_response toolResult`.split(/\s+/),
);
const CALL_IDS = 'toolCallId tool_call_id tool_use_id call_id callId toolUseId id'.split(' ');
const PART_KEYS =
  'type text functionCall function_call functionResponse function_response toolUse toolResult'.split(' ');

/** One message of a conversation, in whichever API's words it is written. */
export function readMessage(message: JsonObject, role: string): Message {
  const { type } = message;
  // In some APIs calls and results are among the messages.
  const parts = CALLS.has(type) || RESULTS.has(type) ? [message] : partsOf(message);
  const finish = asText(message.finish_reason) ?? asText(message.finishReason) ?? asText(message.stop_reason);
  const stated = asText(message.role) ?? asText(message.author) ?? ROLES.get(asText(type) ?? '') ?? role;
  const named = stated.toLowerCase();
  const called = [...parts.flatMap(callIn), ...asObjects(parsed(message.tool_calls)).flatMap(callIn)];
  const toolCalls = asObjects(parsed(message.toolCalls)).flatMap(callIn);
  const results = [...parts.flatMap(resultIn), ...wholeResult(message, parts)];
  return {
    role: CALLS.has(type) ? 'assistant' : RESULTS.has(type) ? 'tool' : (ROLES.get(named) ?? named),
    text: results.length > 0 ? '' : textOf(message, parts),
    recorded: parts.length > 0 ? parts.some(isRecorded) : isWords(message.content) || isWords(message.text),
    calls: called.length > 0 ? called : toolCalls,
    results,
    ...(finish === undefined ? {} : { finish }),
  };
}

/** Without its content a part shows only that there was one. */
function isRecorded(part: JsonObject): boolean {
  return isWords(part.text) || isWords(part.content) || callIn(part).length > 0 || resultIn(part).length > 0;
}

function isWords(value: unknown): boolean {
  return typeof value === 'string';
}

/** A list of parts is often written as JSON text; other JSON is plain content. */
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
  return ['arguments', 'args', 'input', 'toolCallId', 'id'].some((name) => name in part);
}

function resultIn(part: JsonObject): MessageResult[] {
  const inner = asObject(part.functionResponse ?? part.function_response) ?? asObject(part.toolResult);
  if (inner === undefined && !RESULTS.has(part.type)) return [];
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

/** `{"result":"…"}`: APIs that need an object wrap the result of a tool. */
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
