import { describe, expect, it } from 'vitest';
import { modelWith } from '../run-with.ts';
import { costOfRun } from './cost.ts';
import { priceTierOf } from './price-tier.ts';
import { NO_PRICES, type Prices } from './prices.ts';

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

  it('is what the transcript states, when it does', () => {
    const stated = modelWith(usage, { model: 'unheard-of', costUsd: 0.5 });
    expect(costOfRun({ models: [stated] }, NO_PRICES)).toEqual({ costUsd: 0.5, from: 'stated' });
    const both = costOfRun({ models: [stated, modelWith(usage, { model: 'known' })] }, prices);
    expect(both).toEqual({ costUsd: 0.506, from: 'stated and priced' });
  });

  it('does not believe a stated 0 for tokens that were used', () => {
    const zero = modelWith(usage, { model: 'known', costUsd: 0 });
    expect(costOfRun({ models: [zero] }, prices).costUsd).toBe(0.006);
    expect(costOfRun({ models: [zero] }, NO_PRICES)).toEqual({ reason: 'the price of known is not known' });
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
