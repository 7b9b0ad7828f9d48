/** What models cost. Pure: the table behind it is loaded by `load-prices.ts`. */
import type { Usage } from '../event.ts';

/** USD per million tokens. */
export type Rates = {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** The price of a one-hour cache write instead of five minutes; default `cacheWrite`. */
  readonly cacheWriteHour?: number;
};

export type PriceQuestion = {
  readonly model: string;
  readonly provider?: string | undefined;
  /** When it was used, milliseconds since 1970: prices change. Unknown: the prices of the table's own day. */
  readonly at?: number | undefined;
  /** Input tokens of a request, cached ones included: some providers charge more for long ones. */
  readonly contextTokens?: number | undefined;
};

export type Prices = {
  /** Says which table, for every number that rests on it. */
  readonly name: string;
  /** Undefined: the model is not in the table. Never a guess, never 0. */
  readonly ratesOf: (question: PriceQuestion) => Rates | undefined;
};

/** Knows no model; every cost that the transcript does not state is unmeasured. */
export const NO_PRICES: Prices = { name: 'none', ratesOf: () => undefined };

/** Providers that charge for cache writes charge twice the input price for an hour, listed or not. */
export function hourRate(input: number, cacheWrite: number | undefined): number {
  return cacheWrite === undefined ? input : 2 * input;
}

/** The cost of `messages` requests, charged by their mean length; undefined when the model's price is unknown. */
export function priceOf(
  prices: Prices,
  question: Omit<PriceQuestion, 'contextTokens'>,
  usage: Usage,
  messages = 1,
): number | undefined {
  const contextTokens = (usage.input + usage.cacheRead + usage.cacheWrite) / Math.max(1, messages);
  const rates = prices.ratesOf({ ...question, contextTokens });
  return rates === undefined ? undefined : costAt(rates, usage);
}

function costAt(rates: Rates, usage: Usage): number {
  const hour = usage.cacheWriteHour ?? 0;
  const micro =
    usage.input * rates.input +
    usage.output * rates.output +
    usage.cacheRead * rates.cacheRead +
    (usage.cacheWrite - hour) * rates.cacheWrite +
    hour * (rates.cacheWriteHour ?? rates.cacheWrite);
  return micro / 1e6;
}

type PriceTier = 'small' | 'medium' | 'large';

/**
 * By the price of a million output tokens, which separates a provider's models: below $6 small (Haiku, mini, flash),
 * below $20 medium (Sonnet, GPT-5, Gemini Pro), from $20 on large (Opus).
 */
const MEDIUM_FROM = 6;
const LARGE_FROM = 20;

export function priceTierOf(outputUsdPerMillion: number): PriceTier {
  if (outputUsdPerMillion >= LARGE_FROM) return 'large';
  return outputUsdPerMillion >= MEDIUM_FROM ? 'medium' : 'small';
}

export function modelTierOf(
  prices: Prices,
  model: string,
  provider: string | undefined,
  at: number | undefined,
): PriceTier | undefined {
  const rates = prices.ratesOf({ model, provider, at });
  return rates === undefined ? undefined : priceTierOf(rates.output);
}
