/** The OpenInference names of what the GenAI conventions also say: kinds of spans, messages, tools, tokens. */
import { type JsonObject, parsed } from '../../json/json-fields.ts';
import { type Attributes, firstOf, indexed } from './attributes.ts';

/** `llm.input_messages.0.message.role`, `….message.tool_calls.0.tool_call.function.name`, … */
export function openInferenceMessages(attributes: Attributes, prefix: string): JsonObject[] {
  return indexed(attributes, prefix).map((message) => {
    const parts = indexed(message, 'message.contents').map((part) => ({
      type: 'text',
      text: part.get('message_content.text'),
    }));
    return {
      role: message.get('message.role'),
      content: message.get('message.content') ?? parts,
      tool_call_id: message.get('message.tool_call_id'),
      tool_calls: indexed(message, 'message.tool_calls').map((call) => ({
        id: call.get('tool_call.id'),
        name: call.get('tool_call.function.name'),
        arguments: call.get('tool_call.function.arguments'),
      })),
    };
  });
}

/** What a tool was given: `tool.parameters` may hold its schema instead, so the input comes first. */
export function openInferenceInput(attributes: Attributes): unknown {
  return parsed(firstOf(attributes, 'input.value', 'tool.parameters'));
}

export function openInferenceOutput(attributes: Attributes): unknown {
  return firstOf(attributes, 'output.value');
}
