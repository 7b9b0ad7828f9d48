/**
 * One conversation in several conventions: a user asks, the model calls a tool that fails, calls it again, answers, is
 * corrected and answers again. Every convention must give the same facts.
 */

export type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: unknown }[];
  events?: { name: string; attributes: { key: string; value: unknown }[] }[];
  status: { code: number; message?: string };
};

export const ASKED = 'Which shelf is the old atlas on?';
export const CORRECTED = 'No, I meant the new atlas, not the old one.';
const FAILED = 'Error: there is no shelf 12';

type Call = { id: string; input: { shelf: number }; answer: string; ok: boolean };
type Reply = { text: string; call?: Call; input: number; output: number };

const REPLIES: readonly Reply[] = [
  {
    text: 'I will look.',
    call: { id: 'c1', input: { shelf: 12 }, answer: FAILED, ok: false },
    input: 100,
    output: 10,
  },
  {
    text: '',
    call: { id: 'c2', input: { shelf: 3 }, answer: 'atlas, 1920', ok: true },
    input: 120,
    output: 11,
  },
  { text: 'It is on shelf 3.', input: 140, output: 12 },
  { text: 'The new one is on shelf 7.', input: 160, output: 13 },
];

type Message = { role: string; text: string; call?: Call; result?: Call };

/** What the model is sent before its reply number `count`. */
function historyOf(count: number): Message[] {
  const history: Message[] = [{ role: 'user', text: ASKED }];
  for (const [index, { text, call }] of REPLIES.slice(0, count).entries()) {
    history.push({ role: 'assistant', text, ...(call && { call }) });
    if (call !== undefined) history.push({ role: 'tool', text: call.answer, result: call });
    if (index === 2) history.push({ role: 'user', text: CORRECTED });
  }
  return history;
}

export const attribute = (key: string, value: unknown) => ({
  key,
  value:
    typeof value === 'number'
      ? { intValue: String(value) }
      : { stringValue: typeof value === 'string' ? value : JSON.stringify(value) },
});

export function span(
  id: string,
  from: number,
  to: number,
  attributes: Record<string, unknown>,
  more: Partial<Span> = {},
): Span {
  return {
    traceId: 'a'.repeat(32),
    spanId: id.padStart(16, '0'),
    name: 'work',
    startTimeUnixNano: `17672256${String(from).padStart(2, '0')}000000000`,
    endTimeUnixNano: `17672256${String(to).padStart(2, '0')}500000000`,
    status: { code: 0 },
    ...more,
    attributes: Object.entries(attributes).map(([key, value]) => attribute(key, value)),
  };
}

export const documentOf = (spans: readonly unknown[]) => ({
  resourceSpans: [
    { resource: { attributes: [attribute('service.name', 'library')] }, scopeSpans: [{ scope: {}, spans }] },
  ],
});

type Convention = {
  readonly chat: (history: readonly Message[], reply: Reply) => Record<string, unknown>;
  /** Absent: it records no spans of tools. */
  readonly tool?: (call: Call) => Record<string, unknown>;
  /** What the spans have in addition to their attributes. */
  readonly chatSpan?: (history: readonly Message[], reply: Reply) => Partial<Span>;
  readonly toolSpan?: (call: Call) => Partial<Span>;
};

const event = (name: string, attributes: Record<string, unknown>) => ({
  name,
  attributes: Object.entries(attributes).map(([key, value]) => attribute(key, value)),
});

const finish = ({ call }: Reply) => (call === undefined ? 'stop' : 'tool_calls');
const chatCompletions = ({ role, text, call, result }: Message) => ({
  role,
  content: text,
  ...(call && {
    tool_calls: [
      { id: call.id, type: 'function', function: { name: 'look', arguments: JSON.stringify(call.input) } },
    ],
  }),
  ...(result && { tool_call_id: result.id }),
});

function flat(prefix: string, list: readonly Message[], ids: boolean): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [index, { role, text, call, result }] of list.entries()) {
    const at = `${prefix}.${index}.message`;
    found[`${at}.role`] = role;
    if (text !== '') found[`${at}.content`] = text;
    if (result && ids) found[`${at}.tool_call_id`] = result.id;
    if (call === undefined) continue;
    if (ids) found[`${at}.tool_calls.0.tool_call.id`] = call.id;
    found[`${at}.tool_calls.0.tool_call.function.name`] = 'look';
    found[`${at}.tool_calls.0.tool_call.function.arguments`] = JSON.stringify(call.input);
  }
  return found;
}

const openInference =
  (ids: boolean): Convention['chat'] =>
  (history, reply) => ({
    'openinference.span.kind': 'LLM',
    'session.id': 'talk',
    'llm.model_name': 'm',
    'llm.token_count.prompt': reply.input,
    'llm.token_count.completion': reply.output,
    ...flat('llm.input_messages', history, ids),
    ...flat('llm.output_messages', [{ role: 'assistant', ...reply }], ids),
  });

const parts = ({ role, text, call, result }: Message) => ({
  role,
  parts: [
    ...(text !== '' && !result ? [{ type: 'text', content: text }] : []),
    ...(call ? [{ type: 'tool_call', id: call.id, name: 'look', arguments: call.input }] : []),
    ...(result ? [{ type: 'tool_call_response', id: result.id, response: result.answer }] : []),
  ],
});

/** Calls and answers among the messages, as the Responses API has them. */
const items = ({ role, text, call, result }: Message): object[] => [
  ...(text === '' || result ? [] : [{ role, content: text }]),
  ...(call
    ? [
        {
          type: 'function_call',
          id: `f${call.id}`,
          call_id: call.id,
          name: 'look',
          arguments: JSON.stringify(call.input),
        },
      ]
    : []),
  ...(result ? [{ type: 'function_call_output', call_id: result.id, output: result.answer }] : []),
];

/** The result of a tool has the user role, and its failure is a field. */
const blocks = ({ role, text, call, result }: Message) => ({
  role: result ? 'user' : role,
  content: result
    ? [{ type: 'tool_result', tool_use_id: result.id, is_error: !result.ok, content: 'shelf 12' }]
    : [
        ...(text === '' ? [] : [{ type: 'text', text }]),
        ...(call ? [{ type: 'tool_use', id: call.id, name: 'look', input: call.input }] : []),
      ],
});

const genAi = (reply: Reply) => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.conversation.id': 'talk',
  'gen_ai.response.model': 'm',
  'gen_ai.usage.input_tokens': reply.input,
  'gen_ai.usage.output_tokens': reply.output,
  'gen_ai.response.finish_reasons': [finish(reply)],
});

/** Messages in the format of Bedrock's converse API. */
const converse = ({ text, call, result }: Message) => [
  ...(text === '' || result ? [] : [{ text }]),
  ...(call ? [{ toolUse: { toolUseId: call.id, name: 'look', input: call.input } }] : []),
  ...(result
    ? [
        {
          toolResult: {
            toolUseId: result.id,
            status: result.ok ? 'success' : 'error',
            content: [{ text: 'shelf 12' }],
          },
        },
      ]
    : []),
];

/** The same in Gemini's words. */
const contents = ({ role, text, call, result }: Message) => ({
  role: role === 'assistant' ? 'model' : 'user',
  parts: [
    ...(text === '' || result ? [] : [{ text }]),
    ...(call ? [{ function_call: { id: call.id, name: 'look', args: call.input } }] : []),
    ...(result
      ? [{ function_response: { id: result.id, name: 'look', response: { result: result.answer } } }]
      : []),
  ],
});

const answered = (reply: Reply): Message => ({ role: 'assistant', ...reply });

export const CONVENTIONS: Readonly<Record<string, Convention>> = {
  'events of a span with the words of the converse API': {
    chat: (_, reply) => ({ ...genAi(reply), 'gen_ai.response.finish_reasons': undefined }),
    chatSpan: (history, reply) => ({
      events: [
        ...history.map((one) => event(`gen_ai.${one.role}.message`, { content: converse(one) })),
        event('gen_ai.choice', {
          message: converse(answered(reply)),
          finish_reason: reply.call ? 'tool_use' : 'end_turn',
        }),
      ],
    }),
    tool: (call) => ({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'look',
      'gen_ai.tool.call.id': call.id,
      'gen_ai.tool.status': call.ok ? 'success' : 'error',
    }),
    toolSpan: (call) => ({
      name: 'execute_tool look',
      events: [
        event('gen_ai.tool.message', { role: 'tool', content: call.input, id: call.id }),
        event('gen_ai.choice', { message: [{ text: 'shelf 12' }], id: call.id }),
      ],
    }),
  },
  'events of a span with their content as one attribute': {
    chat: (_, reply) => genAi(reply),
    chatSpan: (history, reply) => ({
      events: [
        ...history.map((one) =>
          event(`gen_ai.${one.role}.message`, { 'gen_ai.event.content': chatCompletions(one) }),
        ),
        event('gen_ai.choice', {
          'gen_ai.event.content': {
            index: 0,
            finish_reason: finish(reply),
            message: chatCompletions(answered(reply)),
          },
        }),
      ],
    }),
  },
  'events of a span for the prompt and the completion': {
    chat: (_, reply) => genAi(reply),
    chatSpan: (history, reply) => ({
      events: [
        event('gen_ai.content.prompt', { 'gen_ai.prompt': history.map(chatCompletions) }),
        event('gen_ai.content.completion', { 'gen_ai.completion': [chatCompletions(answered(reply))] }),
      ],
    }),
  },
  'a list of events as an attribute': {
    chat: (history, reply) => ({
      ...genAi(reply),
      events: [
        ...history.map((one) => {
          const { tool_call_id: id, ...rest } = chatCompletions(one);
          return { 'event.name': `gen_ai.${one.role}.message`, ...rest, ...(id && { id }) };
        }),
        { 'event.name': 'gen_ai.choice', index: 0, message: chatCompletions(answered(reply)) },
      ],
    }),
    tool: (call) => ({
      'gen_ai.tool.name': 'look',
      'gen_ai.tool.call.id': call.id,
      tool_arguments: call.input,
      tool_response: call.answer,
    }),
    toolSpan: () => ({ name: 'running tool' }),
  },
  'requests and answers of Gemini under the names of an agent': {
    chat: (history, reply) => ({
      'gen_ai.system': 'gcp.vertex.agent',
      'gen_ai.request.model': 'm',
      'gcp.vertex.agent.session_id': 'talk',
      'gcp.vertex.agent.invocation_id': 'i',
      'gcp.vertex.agent.llm_request': { model: 'm', contents: history.map(contents) },
      'gcp.vertex.agent.llm_response': { content: contents(answered(reply)), finish_reason: 'STOP' },
      'gen_ai.usage.input_tokens': reply.input,
      'gen_ai.usage.output_tokens': reply.output,
    }),
    chatSpan: () => ({ name: 'call_llm' }),
    tool: (call) => ({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'look',
      'gen_ai.tool.call.id': call.id,
      'gcp.vertex.agent.session_id': 'talk',
      'gcp.vertex.agent.tool_call_args': call.input,
      'gcp.vertex.agent.tool_response': { result: call.answer },
    }),
  },
  'inputs and outputs with the type of a span': {
    chat: (history, reply) => ({
      'mlflow.spanType': '"CHAT_MODEL"',
      'mlflow.trace.session': 'talk',
      'mlflow.spanInputs': { model: 'm', messages: history.map(chatCompletions) },
      'mlflow.spanOutputs': {
        model: 'm',
        choices: [{ finish_reason: finish(reply), message: chatCompletions(answered(reply)) }],
      },
      'mlflow.chat.tokenUsage': {
        input_tokens: reply.input,
        output_tokens: reply.output,
        total_tokens: reply.input + reply.output,
      },
    }),
    tool: (call) => ({
      'mlflow.spanType': '"TOOL"',
      'mlflow.trace.session': 'talk',
      'mlflow.spanFunctionName': 'look',
      'mlflow.spanInputs': call.input,
      'mlflow.spanOutputs': JSON.stringify(call.answer),
    }),
    toolSpan: () => ({ name: 'look' }),
  },
  'observations with input and output': {
    chat: (history, reply) => ({
      'langfuse.observation.type': 'generation',
      'session.id': 'talk',
      'langfuse.observation.model.name': 'm',
      'langfuse.observation.input': history.map(chatCompletions),
      'langfuse.observation.output': chatCompletions(answered(reply)),
      'langfuse.observation.usage_details': { input: reply.input, output: reply.output },
    }),
    tool: (call) => ({
      'langfuse.observation.type': 'tool',
      'session.id': 'talk',
      'langfuse.observation.input': call.input,
      'langfuse.observation.output': call.answer,
    }),
    toolSpan: () => ({ name: 'look' }),
  },
  'runs with a kind, requests and answers as texts': {
    chat: (history, reply) => ({
      'langsmith.span.kind': 'llm',
      'langsmith.metadata.session_id': 'talk',
      'langsmith.trace.session_id': 'a project',
      'gen_ai.request.model': 'm',
      'gen_ai.prompt': { messages: [history.map(chatCompletions)] },
      'gen_ai.completion': {
        choices: [{ finish_reason: finish(reply), message: chatCompletions(answered(reply)) }],
      },
      'gen_ai.usage.input_tokens': reply.input,
      'gen_ai.usage.output_tokens': reply.output,
    }),
    tool: (call) => ({
      'langsmith.span.kind': 'tool',
      'langsmith.metadata.session_id': 'talk',
      'gen_ai.prompt': { input: JSON.stringify(call.input) },
      'gen_ai.completion': { output: call.answer },
    }),
    toolSpan: () => ({ name: 'look' }),
  },
  'gen_ai.input.messages with parts': {
    chat: (history, reply) => ({
      ...genAi(reply),
      'gen_ai.input.messages': history.map(parts),
      'gen_ai.output.messages': [parts({ role: 'assistant', ...reply })],
    }),
    tool: (call) => ({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'look',
      'gen_ai.tool.call.id': call.id,
      'gen_ai.tool.call.arguments': call.input,
      'gen_ai.tool.call.result': call.answer,
    }),
  },
  'blocks under the role of the user': {
    chat: (history, reply) => ({
      ...genAi(reply),
      'gen_ai.input.messages': history.map(blocks),
      'gen_ai.output.messages': [blocks({ role: 'assistant', ...reply })],
    }),
  },
  'gen_ai.prompt.0.role': {
    chat: (history, reply) => ({
      ...genAi(reply),
      ...Object.fromEntries(
        history.flatMap((one, index) =>
          Object.entries(chatCompletions(one)).map(([key, value]) => [
            `gen_ai.prompt.${index}.${key}`,
            value,
          ]),
        ),
      ),
      'gen_ai.completion.0.role': 'assistant',
      'gen_ai.completion.0.content': reply.text,
      ...(reply.call && {
        'gen_ai.completion.0.tool_calls.0.id': reply.call.id,
        'gen_ai.completion.0.tool_calls.0.name': 'look',
        'gen_ai.completion.0.tool_calls.0.arguments': JSON.stringify(reply.call.input),
      }),
    }),
  },
  'OpenInference, tools as spans without an id': {
    chat: openInference(true),
    tool: (call) => ({
      'openinference.span.kind': 'TOOL',
      'session.id': 'talk',
      'tool.name': 'look',
      'input.value': call.input,
      'output.value': call.answer,
    }),
  },
  'OpenInference without any id of a call': { chat: openInference(false) },
  'OpenInference whose request tells more': {
    chat: (history, reply) => ({
      ...openInference(true)(history, reply),
      'input.value': { model: 'm', messages: history.map(blocks) },
    }),
  },
  'a conversation as the text of one message, answers without their calls': {
    chat: (history, reply) => ({
      ...genAi(reply),
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.input.messages': [
        { role: 'user', parts: [{ type: 'text', content: JSON.stringify(history.flatMap(items)) }] },
      ],
      'gen_ai.output.messages': [{ role: 'assistant', parts: [{ type: 'text', content: reply.text }] }],
    }),
  },
  'a framework that keeps its calls to itself': {
    chat: (history, reply) => ({
      ...genAi(reply),
      'gen_ai.input.messages': history.map(parts),
      'gen_ai.output.messages': [{ role: 'assistant', parts: [{ type: 'text', content: reply.text }] }],
    }),
    tool: (call) => ({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'look',
      'gen_ai.tool.call.arguments': call.input,
      'gen_ai.tool.call.result': call.answer,
    }),
  },
  'the AI SDK': {
    chat: (history, reply) => ({
      'ai.operationId': 'ai.streamText.doStream',
      'ai.telemetry.metadata.sessionId': 'talk',
      'ai.prompt.messages': history.map(({ role, text, call, result }) => ({
        role,
        content: result
          ? [{ type: 'tool-result', toolCallId: result.id, output: { type: 'text', value: result.answer } }]
          : [
              ...(text === '' ? [] : [{ type: 'text', text }]),
              ...(call
                ? [{ type: 'tool-call', toolCallId: call.id, toolName: 'look', input: call.input }]
                : []),
            ],
      })),
      ...(reply.text === '' ? {} : { 'ai.response.text': reply.text }),
      ...(reply.call && {
        'ai.response.toolCalls': [
          { toolCallId: reply.call.id, toolName: 'look', input: JSON.stringify(reply.call.input) },
        ],
      }),
      'ai.response.finishReason': reply.call ? 'tool-calls' : 'stop',
      'ai.response.model': 'm',
      'ai.usage.inputTokens': reply.input,
      'ai.usage.outputTokens': reply.output,
    }),
    tool: (call) => ({
      'ai.operationId': 'ai.toolCall',
      'ai.toolCall.name': 'look',
      'ai.toolCall.id': call.id,
      'ai.toolCall.args': call.input,
      'ai.toolCall.result': JSON.stringify(call.answer),
    }),
  },
};

/** The spans of the talk, in the order in which they ended. */
export function talkIn({ chat, tool, chatSpan, toolSpan }: Convention): Span[] {
  const spans: Span[] = [];
  for (const [index, reply] of REPLIES.entries()) {
    const at = 10 * (index + 1);
    const history = historyOf(index);
    spans.push(span(`c${index}`, at, at + 1, chat(history, reply), chatSpan?.(history, reply)));
    if (reply.call !== undefined && tool !== undefined)
      spans.push(span(`f${index}`, at + 2, at + 3, tool(reply.call), toolSpan?.(reply.call)));
  }
  return spans;
}

/** The messages separate from their spans: log records that point at them. */
export function talkInLogs(): { spans: Span[]; logs: unknown[] } {
  const spans = REPLIES.map((reply, index) =>
    span(`c${index}`, 10 * (index + 1), 10 * (index + 1) + 1, genAi(reply)),
  );
  const logs = REPLIES.flatMap((reply, index) => {
    const { traceId, spanId, startTimeUnixNano, endTimeUnixNano } = spans[index] as Span;
    const record = (name: string, body: unknown, timeUnixNano: string) => ({
      traceId,
      spanId,
      timeUnixNano,
      eventName: name,
      attributes: [],
      body: typed(body),
    });
    return [
      ...historyOf(index).map((one) => {
        const { tool_call_id: id, ...rest } = chatCompletions(one);
        return record(`gen_ai.${one.role}.message`, { ...rest, ...(id && { id }) }, startTimeUnixNano);
      }),
      record(
        'gen_ai.choice',
        { index: 0, finish_reason: finish(reply), message: chatCompletions({ role: 'assistant', ...reply }) },
        endTimeUnixNano,
      ),
    ];
  });
  return { spans, logs };
}

function typed(value: unknown): unknown {
  if (Array.isArray(value)) return { arrayValue: { values: value.map(typed) } };
  if (typeof value === 'object' && value !== null)
    return {
      kvlistValue: { values: Object.entries(value).map(([key, one]) => ({ key, value: typed(one) })) },
    };
  return typeof value === 'number' ? { intValue: String(value) } : { stringValue: value };
}
