import { generateText, type LanguageModel, type LanguageModelUsage, Output, streamText } from 'ai';
import { z } from 'zod';

/** The schema of an answer, with a name that providers show. */
export type AnswerForm = { readonly name: string; readonly schema: z.ZodType };

export type Question = {
  readonly form: AnswerForm;
  readonly instructions: string;
  readonly text: string;
  readonly temperature?: number;
  readonly maxOutputTokens: number;
  readonly stream: boolean;
  /** Ask for JSON in words: the server takes no schema. */
  readonly inWords: boolean;
};

export type ModelAnswer = {
  readonly text: string;
  readonly finishReason: string;
  readonly usage: LanguageModelUsage;
  /** Settings that the model does not take. */
  readonly warnings: readonly string[];
};

/** One call of a model, without a second try. The instructions are ours, the text is the whole message of the user. */
export async function ask(
  model: LanguageModel,
  question: Question,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  globalThis.AI_SDK_LOG_WARNINGS ??= false;
  let text = '';
  const settings = {
    model,
    instructions: question.inWords
      ? `${question.instructions}\n\n${inWords(question.form)}`
      : question.instructions,
    prompt: question.text,
    temperature: question.temperature,
    maxOutputTokens: question.maxOutputTokens,
    maxRetries: 0,
    abortSignal: signal,
    telemetry: { isEnabled: false },
    // Asks the provider not to store the request.
    providerOptions: { openai: { store: false } },
    output: {
      ...(question.inWords ? Output.text() : Output.object(question.form)),
      // The text is read by us, so that a broken answer still has its usage and its reason.
      parseCompleteOutput: async (answer: { text: string }) => {
        text = answer.text;
        return text;
      },
    },
  };
  if (question.stream) return collectStream(streamText({ ...settings, onError: () => {} }).stream, signal);
  const { finishReason, usage, warnings, toolCalls } = await generateText(settings);
  const said = { text, finishReason, usage, warnings: sayWarnings(warnings) };
  return text === '' ? { ...said, ...fromTool(toolCalls) } : said;
}

function inWords({ schema }: AnswerForm): string {
  return `Answer with nothing but one JSON object of this schema:\n${JSON.stringify(z.toJSONSchema(schema))}`;
}

/** Some servers and models answer a schema with a tool call: its arguments are the answer. */
function fromTool(calls: readonly { readonly input?: unknown }[]): Partial<ModelAnswer> {
  const [only, ...more] = calls;
  if (only === undefined || more.length > 0) return {};
  const { input } = only;
  return { text: typeof input === 'string' ? input : JSON.stringify(input), finishReason: 'stop' };
}

type Part = {
  readonly type: string;
  readonly text?: string;
  readonly input?: unknown;
  readonly error?: unknown;
  readonly finishReason?: string;
  readonly totalUsage?: LanguageModelUsage;
  readonly warnings?: readonly Warning[];
};

async function collectStream(stream: AsyncIterable<Part>, signal: AbortSignal): Promise<ModelAnswer> {
  const pieces: string[] = [];
  const calls: Part[] = [];
  let warnings: readonly string[] = [];
  let end: Part | undefined;
  for await (const part of stream) {
    if (part.type === 'text-delta') pieces.push(part.text ?? '');
    else if (part.type === 'tool-call') calls.push(part);
    else if (part.type === 'error') throw part.error;
    else if (part.type === 'start-step') warnings = sayWarnings(part.warnings);
    else if (part.type === 'finish') end = part;
  }
  signal.throwIfAborted();
  if (end?.totalUsage === undefined) throw new Error('the stream ended without an end');
  const text = pieces.join('');
  return {
    text,
    finishReason: end.finishReason ?? 'other',
    usage: end.totalUsage,
    warnings,
    ...(text === '' && fromTool(calls)),
  };
}

type Warning = {
  readonly type: string;
  readonly feature?: string;
  readonly details?: string;
  readonly message?: string;
};

function sayWarnings(warnings: readonly Warning[] = []): string[] {
  return warnings.map(({ type, feature = '', details, message }) => {
    return details ?? message ?? `${feature} is ${type}`;
  });
}
