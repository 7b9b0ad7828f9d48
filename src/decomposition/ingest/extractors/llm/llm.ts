import { performance } from 'node:perf_hooks';
import { AssayError } from '../../../../errors.ts';
import { mask } from '../../../../secrets.ts';
import type { Prompt } from '../../../prompts/read-prompt.ts';
import type { ExtractionTask, Extractor } from '../../extractor.ts';
import type { ExtractionOutput } from '../../output.ts';
import { readAnswer } from './answer.ts';
import { ask, type ModelAnswer, type Question } from './ask.ts';
import { backoffMs, MAX_RETRY_AFTER_MS, openPause, type Pause } from './backoff.ts';
import { type Budget, openBudget } from './budget.ts';
import { type CacheKey, hashText, openCache } from './cache.ts';
import { withDeadline } from './deadline.ts';
import { failureOf, refusesSchema } from './failure.ts';
import { type ModelEnvironment, type OpenModel, openModel } from './model.ts';
import { loadPrice, type Price } from './price.ts';

export type LlmOptions = {
  /** `provider/model`. */
  readonly model: string;
  readonly prompt: Prompt;
  readonly env?: ModelEnvironment;
  readonly baseUrl?: string;
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  readonly stream?: boolean;
  /** For one call. */
  readonly timeoutMs?: number;
  /** Tries after the first one. */
  readonly retries?: number;
  readonly firstBackoffMs?: number;
  readonly maxCostUsd?: number;
  /** Where answers are kept; without it none are. */
  readonly cacheFolder?: string;
};

/** What an extractor has done so far. */
export type LlmCounts = {
  readonly calls: number;
  readonly fromCache: number;
  /** Calls that brought no usable answer. */
  readonly failedCalls: number;
  /** Undefined when the price of the model is not known. */
  readonly spentUsd?: number;
  /** Settings that the model does not take. */
  readonly warnings: readonly string[];
};

export type LlmExtractor = Extractor & { readonly counts: () => LlmCounts };

const DEFAULTS = { maxOutputTokens: 16_000, timeoutMs: 120_000, retries: 4, firstBackoffMs: 1000 };

/** An answer that cannot be used is paid for like any other, so it is not asked for without end. */
const MAX_UNUSABLE = 3;

/** More than the schema and the wrapping of a request take, in tokens. */
const REQUEST_OVERHEAD = 2000;

type Desk = Required<Pick<LlmOptions, keyof typeof DEFAULTS>> & {
  readonly options: LlmOptions;
  readonly model: OpenModel;
  readonly price: Price | undefined;
  readonly budget: Budget;
  readonly pause: Pause;
  readonly tally: { calls: number; fromCache: number; failedCalls: number; warnings: Set<string> };
  /** Once the provider refused the key or the model, there is no point in asking again. */
  refused: AssayError | undefined;
  /** Once the server did not take a schema, the others are asked in words at once. */
  inWords: boolean;
};

/** Any model of the AI SDK with a versioned prompt. */
export async function llmExtractor(options: LlmOptions): Promise<LlmExtractor> {
  const { baseUrl, env = process.env, prompt, temperature, maxCostUsd } = options;
  const model = await openModel(options.model, { env, ...(baseUrl !== undefined && { baseUrl }) });
  const price = await loadPrice(model.provider, model.id);
  if (maxCostUsd !== undefined && price === undefined) {
    throw new AssayError('PRICE_UNKNOWN', `the price of ${model.spec} is not known; no call was made`);
  }
  const desk: Desk = {
    ...DEFAULTS,
    ...definedOf(options),
    options,
    model,
    price,
    budget: openBudget(maxCostUsd),
    pause: openPause(),
    tally: { calls: 0, fromCache: 0, failedCalls: 0, warnings: new Set() },
    refused: undefined,
    inWords: false,
  };
  const cache = options.cacheFolder === undefined ? undefined : openCache(options.cacheFolder);
  if (cache === undefined && options.cacheFolder !== undefined)
    desk.tally.warnings.add(sayShared(options.cacheFolder));
  return {
    name: `llm ${model.spec} ${prompt.name}${temperature === undefined ? '' : ` temperature ${temperature}`}`,
    extract: async (task, signal) => {
      const key: CacheKey = {
        model: model.spec,
        ...(model.address !== undefined && { address: model.address }),
        ...(temperature !== undefined && { temperature }),
        maxOutputTokens: desk.maxOutputTokens,
        promptHash: prompt.hash,
        textHash: hashText(task.text),
        trial: task.trial,
      };
      const known = cache?.read(key);
      if (known !== undefined) {
        desk.tally.fromCache += 1;
        // The same text under another name of the prompt is the same answer.
        return { ...known, promptVersion: prompt.name, promptSha256: prompt.hash };
      }
      const output = await askUntilUsable(desk, task, signal);
      cache?.write(key, output);
      return output;
    },
    counts: () => {
      const { warnings, ...counts } = desk.tally;
      return {
        ...counts,
        ...(price !== undefined && { spentUsd: desk.budget.spentUsd() }),
        warnings: [...warnings],
      };
    },
  };
}

function sayShared(folder: string): string {
  return `the cache ${folder} is not used: it belongs to somebody else, is a link, or others may write to it`;
}

function definedOf(options: LlmOptions): Partial<typeof DEFAULTS> {
  const { maxOutputTokens, timeoutMs, retries, firstBackoffMs } = options;
  return {
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(retries !== undefined && { retries }),
    ...(firstBackoffMs !== undefined && { firstBackoffMs }),
  };
}

type Attempt =
  | { readonly output: ExtractionOutput; readonly costUsd: number | undefined }
  | {
      readonly error: AssayError;
      readonly costUsd: number | undefined;
      readonly retry: boolean;
      readonly unusable?: true;
      /** It was the way of asking: the next one is another way and no further try. */
      readonly otherwise?: true;
      readonly retryAfterMs?: number;
    };

async function askUntilUsable(
  desk: Desk,
  task: ExtractionTask,
  signal: AbortSignal,
): Promise<ExtractionOutput> {
  let costUsd: number | undefined = 0;
  let unusable = 0;
  for (let attempt = 1; ; attempt += 1) {
    const result = await tryOnce(desk, task, signal);
    costUsd = costUsd === undefined || result.costUsd === undefined ? undefined : costUsd + result.costUsd;
    if ('output' in result) return { ...result.output, ...(costUsd !== undefined && { costUsd }) };
    desk.tally.failedCalls += 1;
    if (result.otherwise) {
      attempt -= 1;
      continue;
    }
    if (result.unusable) unusable += 1;
    if (!result.retry || attempt > desk.retries || unusable >= MAX_UNUSABLE) {
      throw attempt === 1 ? result.error : withTries(result.error, attempt);
    }
    await waitAfter(result, attempt, desk, signal);
  }
}

/** A rate limit holds every call back, a broken answer only this one. */
async function waitAfter(
  { error, retryAfterMs, unusable }: Extract<Attempt, { error: AssayError }>,
  attempt: number,
  desk: Desk,
  signal: AbortSignal,
): Promise<void> {
  if (retryAfterMs !== undefined && retryAfterMs > MAX_RETRY_AFTER_MS) {
    const minutes = Math.ceil(retryAfterMs / 60_000);
    throw new AssayError(error.code, `${error.message}; it asks to wait ${minutes} minutes`);
  }
  if (unusable) return;
  const waitMs = backoffMs(attempt, desk.firstBackoffMs, retryAfterMs);
  if (retryAfterMs !== undefined) desk.pause.hold(waitMs);
  const own = openPause();
  own.hold(waitMs);
  await own.wait(signal);
}

async function tryOnce(desk: Desk, task: ExtractionTask, signal: AbortSignal): Promise<Attempt> {
  const { model, budget, price, timeoutMs, tally, options } = desk;
  const question: Question = {
    instructions: options.prompt.text,
    text: task.text,
    maxOutputTokens: desk.maxOutputTokens,
    stream: options.stream === true,
    inWords: desk.inWords,
    ...(options.temperature !== undefined && { temperature: options.temperature }),
  };
  const mostUsd = mostOf(question, price);
  await desk.pause.wait(signal);
  await budget.reserve(mostUsd, signal);
  let costUsd: number | undefined;
  try {
    if (desk.refused !== undefined) {
      costUsd = 0;
      throw desk.refused;
    }
    tally.calls += 1;
    const startedAt = performance.now();
    const answer = await withDeadline(timeoutMs, signal, (either) => ask(model.language, question, either));
    const latencyMs = Math.round(performance.now() - startedAt);
    costUsd = price?.ofUsage(answer.usage);
    for (const warning of answer.warnings) tally.warnings.add(warning);
    const text = mask(answer.text, model.secrets);
    return judge({ ...answer, text }, latencyMs, costUsd, options);
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown === desk.refused) throw thrown;
    const failure = failureOf(thrown, model, timeoutMs);
    if (!question.inWords && refusesSchema(thrown)) {
      desk.inWords = true;
      tally.warnings.add(`${model.spec} takes no JSON schema, so it was asked for JSON in words`);
      costUsd = 0;
      return { ...failure, costUsd, retry: true, otherwise: true };
    }
    if (failure.forAll) desk.refused = failure.error;
    if (!failure.mayBeCharged) costUsd = 0;
    return { ...failure, costUsd };
  } finally {
    budget.settle(mostUsd, price === undefined ? 0 : costUsd);
  }
}

function judge(
  { text, finishReason }: ModelAnswer,
  latencyMs: number,
  costUsd: number | undefined,
  { model, prompt }: LlmOptions,
): Attempt {
  try {
    const read = readAnswer(text, finishReason, model);
    const made = { model, promptVersion: prompt.name, promptSha256: prompt.hash };
    return { output: { ...read, latencyMs, ...made }, costUsd };
  } catch (error) {
    if (!(error instanceof AssayError)) throw error;
    // Who refuses a text refuses it again, and is paid again.
    return { error, costUsd, retry: finishReason !== 'content-filter', unusable: true };
  }
}

/** The most a call can cost: a token is at least one byte, and the output is bounded. */
function mostOf({ instructions, text, maxOutputTokens }: Question, price: Price | undefined): number {
  const inputTokens = Buffer.byteLength(instructions) + Buffer.byteLength(text) + REQUEST_OVERHEAD;
  return price?.of(inputTokens, maxOutputTokens) ?? 0;
}

function withTries({ code, message, remedy }: AssayError, attempts: number): AssayError {
  return new AssayError(code, `${message} (after ${attempts} tries)`, { remedy });
}
