/** The price table of `@pydantic/genai-prices`, overridden by the user's file. */
import type { calcPrice, ModelPrice } from '@pydantic/genai-prices';
import { shortHash } from '../session-key.ts';
import { candidatesOf, type ModelNameGuess } from './model-name.ts';
import { hourRate, type PriceQuestion, type Prices, type Rates } from './prices.ts';
import { shippedPricesName } from './shipped-prices.ts';

type CalcPrice = typeof calcPrice;

/** Undated use is priced as of this day, so that the same input costs the same tomorrow. */
const PRICES_AS_OF = Date.UTC(2026, 10, 1, 12);

/** Some providers charge by the time of day, in steps of half an hour. */
const HALF_HOUR_MS = 30 * 60 * 1000;

/** The table is 0.8 MB of source (about 60 ms to import), so it is loaded only by those who ask for prices. */
export async function loadPrices(userFile?: string): Promise<Prices> {
  const [{ calcPrice }, user] = await Promise.all([
    import('@pydantic/genai-prices'),
    userFile === undefined ? undefined : import('./user-prices.ts'),
  ]);
  const table = userFile === undefined ? undefined : user?.readUserPrices(userFile);
  const remembered = new Map<string, Listed | undefined>();
  const listedPrice = (question: PriceQuestion): Listed | undefined => {
    const at = Math.floor(timeOf(question.at) / HALF_HOUR_MS) * HALF_HOUR_MS;
    const { model, provider = '' } = question;
    // The length marks where the name of the model ends.
    const key = `${at} ${model.length} ${model}${provider}`;
    const known = remembered.get(key);
    if (known !== undefined || remembered.has(key)) return known;
    const found = findListed(calcPrice, question, at);
    remembered.set(key, found);
    return found;
  };
  const name = shippedPricesName();
  return {
    name: table === undefined ? name : `${name} + own ${shortHash(table)}`,
    ratesOf: (question) => {
      const own = table && user?.userRatesOf(table, question.model, question.provider);
      if (own !== undefined) return own;
      const listed = listedPrice(question);
      return listed && ratesFrom(listed, question.contextTokens ?? 0);
    },
  };
}

/** A price of the table and the name it was found under. */
type Listed = { readonly model: string; readonly price: ModelPrice };

function findListed(calculate: CalcPrice, question: PriceQuestion, at: number): Listed | undefined {
  for (const candidate of candidatesOf(question.model, question.provider)) {
    const price = lookUp(calculate, candidate, at);
    const listed = price && { model: candidate.model, price };
    if (listed !== undefined && ratesFrom(listed, 0) !== undefined) return listed;
  }
  return undefined;
}

function lookUp(
  calculate: CalcPrice,
  { model, provider }: ModelNameGuess,
  at: number,
): ModelPrice | undefined {
  try {
    const found = calculate({ input_tokens: 1, output_tokens: 1 }, model, {
      timestamp: new Date(at),
      providerId: provider,
    });
    return found?.model_price;
  } catch {
    // A model that is priced by the image or the minute: not a price per token.
    return undefined;
  }
}

const FREE: Rates = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cacheWriteHour: 0 };

/** What the table leaves out is charged as plain input: that is how it computes itself. */
function ratesFrom({ model, price }: Listed, contextTokens: number): Rates | undefined {
  const input = rateAt(price.input_mtok, contextTokens);
  const output = rateAt(price.output_mtok, contextTokens);
  if (input === undefined || output === undefined) {
    // An entry without a price is free only if its name says so.
    return model.endsWith(':free') ? FREE : undefined;
  }
  const cacheWrite = rateAt(price.cache_write_mtok, contextTokens);
  return {
    input,
    output,
    cacheRead: rateAt(price.cache_read_mtok, contextTokens) ?? input,
    cacheWrite: cacheWrite ?? input,
    cacheWriteHour: rateAt(price.cache_write_1h_mtok, contextTokens) ?? hourRate(input, cacheWrite),
  };
}

/** A price is a number, or a base with more expensive tiers for requests above a length. */
function rateAt(price: ModelPrice[string], contextTokens: number): number | undefined {
  if (price === undefined || typeof price === 'number') return price;
  return price.tiers.reduce(
    (best, tier) => (contextTokens > tier.start && tier.start >= best.start ? tier : best),
    { start: 0, price: price.base },
  ).price;
}

function timeOf(at: number | undefined): number {
  return at !== undefined && Number.isFinite(at) && Math.abs(at) < 8.64e15 ? at : PRICES_AS_OF;
}
