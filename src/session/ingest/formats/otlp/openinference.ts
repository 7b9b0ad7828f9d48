/** The OpenInference names of what the GenAI conventions also say: kinds of spans, messages, tools, tokens. */
import { type JsonObject, parsed } from '../../json/json-fields.ts';
import { type Attributes, firstOf, indexed } from './attributes.ts';

/** `llm.input_messages.0.message.role`, `….message.tool_calls.0.tool_call.function.name`, … */
export function openInferenceMessages(attributes: Attributes, prefix: string): JsonObject[] {
  return indexed(attributes, prefix).map((message) => {
    const parts = indexed(message, 'message.contents')
      .filter((part) => part.get('message_content.text') !== undefined)
      .map((part) => ({ type: part.get('message_content.type'), text: part.get('message_content.text') }));
    const calls = indexed(message, 'message.tool_calls').map((call) => ({
      id: call.get('tool_call.id'),
      name: call.get('tool_call.function.name'),
      arguments: call.get('tool_call.function.arguments'),
    }));
    const content = message.get('message.content') ?? (parts.length > 0 ? parts : undefined);
    const callId = message.get('message.tool_call_id');
    return {
      role: message.get('message.role'),
      ...(content === undefined ? {} : { content }),
      ...(callId === undefined ? {} : { tool_call_id: callId }),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    };
  });
}

/** What a tool was given: `tool.parameters` may hold its schema instead, so the input comes first. */
export function openInferenceInput(attributes: Attributes): unknown {
  return parsed(firstOf(attributes, 'input.value', 'tool.parameters'));
}
