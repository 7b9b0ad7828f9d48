/** A person's own prices, over the shipped table: contracts, gateways, local models, models too new for the table. */
import { z } from 'zod';
import { readChecked } from '../checked-file.ts';
import { hourRate, type Rates } from './prices.ts';

const rate = z.number().min(0).max(1e6);

const entrySchema = z.strictObject({
  input: rate.describe('USD per million input tokens that were neither read from nor written to a cache.'),
  output: rate.describe('USD per million output tokens.'),
  cacheRead: rate.optional().describe('USD per million tokens read from a cache; as input unless told.'),
  cacheWrite: rate.optional().describe('USD per million tokens written to a cache; as input unless told.'),
  cacheWriteHour: rate
    .optional()
    .describe(
      'USD per million tokens written to a cache for an hour; twice the input unless told, or as input without `cacheWrite`.',
    ),
});

/** Model pattern (`*` matches anything; `provider/model` restricts it to a provider) → prices. */
const userPricesSchema = z.record(z.string().min(1).max(200), entrySchema);

export type UserPrices = readonly { readonly pattern: string; readonly rates: Rates }[];

export function readUserPrices(path: string): UserPrices {
  const table = readChecked(path, userPricesSchema, {
    remedy:
      'A price file maps a model (with * for anything) to { "input", "output", "cacheRead"?, "cacheWrite"?, "cacheWriteHour"? } in USD per million tokens.',
  });
  return Object.entries(table).map(([pattern, { input, output, ...cache }]) => ({
    pattern,
    rates: {
      input,
      output,
      cacheRead: cache.cacheRead ?? input,
      cacheWrite: cache.cacheWrite ?? input,
      cacheWriteHour: cache.cacheWriteHour ?? hourRate(input, cache.cacheWrite),
    },
  }));
}

/** The pattern with the most letters wins, so that `claude-opus-*` overrides `claude-*`. */
export function userRatesOf(
  table: UserPrices,
  model: string,
  provider: string | undefined,
): Rates | undefined {
  const names = provider === undefined ? [model] : [`${provider}/${model}`, model];
  let best: UserPrices[number] | undefined;
  for (const entry of table) {
    if (names.some((name) => matches(entry.pattern, name)) && isCloser(entry.pattern, best?.pattern))
      best = entry;
  }
  return best?.rates;
}

function isCloser(pattern: string, than: string | undefined): boolean {
  return than === undefined || literalLength(pattern) > literalLength(than);
}

function literalLength(pattern: string): number {
  return pattern.replaceAll('*', '').length;
}

/** `*` matches any run of characters. Linear in the name for each star: no regular expression is built from input. */
function matches(pattern: string, name: string): boolean {
  const parts = pattern.toLowerCase().split('*');
  const text = name.toLowerCase();
  const first = parts[0] ?? '';
  if (parts.length === 1) return text === first;
  const last = parts.at(-1) ?? '';
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
    return false;
  let from = first.length;
  for (const part of parts.slice(1, -1)) {
    const at = text.indexOf(part, from);
    if (at < 0 || at + part.length > text.length - last.length) return false;
    from = at + part.length;
  }
  return from <= text.length - last.length;
}
