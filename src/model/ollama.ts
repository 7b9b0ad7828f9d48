/** Speaks Ollama's own protocol: only that one takes a context window and a JSON schema for every model. */
import { z } from 'zod';

export const OLLAMA_ADDRESS = 'http://localhost:11434';

const asked = z.object({
  model: z.string(),
  messages: z.array(
    z.object({
      role: z.string(),
      content: z.union([z.string(), z.array(z.object({ text: z.string() }))]),
    }),
  ),
  stream: z.boolean().default(false),
  temperature: z.number().default(0),
  max_tokens: z.number().optional(),
  response_format: z
    .object({ type: z.string(), json_schema: z.object({ schema: z.unknown() }).optional() })
    .optional(),
});

const answered = z.object({
  message: z.object({ content: z.string() }),
  done_reason: z.string().default('stop'),
  prompt_eval_count: z.number().default(0),
  eval_count: z.number().default(0),
});

const SMALLEST_WINDOW = 8192;
/** No text has more tokens than this share of its characters. */
const TOKENS_PER_CHARACTER = 0.5;

/** Turns a call of the chat protocol into one of Ollama, and its answer back. */
export function ollamaFetch(send: typeof fetch): typeof fetch {
  return async (address, init) => {
    const { model, messages, stream, temperature, max_tokens, response_format } = asked.parse(
      JSON.parse(String(init?.body)),
    );
    const said = messages.map(({ role, content }) => ({
      role,
      content: typeof content === 'string' ? content : content.map(({ text }) => text).join(''),
    }));
    const characters = said.reduce((sum, { content }) => sum + content.length, 0);
    // A prompt that is longer than the window loses its beginning, without an error.
    const window = Math.max(
      SMALLEST_WINDOW,
      Math.ceil(characters * TOKENS_PER_CHARACTER) + (max_tokens ?? 0),
    );
    const reply = await send(String(address).replace(/(?:\/v1)?\/chat\/completions$/, '/api/chat'), {
      ...init,
      body: JSON.stringify({
        model,
        messages: said,
        stream: false,
        format: response_format?.json_schema?.schema ?? (response_format ? 'json' : undefined),
        options: { temperature, num_ctx: window, num_predict: max_tokens },
      }),
    });
    if (!reply.ok) return asFailure(reply);
    const answer = answered.parse(await reply.json());
    return stream ? asEvents(answer) : Response.json(asChat(answer));
  };
}

const failed = z.object({ error: z.string() });

/** "model not found" is said in a form of its own. */
async function asFailure(reply: Response): Promise<Response> {
  const { status, headers } = reply;
  const said = failed.safeParse(await reply.json().catch(() => undefined));
  const again = headers.get('retry-after');
  return Response.json(
    { error: { message: said.data?.error ?? '' } },
    { status, headers: again === null ? {} : { 'retry-after': again } },
  );
}

function asChat({ message, done_reason, ...counts }: z.infer<typeof answered>) {
  return {
    id: 'ollama',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: message.content },
        finish_reason: done_reason === 'length' ? 'length' : 'stop',
      },
    ],
    usage: {
      prompt_tokens: counts.prompt_eval_count,
      completion_tokens: counts.eval_count,
      total_tokens: counts.prompt_eval_count + counts.eval_count,
    },
  };
}

function asEvents(answer: z.infer<typeof answered>): Response {
  const { id, choices, usage } = asChat(answer);
  const chunks = [
    { id, choices: choices.map(({ message: delta, ...choice }) => ({ ...choice, delta })) },
    { id, choices: [], usage },
  ];
  const events = [...chunks.map((one) => JSON.stringify(one)), '[DONE]'].map((data) => `data: ${data}\n\n`);
  return new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } });
}
