/** Requests to a model as an instrumentation sends them over OTLP. */
import { createHash } from 'node:crypto';

const text = (key: string, value: string) => ({ key, value: { stringValue: value } });
const number = (key: string, value: number) => ({ key, value: { intValue: String(value) } });
const said = (role: string, content: string) =>
  JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);

/** The request of a turn of a conversation; the same for the same turn. */
export function chatSpan(conversation: string, turn: number): object {
  const idOf = (what: string) => createHash('sha256').update(`${conversation} ${what}`).digest('hex');
  return {
    traceId: idOf('trace').slice(0, 32),
    spanId: idOf(`span ${turn}`).slice(0, 16),
    name: 'chat',
    startTimeUnixNano: `${1_767_225_600 + turn}000000000`,
    endTimeUnixNano: `${1_767_225_600 + turn}500000000`,
    attributes: [
      text('gen_ai.conversation.id', conversation),
      text('gen_ai.operation.name', 'chat'),
      text('gen_ai.request.model', 'gpt-5-mini'),
      number('gen_ai.usage.input_tokens', 100),
      number('gen_ai.usage.output_tokens', 10),
      text('gen_ai.input.messages', said('user', `Question ${turn}?`)),
      text('gen_ai.output.messages', said('assistant', `Answer ${turn}.`)),
    ],
  };
}

/** The first turns of a conversation, one after the other. */
export function chatSpans(conversation: string, count: number): object[] {
  return Array.from({ length: count }, (_, turn) => chatSpan(conversation, turn));
}

export function traceRequest(spans: readonly object[]): object {
  return { resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ spans }] }] };
}
