import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadPrices } from './load-prices.ts';
import { type Prices, priceOf } from './prices.ts';

let prices: Prices;
let folder: string;
beforeAll(async () => {
  prices = await loadPrices();
  folder = mkdtempSync(join(tmpdir(), 'assay-prices-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (content: unknown) => {
  const path = join(folder, 'prices.json');
  writeFileSync(path, JSON.stringify(content));
  return path;
};
const usage = { input: 1000, output: 500, cacheRead: 20_000, cacheWrite: 4000 };

describe('the price of a usage', () => {
  // By hand from the providers' lists, USD per million tokens.
  it.each([
    // 1000 × 3 + 500 × 15 + 20000 × 0.30 + 4000 × 3.75 = 3000 + 7500 + 6000 + 15000
    ['claude-sonnet-4-5-20250929', 'anthropic', 0.0315],
    // 1000 × 5 + 500 × 25 + 20000 × 0.50 + 4000 × 6.25 = 5000 + 12500 + 10000 + 25000
    ['claude-opus-4-5-20251101', undefined, 0.0525],
    // Writing to the cache costs plain input: 5000 × 2 + 500 × 8 + 20000 × 0.50 = 10000 + 4000 + 10000
    ['gpt-4.1-2025-04-14', 'openai', 0.024],
  ])('of %s', (model, provider, expected) => {
    expect(priceOf(prices, { model, provider }, usage)).toBeCloseTo(expected, 12);
  });

  it('charges more for what is kept in a cache for an hour', () => {
    // The cache written is 1000 × 3.75 and 3000 × 6 now: 3000 + 7500 + 6000 + 3750 + 18000
    const part = { ...usage, cacheWriteHour: 3000 };
    expect(priceOf(prices, { model: 'claude-sonnet-4-5' }, part)).toBeCloseTo(0.03825, 12);
    // Who does not charge for writing does not for an hour either.
    expect(priceOf(prices, { model: 'gpt-4.1' }, part)).toBeCloseTo(0.024, 12);
  });

  it('of fast answers is their own, or unknown', () => {
    expect(prices.ratesOf({ model: 'claude-opus-4-6-fast' })).toMatchObject({
      input: 30,
      output: 150,
      cacheWrite: 37.5,
      cacheWriteHour: 60,
    });
    expect(prices.ratesOf({ model: 'claude-opus-4-8-20260401-fast' })?.output).toBe(50);
    expect(prices.ratesOf({ model: 'claude-sonnet-4-5-fast' })).toBeUndefined();
  });

  it('charges long requests by their mean length, not by the sum of many', () => {
    // 1,000,000 tokens: in ten requests of 100,000 each at $3, in one at $6 (above 200,000).
    const long = { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0 };
    expect(priceOf(prices, { model: 'claude-sonnet-4-5' }, long, 10)).toBeCloseTo(3, 12);
    expect(priceOf(prices, { model: 'claude-sonnet-4-5' }, long, 1)).toBeCloseTo(6, 12);
  });

  it('is that of its day', () => {
    const at = (year: number, month: number, day: number) => Date.UTC(year, month - 1, day);
    // o3 cost 10/40 until 2025-06-10 and 2/8 from then on.
    expect(prices.ratesOf({ model: 'o3', at: at(2025, 5, 1) })?.output).toBe(40);
    expect(prices.ratesOf({ model: 'o3', at: at(2025, 7, 1) })?.output).toBe(8);
    expect(prices.ratesOf({ model: 'o3' })?.output).toBe(8);
    expect(prices.ratesOf({ model: 'o3', at: Number.NaN })?.output).toBe(8);
  });
});

describe('model names', () => {
  const sonnet4 = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75, cacheWriteHour: 6 };
  it.each([
    ['claude-sonnet-4-20250514', undefined],
    ['claude-sonnet-4-20250514', 'litellm'],
    ['anthropic/claude-sonnet-4', undefined],
    ['openrouter/anthropic/claude-sonnet-4', undefined],
    ['us.anthropic.claude-sonnet-4-20250514-v1:0', undefined],
    ['bedrock/us.anthropic.claude-sonnet-4-20250514-v1:0', undefined],
    ['claude-sonnet-4@20250514', 'google-vertex'],
    ['publishers/anthropic/models/claude-sonnet-4@20250514', undefined],
    ['claude-sonnet-4-20250514[1m]', undefined],
  ])('%s of %s is Sonnet 4', (model, provider) => {
    expect(prices.ratesOf({ model, provider })).toEqual(sonnet4);
  });

  it.each([
    ['a pseudo-message', '<synthetic>', undefined],
    ['nothing', '', undefined],
    ['an invented model', 'openclaw-large', undefined],
    ['a local model', 'ollama_chat/qwen2.5:7b', undefined],
    ['a known model served at home', 'gpt-4.1', 'ollama'],
    ['a fine-tuned model', 'ft:gpt-4.1-2025-04-14:someone::abc', undefined],
    ['a name of the prototype', '__proto__', 'constructor'],
    ['a very long name', 'x'.repeat(100_000), undefined],
  ])('%s has no price', (_, model, provider) => {
    expect(prices.ratesOf({ model, provider })).toBeUndefined();
  });
});

describe('a price file', () => {
  it('goes over the table, the longest pattern first', async () => {
    const path = write({
      'claude-*': { input: 1, output: 2 },
      'claude-opus-*': { input: 10, output: 20, cacheRead: 1, cacheWrite: 12 },
      'home/*': { input: 0, output: 0 },
    });
    const own = await loadPrices(path);
    expect(own.ratesOf({ model: 'claude-sonnet-4' })).toEqual({
      input: 1,
      output: 2,
      cacheRead: 1,
      cacheWrite: 1,
      cacheWriteHour: 1,
    });
    expect(own.ratesOf({ model: 'Claude-Opus-4-5' })).toMatchObject({ output: 20, cacheWriteHour: 20 });
    expect(own.ratesOf({ model: 'qwen', provider: 'home' })).toEqual({
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      cacheWriteHour: 0,
    });
    expect(own.ratesOf({ model: 'gpt-4.1' })?.output).toBe(8);
    expect(own.name).toMatch(/^genai-prices \d+\.\d+\.\d+ \+ own [0-9a-f]{8}$/);
  });

  it.each([
    ['a negative price', { x: { input: -1, output: 1 } }],
    ['an unknown field', { x: { input: 1, output: 1, cached: 1 } }],
    ['no table', [1, 2]],
  ])('with %s is refused, naming the place', async (_, content) => {
    await expect(loadPrices(write(content))).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });
});
