import { describe, expect, it } from 'vitest';
import { modelWith } from '../testing/model-with.ts';
import { NO_USAGE } from '../usage.ts';
import { costOfRun } from './cost.ts';
import { NO_PRICES, type Prices, priceTierOf } from './prices.ts';

const prices: Prices = {
  name: 'test',
  ratesOf: ({ model }) =>
    model === 'known' ? { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 } : undefined,
};
const usage = { input: 1000, output: 100, cacheRead: 10_000, cacheWrite: 400 };

describe('the cost of a run', () => {
  it('is tokens × price: (2000 + 1000 + 2000 + 1000) / 1e6', () => {
    expect(costOfRun({ models: [modelWith(usage, { model: 'known' })] }, prices)).toEqual({
      costUsd: 0.006,
      from: 'priced',
    });
  });

  it('is a lower bound where less output is counted than is visible, unless the transcript states it', () => {
    const priced = modelWith(usage, { model: 'known' });
    expect(costOfRun({ models: [priced], outputChars: 500, callChars: 301 }, prices).isLowerBound).toBe(true);
    expect(costOfRun({ models: [priced], outputChars: 500, callChars: 300 }, prices)).not.toHaveProperty(
      'isLowerBound',
    );
    const stated = modelWith(usage, { model: 'known', costUsd: 0.5 });
    expect(costOfRun({ models: [stated], outputChars: 9000 }, prices)).not.toHaveProperty('isLowerBound');
  });

  it('is what the transcript states, when it does', () => {
    const stated = modelWith(usage, { model: 'unheard-of', costUsd: 0.5 });
    expect(costOfRun({ models: [stated] }, NO_PRICES)).toEqual({ costUsd: 0.5, from: 'stated' });
    const both = costOfRun({ models: [stated, modelWith(usage, { model: 'known' })] }, prices);
    expect(both).toEqual({ costUsd: 0.506, from: 'stated and priced' });
  });

  it('prices the messages that state none beside those that do: $0.01 + 1,000,000 tokens at $3 = $3.01', () => {
    const three: Prices = {
      name: 'test',
      ratesOf: () => ({ input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }),
    };
    const part = { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0 };
    const facts = modelWith(
      { input: 1_000_010, output: 5 },
      { messages: 2, costUsd: 0.01, unpriced: { messages: 1, messagesWithoutUsage: 0, usage: part } },
    );
    expect(costOfRun({ models: [facts] }, three)).toEqual({ costUsd: 3.01, from: 'stated and priced' });
    expect(costOfRun({ models: [facts] }, NO_PRICES)).toEqual({
      reason: 'the price of example-model is not known',
    });
    // The other message states no cost and carries no tokens: half of the cost is unknown.
    const unknown = { messages: 1, messagesWithoutUsage: 1, usage: { ...part, input: 0 } };
    expect(costOfRun({ models: [{ ...facts, unpriced: unknown }] }, three)).toEqual({
      reason: '1 of 2 messages carry no token counts',
    });
  });

  it('charges each request by its own length: $2 for 1,000,000 tokens, $4 for those of the long one', () => {
    const tiers: Prices = {
      name: 'test',
      ratesOf: ({ contextTokens = 0 }) => {
        const input = contextTokens > 200_000 ? 4 : 2;
        return { input, output: 0, cacheRead: 0, cacheWrite: 0 };
      },
    };
    const long = [{ over: 200_000, messages: 1, usage: { ...NO_USAGE, input: 300_000 } }];
    const facts = modelWith({ input: 310_000 }, { model: 'known', messages: 11, long });
    // 10 requests of 1,000 tokens and one of 300,000; their mean is 28,181.
    expect(costOfRun({ models: [facts] }, tiers).costUsd).toBeCloseTo(0.02 + 1.2, 12);
  });

  it('is 0 when the source says that it was free, and the price is not asked', () => {
    const free = modelWith(usage, { model: 'unheard-of', costUsd: 0 });
    expect(costOfRun({ models: [free] }, NO_PRICES)).toEqual({ costUsd: 0, from: 'stated' });
  });

  it('is unknown as soon as one part is', () => {
    const models = [modelWith(usage, { model: 'known' }), modelWith(usage, { model: 'other' })];
    expect(costOfRun({ models }, prices).costUsd).toBeUndefined();
  });

  it('is unknown when too many messages lack their counts', () => {
    const facts = (messagesWithoutUsage: number) =>
      modelWith(usage, { model: 'known', messages: 20, messagesWithoutUsage });
    expect(costOfRun({ models: [facts(2)] }, prices).costUsd).toBe(0.006);
    expect(costOfRun({ models: [facts(3)] }, prices).reason).toBe('3 of 20 messages carry no token counts');
    expect(costOfRun({ models: [] }, prices).costUsd).toBeUndefined();
    // One failed message of another model among many does not hide the cost.
    const failed = modelWith({}, { model: 'other', messages: 1, messagesWithoutUsage: 1 });
    expect(costOfRun({ models: [facts(0), failed] }, prices).costUsd).toBe(0.006);
    expect(costOfRun({ models: [failed] }, prices).costUsd).toBeUndefined();
  });
});

describe('price tiers', () => {
  it.each([
    [0, 'small'],
    [5.99, 'small'],
    [6, 'medium'],
    [15, 'medium'],
    [20, 'large'],
    [75, 'large'],
  ])('$%d per million output tokens is %s', (price, tier) => {
    expect(priceTierOf(price)).toBe(tier);
  });
});
