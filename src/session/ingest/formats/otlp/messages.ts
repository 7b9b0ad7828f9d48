/** What went into a model and what came out, in every spelling: GenAI conventions new and old, and OpenInference. */
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
import { type Attributes, indexed } from './attributes.ts';
import { openInferenceMessages } from './openinference.ts';
import type { OtlpSpan } from './span.ts';

export type Message = {
  readonly role: string;
  readonly text: string;
  readonly calls: readonly { readonly id?: string; readonly tool: string; readonly input: unknown }[];
  readonly results: readonly { readonly id: string; readonly text: string }[];
  readonly finish?: string;
};

/** Older instrumentation wrote each message as an event of the span. */
const EVENT_ROLES = new Map([
  ['gen_ai.system.message', 'system'],
  ['gen_ai.user.message', 'user'],
  ['gen_ai.assistant.message', 'assistant'],
  ['gen_ai.tool.message', 'tool'],
]);

export function inputMessages(span: OtlpSpan): Message[] {
  const stated = statedMessages(span, 'gen_ai.input.messages', 'gen_ai.prompt');
  if (stated.length > 0) return stated.map((one) => readMessage(one, 'user'));
  const numbered = indexed(span.attributes, 'gen_ai.prompt').map(numberedMessage);
  if (numbered.length > 0) return numbered.map((one) => readMessage(one, 'user'));
  const flat = openInferenceMessages(span.attributes, 'llm.input_messages');
  if (flat.length > 0) return flat.map((one) => readMessage(one, 'user'));
  return span.events.flatMap(({ name, attributes }) => {
    const role = EVENT_ROLES.get(name);
    return role === undefined ? [] : [readMessage({ role, ...bodyOf(attributes) }, role)];
  });
}

export function outputMessages(span: OtlpSpan): Message[] {
  const stated = statedMessages(span, 'gen_ai.output.messages', 'gen_ai.completion');
  if (stated.length > 0) return stated.map((one) => readMessage(one, 'assistant'));
  const numbered = indexed(span.attributes, 'gen_ai.completion').map(numberedMessage);
  if (numbered.length > 0) return numbered.map((one) => readMessage(one, 'assistant'));
  const flat = openInferenceMessages(span.attributes, 'llm.output_messages');
  if (flat.length > 0) return flat.map((one) => readMessage(one, 'assistant'));
  return span.events
    .filter(({ name }) => name === 'gen_ai.choice')
    .map(({ attributes }) => {
      const message = asObject(parsed(attributes.get('message'))) ?? {};
      return readMessage({ ...message, finish_reason: attributes.get('finish_reason') }, 'assistant');
    });
}

/** On the span itself or on one of its events; as a list or as a JSON text. */
function statedMessages(span: OtlpSpan, ...names: readonly string[]): JsonObject[] {
  for (const attributes of [span.attributes, ...span.events.map((event) => event.attributes)]) {
    for (const name of names) {
      const messages = asObjects(parsed(attributes.get(name)));
      if (messages.length > 0) return messages;
    }
  }
  return [];
}

function bodyOf(attributes: Attributes): JsonObject {
  return {
    content: parsed(attributes.get('content')),
    tool_calls: parsed(attributes.get('tool_calls')),
    tool_call_id: attributes.get('id'),
  };
}

/** `gen_ai.prompt.0.role`, `gen_ai.completion.0.tool_calls.0.name`. */
function numberedMessage(attributes: Attributes): JsonObject {
  const calls = indexed(attributes, 'tool_calls').map((call) => ({
    id: call.get('id'),
    name: call.get('name'),
    arguments: call.get('arguments'),
  }));
  return { ...Object.fromEntries(attributes), ...(calls.length > 0 ? { tool_calls: calls } : {}) };
}

function readMessage(message: JsonObject, role: string): Message {
  const parts = asObjects(message.parts);
  const finish = asText(message.finish_reason);
  return {
    role: asText(message.role)?.toLowerCase() ?? role,
    text: parts.length > 0 ? contentText(parts) : contentText(parsedContent(message.content)),
    calls: [...parts.filter(({ type }) => type === 'tool_call'), ...asObjects(message.tool_calls)].flatMap(
      readCall,
    ),
    results: [...parts, ...toolContent(message)].flatMap(readResult),
    ...(finish === undefined ? {} : { finish }),
  };
}

/** A list of parts is often written as JSON text; other JSON is simply what was said. */
function parsedContent(content: unknown): unknown {
  const value =
    typeof content === 'string' && /^\s*\[\s*\{\s*"type"/.test(content) ? parsed(content) : content;
  return Array.isArray(value) || typeof value === 'string' ? value : '';
}

function readCall(call: JsonObject): Message['calls'][number][] {
  const called = asObject(call.function) ?? call;
  const tool = asText(called.name);
  const id = asId(call.id);
  if (tool === undefined) return [];
  return [{ tool, input: parsed(called.arguments), ...(id === undefined ? {} : { id }) }];
}

function toolContent(message: JsonObject): JsonObject[] {
  return message.role === 'tool' && message.tool_call_id !== undefined
    ? [{ type: 'tool_call_response', id: message.tool_call_id, response: message.content }]
    : [];
}

function readResult(part: JsonObject): Message['results'][number][] {
  const id = asId(part.id)?.trim();
  if (part.type !== 'tool_call_response' || id === undefined) return [];
  const answer = part.response ?? part.result;
  return [{ id, text: Array.isArray(answer) ? contentText(asArray(answer)) : (shown(answer) ?? '') }];
}
