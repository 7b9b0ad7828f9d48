import { performance } from 'node:perf_hooks';
import { AssayError } from '../errors.ts';
import { mask } from '../secrets.ts';
import { type AnswerForm, ask, type ModelAnswer, type Question } from './ask.ts';
import { backoffMs, MAX_RETRY_AFTER_MS, openPause, type Pause } from './backoff.ts';
import { type Budget, openBudget } from './budget.ts';
import { failureOf, refusesSchema } from './failure.ts';
import { type ModelEnvironment, type OpenModel, openModel } from './model.ts';
import { loadPrice, type Price, priceAt, type TokenRates } from './price.ts';

export type ClientOptions = {
  /** `provider/model`. */
  readonly model: string;
  readonly env?: ModelEnvironment | undefined;
  readonly baseUrl?: string | undefined;
  readonly temperature?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly stream?: boolean | undefined;
  /** For one call. */
  readonly timeoutMs?: number | undefined;
  /** Tries after the first one. */
  readonly retries?: number | undefined;
  readonly firstBackoffMs?: number | undefined;
  readonly maxCostUsd?: number | undefined;
  /** The price of the model. Default: the published price. */
  readonly rates?: TokenRates | undefined;
};

export type ModelCounts = {
  readonly calls: number;
  /** Calls that brought no usable answer. */
  readonly failedCalls: number;
  /** Undefined when the price of the model is unknown. */
  readonly spentUsd?: number;
  /** Settings that the model does not take. */
  readonly warnings: readonly string[];
};

type UsedAnswer<Output> = {
  readonly output: Output;
  readonly latencyMs: number;
  /** Of all tries together. */
  readonly costUsd?: number;
};

type ModelRequest<Output> = {
  readonly instructions: string;
  readonly text: string;
  readonly form: AnswerForm;
  readonly read: (text: string, finishReason: string) => Output;
};

export type ModelClient = {
  readonly model: OpenModel;
  readonly maxOutputTokens: number;
  readonly ask: <Output>(request: ModelRequest<Output>, signal: AbortSignal) => Promise<UsedAnswer<Output>>;
  readonly mostUsd: (request: Pick<ModelRequest<unknown>, 'instructions' | 'text'>) => number | undefined;
  /** A guess at what a call will cost, from the usual length of tokens. */
  readonly usualUsd: (
    request: Pick<ModelRequest<unknown>, 'instructions' | 'text'>,
    outputTokens: number,
  ) => number | undefined;
  readonly counts: () => ModelCounts;
};

const DEFAULTS = { maxOutputTokens: 16_000, timeoutMs: 120_000, retries: 4, firstBackoffMs: 1000 };

/** An unusable answer costs money as well, so retries are limited. */
const MAX_UNUSABLE = 3;

/** More than the schema and the wrapping of a request take, in tokens. */
const REQUEST_OVERHEAD = 2000;

/** Of English text, about. */
export const BYTES_PER_TOKEN = 4;

type ClientState = typeof DEFAULTS & {
  readonly options: ClientOptions;
  readonly model: OpenModel;
  readonly price: Price | undefined;
  readonly budget: Budget;
  readonly pause: Pause;
  readonly tally: { calls: number; failedCalls: number; warnings: Set<string> };
  /** Once the provider refused the key or the model, there is no point in asking again. */
  refused: AssayError | undefined;
  /** Once the server did not take a schema, the others are asked in words at once. */
  inWords: boolean;
};

export async function openModelClient(options: ClientOptions): Promise<ModelClient> {
  const { baseUrl, env = process.env, maxCostUsd } = options;
  const model = await openModel(options.model, { env, baseUrl });
  const price =
    options.rates === undefined ? await loadPrice(model.provider, model.id) : priceAt(options.rates);
  if (maxCostUsd !== undefined && price === undefined) {
    throw new AssayError('PRICE_UNKNOWN', `the price of ${model.spec} is not known; no call was made`);
  }
  const state: ClientState = {
    maxOutputTokens: options.maxOutputTokens ?? DEFAULTS.maxOutputTokens,
    timeoutMs: options.timeoutMs ?? DEFAULTS.timeoutMs,
    retries: options.retries ?? DEFAULTS.retries,
    firstBackoffMs: options.firstBackoffMs ?? DEFAULTS.firstBackoffMs,
    options,
    model,
    price,
    budget: openBudget(maxCostUsd),
    pause: openPause(),
    tally: { calls: 0, failedCalls: 0, warnings: new Set() },
    refused: undefined,
    inWords: false,
  };
  return {
    model,
    maxOutputTokens: state.maxOutputTokens,
    ask: (request, signal) => askUntilUsable(state, request, signal),
    mostUsd: (request) => mostOf(request, state),
    usualUsd: ({ instructions, text }, outputTokens) => {
      const bytes = Buffer.byteLength(instructions) + Buffer.byteLength(text);
      return price?.of(
        Math.ceil(bytes / BYTES_PER_TOKEN),
        Math.min(Math.ceil(outputTokens), state.maxOutputTokens),
      );
    },
    counts: () => ({
      ...state.tally,
      ...(price !== undefined && { spentUsd: state.budget.spentUsd() }),
      warnings: [...state.tally.warnings],
    }),
  };
}

type Attempt<Output> =
  | { readonly output: Output; readonly latencyMs: number; readonly costUsd: number | undefined }
  | {
      readonly error: AssayError;
      readonly costUsd: number | undefined;
      readonly retry: boolean;
      readonly unusable?: true;
      /** It was the way of asking: the next one is another way and no further try. */
      readonly otherwise?: true;
      readonly retryAfterMs?: number;
    };

type FailedAttempt = Extract<Attempt<unknown>, { error: AssayError }>;

async function askUntilUsable<Output>(
  state: ClientState,
  request: ModelRequest<Output>,
  signal: AbortSignal,
): Promise<UsedAnswer<Output>> {
  let costUsd: number | undefined = 0;
  let unusable = 0;
  for (let attempt = 1; ; attempt += 1) {
    const result = await tryOnce(state, request, signal);
    costUsd = costUsd === undefined || result.costUsd === undefined ? undefined : costUsd + result.costUsd;
    if ('output' in result) {
      const { output, latencyMs } = result;
      return { output, latencyMs, costUsd };
    }
    state.tally.failedCalls += 1;
    if (result.otherwise) {
      attempt -= 1;
      continue;
    }
    if (result.unusable) unusable += 1;
    if (!result.retry || attempt > state.retries || unusable >= MAX_UNUSABLE) {
      throw attempt === 1 ? result.error : withTries(result.error, attempt);
    }
    await waitAfter(result, attempt, state, signal);
  }
}

/** A rate limit holds every call back, a broken answer only this one. */
async function waitAfter(
  { error, retryAfterMs, unusable }: FailedAttempt,
  attempt: number,
  state: ClientState,
  signal: AbortSignal,
): Promise<void> {
  if (retryAfterMs !== undefined && retryAfterMs > MAX_RETRY_AFTER_MS) {
    const minutes = Math.ceil(retryAfterMs / 60_000);
    throw new AssayError(error.code, `${error.message}; it asks to wait ${minutes} minutes`);
  }
  if (unusable) return;
  const waitMs = backoffMs(attempt, state.firstBackoffMs, retryAfterMs);
  if (retryAfterMs !== undefined) state.pause.hold(waitMs);
  const own = openPause();
  own.hold(waitMs);
  await own.wait(signal);
}

async function tryOnce<Output>(
  state: ClientState,
  request: ModelRequest<Output>,
  signal: AbortSignal,
): Promise<Attempt<Output>> {
  const { model, budget, price, timeoutMs, tally, options } = state;
  const { instructions, text, form } = request;
  const question: Question = {
    instructions,
    text,
    form,
    maxOutputTokens: state.maxOutputTokens,
    stream: options.stream === true,
    inWords: state.inWords,
    temperature: options.temperature,
  };
  const mostUsd = mostOf(request, state) ?? 0;
  await state.pause.wait(signal);
  await budget.reserve(mostUsd, signal);
  let costUsd: number | undefined;
  try {
    if (state.refused !== undefined) {
      costUsd = 0;
      throw state.refused;
    }
    tally.calls += 1;
    const startedAt = performance.now();
    const answer = await ask(
      model.language,
      question,
      AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    );
    const latencyMs = Math.round(performance.now() - startedAt);
    costUsd = price?.ofUsage(answer.usage);
    for (const warning of answer.warnings) tally.warnings.add(warning);
    return { ...readWith(request, answer, model), latencyMs, costUsd };
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown === state.refused) throw thrown;
    const failure = failureOf(thrown, model, timeoutMs);
    if (!question.inWords && refusesSchema(thrown)) {
      state.inWords = true;
      tally.warnings.add(`${model.spec} takes no JSON schema, so it was asked for JSON in words`);
      costUsd = 0;
      return { ...failure, costUsd, retry: true, otherwise: true };
    }
    if (failure.forAll) state.refused = failure.error;
    if (!failure.mayBeCharged) costUsd = 0;
    return { ...failure, costUsd };
  } finally {
    budget.settle(mostUsd, price === undefined ? 0 : costUsd);
  }
}

type Read<Output> =
  | { readonly output: Output }
  | { readonly error: AssayError; readonly retry: boolean; readonly unusable: true };

function readWith<Output>(
  { read }: ModelRequest<Output>,
  { text, finishReason }: ModelAnswer,
  { secrets }: OpenModel,
): Read<Output> {
  try {
    return { output: read(mask(text, secrets), finishReason) };
  } catch (error) {
    if (!(error instanceof AssayError)) throw error;
    // Who refuses a text refuses it again, and is paid again.
    return { error, retry: finishReason !== 'content-filter', unusable: true };
  }
}

/** The most a call can cost: a token is at least one byte, and the output is bounded. */
function mostOf(
  { instructions, text }: Pick<ModelRequest<unknown>, 'instructions' | 'text'>,
  { price, maxOutputTokens }: ClientState,
): number | undefined {
  const inputTokens = Buffer.byteLength(instructions) + Buffer.byteLength(text) + REQUEST_OVERHEAD;
  return price?.of(inputTokens, maxOutputTokens);
}

function withTries({ code, message, remedy }: AssayError, attempts: number): AssayError {
  return new AssayError(code, `${message} (after ${attempts} tries)`, { remedy });
}
