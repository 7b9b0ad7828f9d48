/** What went into a model and what came out, in every spelling: GenAI conventions new and old, OpenInference, AI SDK. */
import { asObject, asText, type JsonObject, parsed } from '../../json/json-fields.ts';
import { type Attributes, firstOf, indexed } from './attributes.ts';
import { messagesIn, requestIn } from './message-lists.ts';
import { type Message, readMessage } from './message-parts.ts';
import { openInferenceMessages } from './openinference.ts';
import type { OtlpSpan, SpanEvent } from './span.ts';

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
  const found =
    statedMessages(span, 'gen_ai.input.messages') ??
    numbered(span.attributes, 'gen_ai.prompt') ??
    openInference(span.attributes, 'llm.input_messages', 'input.value') ??
    messagesIn(firstOf(span.attributes, 'ai.prompt.messages', 'ai.prompt')) ??
    eventMessages(span) ??
    statedMessages(span, 'gen_ai.prompt') ??
    INPUTS.map((name) => messagesIn(span.attributes.get(name))).find((one) => one !== undefined) ??
    messagesIn(otherInput(span.attributes)) ??
    [];
  return found.flatMap(whole).map((one) => readMessage(one, 'user'));
}

/** One library writes the whole conversation as the text of one message. */
function whole(message: JsonObject): JsonObject[] {
  const { role, text, results } = readMessage(message, 'user');
  if (role !== 'user' || results.length > 0 || !/^\s*\[\s*\{\s*"(?:role|type|id)"/.test(text))
    return [message];
  return messagesIn(text) ?? [message];
}

export type Request = {
  readonly texts: readonly string[];
  /** What was said before is repeated in it, with the answers. */
  readonly isHistory: boolean;
};

/** What a run was given: the user's messages, or whatever words it began with. */
export function requestOf(span: OtlpSpan): Request {
  const messages = inputMessages(span);
  const said = messages.filter(isSaid);
  const isHistory = messages.some(({ role }) => role === 'assistant');
  if (said.length > 0) return { texts: said.map(({ text }) => text), isHistory };
  const stated = firstOf(span.attributes, 'ai.prompt', ...INPUTS) ?? otherInput(span.attributes);
  const text = messages.length > 0 ? '' : requestIn(stated);
  return { texts: text.trim() === '' ? [] : [text], isHistory: false };
}

/** Something that a user says in it; what tools answered may stand under the user's role as well. */
export function isSaid({ role, text, results, recorded }: Message): boolean {
  return role === 'user' && results.length === 0 && (text.trim() !== '' || !recorded);
}

export function outputMessages(span: OtlpSpan): Message[] {
  const { attributes } = span;
  const found =
    statedMessages(span, 'gen_ai.output.messages') ??
    numbered(attributes, 'gen_ai.completion') ??
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

/** Some leave the words out of the message and write them beside it. */
function withText(messages: Message[], attributes: Attributes): Message[] {
  const text = asText(attributes.get('ai.response.text'));
  if (text === undefined) return messages;
  const [first, ...rest] = messages;
  const empty: Message = { role: 'assistant', text: '', recorded: true, calls: [], results: [] };
  return [{ ...(first ?? empty), text, recorded: true }, ...rest];
}

function answerIn(value: unknown): JsonObject[] | undefined {
  const messages = messagesIn(value);
  if (messages !== undefined) return messages;
  const text = asText(value);
  return text === undefined
    ? undefined
    : [{ role: 'assistant', content: parsed(text.startsWith('"') ? text : '') || text }];
}

function aiSdkOutput(attributes: Attributes): JsonObject[] | undefined {
  const text = firstOf(
    attributes,
    'ai.response.text',
    'ai.result.text',
    'ai.response.object',
    'ai.result.object',
  );
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

/** `mastra.agent_run.input`: frameworks put what a step was given under a name of their own. */
function otherInput(attributes: Attributes): unknown {
  for (const [key, value] of attributes)
    if (/^\w+\.\w*(?:agent|workflow|run)\w*\.input$/.test(key)) return value;
  return undefined;
}

/**
 * OpenInference writes messages twice: flattened into attributes, and as the request or the answer was. Each leaves
 * something out: ids, words, or which answers of tools were failures. The one that tells more is taken.
 */
function openInference(attributes: Attributes, flat: string, whole: string): JsonObject[] | undefined {
  const messages = filled(openInferenceMessages(attributes, flat));
  const stated = messages === undefined ? undefined : messagesIn(attributes.get(whole));
  return stated !== undefined && tells(stated) > tells(messages ?? []) ? stated : messages;
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

function eventMessages(span: OtlpSpan): JsonObject[] | undefined {
  return filled(
    span.events.flatMap((event) => {
      const role = EVENT_ROLES.get(event.name);
      return role === undefined ? [] : [{ role, ...bodyOf(event) }];
    }),
  );
}

function filled<T>(list: readonly T[]): T[] | undefined {
  return list.length > 0 ? [...list] : undefined;
}

/** Some write all of it as one attribute. */
function bodyOf({ attributes }: SpanEvent): JsonObject {
  const whole = asObject(parsed(attributes.get('gen_ai.event.content')));
  if (whole !== undefined) return whole;
  const fields: Record<string, unknown> = {};
  for (const name of ['content', 'tool_calls', 'role'] as const) {
    const value = attributes.get(name);
    if (value !== undefined && value !== null) fields[name] = value;
  }
  const id = attributes.get('id');
  return id === undefined ? fields : { ...fields, tool_call_id: id };
}

function choiceOf({ attributes }: SpanEvent): JsonObject {
  const body = bodyOf({ name: '', attributes });
  const said = parsed(attributes.get('message') ?? body.message);
  const message = Array.isArray(said) ? { content: said } : (asObject(said) ?? body);
  const finish = attributes.get('finish_reason') ?? body.finish_reason;
  return { role: 'assistant', finish_reason: finish, ...message };
}

/** `gen_ai.prompt.0.role`, `gen_ai.completion.0.tool_calls.0.name`. */
function numbered(attributes: Attributes, prefix: string): JsonObject[] | undefined {
  return filled(
    indexed(attributes, prefix).map((message) => {
      const calls = indexed(message, 'tool_calls').map((call) => ({
        id: call.get('id'),
        name: call.get('name'),
        arguments: call.get('arguments'),
      }));
      return { ...Object.fromEntries(message), ...(calls.length > 0 ? { tool_calls: calls } : {}) };
    }),
  );
}
