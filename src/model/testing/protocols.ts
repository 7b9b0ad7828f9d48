/** The parts of the providers' protocols that a decomposition needs. */

export type ServedAnswer = {
  readonly text: string;
  readonly finish: 'stop' | 'length' | 'refusal';
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The text is the arguments of a tool; chat servers only. */
  readonly asTool?: boolean;
};

type Body = Record<string, unknown>;

export type Protocol = {
  readonly user: (body: Body) => string;
  readonly system: (body: Body) => string;
  readonly whole: (answer: ServedAnswer) => object;
  /** The same answer as server-sent events. */
  readonly events: (answer: ServedAnswer) => string[];
};

export function protocolOf(path: string): Protocol {
  if (path.includes('/responses')) return RESPONSES;
  if (path.includes('/chat/completions')) return CHAT;
  if (path.includes('/api/chat')) return OLLAMA;
  if (path.includes('/messages')) return MESSAGES;
  return GOOGLE;
}

type Message = { role: string; content: string | { text: string }[] };

function contentOf(messages: unknown, ...roles: string[]): string {
  return (messages as Message[])
    .filter(({ role }) => roles.includes(role))
    .map(({ content }) => (typeof content === 'string' ? content : content.map(({ text }) => text).join('')))
    .join('');
}

function event(data: object | string, name?: string): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${text}\n\n`;
}

/** Pieces of three characters or so: a stream never ends where it would be convenient. */
function pieces(text: string): string[] {
  const size = Math.max(3, Math.ceil(text.length / 40));
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
}

const RESPONSES: Protocol = {
  user: (body) => contentOf(body.input, 'user'),
  system: (body) => contentOf(body.input, 'developer', 'system'),
  whole: (answer) => response(answer),
  events: (answer) => {
    const { output: _, ...begun } = response(answer);
    const item = { type: 'message', id: 'msg_1', role: 'assistant' };
    const place = { item_id: 'msg_1', output_index: 0, content_index: 0 };
    return [
      event({ type: 'response.created', response: { ...begun, status: 'in_progress' } }),
      event({ type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } }),
      ...pieces(answer.text).map((delta) => event({ type: 'response.output_text.delta', ...place, delta })),
      event({
        type: 'response.output_item.done',
        output_index: 0,
        item: {
          ...item,
          status: 'completed',
          content: [{ type: 'output_text', text: answer.text, annotations: [] }],
        },
      }),
      event({
        type: answer.finish === 'length' ? 'response.incomplete' : 'response.completed',
        response: response(answer),
      }),
    ];
  },
};

function response({ text, finish, inputTokens, outputTokens }: ServedAnswer) {
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1_700_000_000,
    status: finish === 'length' ? 'incomplete' : 'completed',
    model: 'served-model',
    error: null,
    incomplete_details: finish === 'length' ? { reason: 'max_output_tokens' } : null,
    output: [
      {
        type: 'message',
        id: 'msg_1',
        status: 'completed',
        role: 'assistant',
        content:
          finish === 'refusal'
            ? [{ type: 'refusal', refusal: text }]
            : [{ type: 'output_text', text, annotations: [] }],
      },
    ],
    usage: {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: inputTokens + outputTokens,
    },
  };
}

const CHAT: Protocol = {
  user: (body) => contentOf(body.messages, 'user'),
  system: (body) => contentOf(body.messages, 'system'),
  whole: (answer) => ({
    id: 'chat_1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'served-model',
    choices: [{ index: 0, message: chatMessage(answer), finish_reason: chatReason(answer) }],
    usage: chatUsage(answer),
  }),
  events: (answer) => {
    const head = { id: 'chat_1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'm' };
    const choice = (delta: object, finish_reason: string | null) =>
      event({ ...head, choices: [{ index: 0, delta, finish_reason }] });
    return [
      choice({ role: 'assistant', content: '' }, null),
      ...(answer.asTool
        ? [choice({ tool_calls: [{ index: 0, ...toolCall(answer) }] }, null)]
        : pieces(answer.text).map((content) => choice({ content }, null))),
      choice({}, chatReason(answer)),
      event({ ...head, choices: [], usage: chatUsage(answer) }),
      event('[DONE]'),
    ];
  },
};

const OLLAMA: Protocol = {
  user: (body) => contentOf(body.messages, 'user'),
  system: (body) => contentOf(body.messages, 'system'),
  whole: ({ text, finish, inputTokens, outputTokens }) => ({
    model: 'served-model',
    message: { role: 'assistant', content: text },
    done: true,
    done_reason: finish,
    prompt_eval_count: inputTokens,
    eval_count: outputTokens,
  }),
  events: () => [],
};

function chatMessage(answer: ServedAnswer) {
  if (answer.asTool) return { role: 'assistant', content: null, tool_calls: [toolCall(answer)] };
  return { role: 'assistant', content: answer.text };
}

function toolCall({ text }: ServedAnswer) {
  return { id: 'call_1', type: 'function', function: { name: 'decomposition', arguments: text } };
}

function chatReason({ finish, asTool }: ServedAnswer): string {
  if (asTool) return 'tool_calls';
  return finish === 'refusal' ? 'content_filter' : finish;
}

function chatUsage({ inputTokens, outputTokens }: ServedAnswer) {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}

const MESSAGES: Protocol = {
  user: (body) => contentOf(body.messages, 'user'),
  system: (body) => contentOf([{ role: 'system', content: body.system }], 'system'),
  whole: (answer) => ({ ...message(answer), content: [{ type: 'text', text: answer.text }] }),
  events: (answer) => {
    const { stop_reason, usage, ...begun } = message(answer);
    const start = { ...begun, content: [], stop_reason: null, usage: { ...usage, output_tokens: 0 } };
    const text = (data: object) => event(data, (data as { type: string }).type);
    return [
      text({ type: 'message_start', message: start }),
      text({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
      ...pieces(answer.text).map((piece) =>
        text({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: piece } }),
      ),
      text({ type: 'content_block_stop', index: 0 }),
      text({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage }),
      text({ type: 'message_stop' }),
    ];
  },
};

function message({ finish, inputTokens, outputTokens }: ServedAnswer) {
  const stop_reason = { stop: 'end_turn', length: 'max_tokens', refusal: 'refusal' }[finish];
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'served-model',
    stop_reason,
    stop_sequence: null,
    usage: { input_tokens: inputTokens, output_tokens: outputTokens },
  };
}

type GooglePart = { parts: { text: string }[] };

const GOOGLE: Protocol = {
  user: (body) => partsOf((body.contents as GooglePart[])[0]),
  system: (body) => partsOf(body.systemInstruction as GooglePart | undefined),
  whole: (answer) => candidate(answer, answer.text, true),
  events: (answer) =>
    pieces(answer.text).map((piece, index, all) => event(candidate(answer, piece, index === all.length - 1))),
};

function partsOf(content: GooglePart | undefined): string {
  return content?.parts.map(({ text }) => text).join('') ?? '';
}

function candidate({ finish, inputTokens, outputTokens }: ServedAnswer, text: string, last: boolean) {
  const finishReason = { stop: 'STOP', length: 'MAX_TOKENS', refusal: 'SAFETY' }[finish];
  return {
    candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0, ...(last && { finishReason }) }],
    usageMetadata: {
      promptTokenCount: inputTokens,
      candidatesTokenCount: outputTokens,
      totalTokenCount: inputTokens + outputTokens,
    },
    modelVersion: 'served-model',
  };
}
