import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openBudget } from './budget.ts';

const never = new AbortController().signal;

describe('a budget', () => {
  it('lets a call wait until others turn out cheaper: 0.6 + 0.6 > 1, but 0.1 + 0.6 is not', async () => {
    const budget = openBudget(1);
    await budget.reserve(0.6, never);
    const second = budget.reserve(0.6, never);
    budget.settle(0.6, 0.1);
    await second;
    budget.settle(0.6, 0.2);
    expect(budget.spentUsd()).toBeCloseTo(0.3, 12);
  });

  it('counts a call of unknown cost as the most it could cost', async () => {
    const budget = openBudget(1);
    await budget.reserve(0.6, never);
    budget.settle(0.6, undefined);
    await expect(budget.reserve(0.6, never)).rejects.toMatchObject({ code: 'COST_CEILING' });
    expect(budget.spentUsd()).toBe(0);
  });

  it('without a ceiling never refuses', async () => {
    const budget = openBudget();
    await budget.reserve(1e9, never);
    budget.settle(1e9, 3);
    expect(budget.spentUsd()).toBe(3);
  });

  it('never spends more than its ceiling and always ends, whatever calls cost', async () => {
    const call = fc.record({
      most: fc.double({ min: 0, max: 1, noNaN: true }),
      share: fc.integer({ min: 0, max: 10 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(call, { maxLength: 30 }),
        fc.double({ min: 0, max: 3, noNaN: true }),
        async (calls, ceiling) => {
          const budget = openBudget(ceiling);
          await Promise.allSettled(
            calls.map(async ({ most, share }) => {
              await budget.reserve(most, never);
              await Promise.resolve();
              budget.settle(most, (most * share) / 10);
            }),
          );
          expect(budget.spentUsd()).toBeLessThanOrEqual(ceiling + 1e-9);
        },
      ),
    );
  });
});
