import { expect, it } from 'vitest';
import { Q_BINS, quantileOfBins, SUMS } from './rollup.ts';
import { shareOf } from './testing/model.ts';
import { session } from './testing/records.ts';

const sumsOf = (part: Parameters<typeof session>[2]) => {
  const { sums } = shareOf(session('a', '1', part));
  return Object.fromEntries(SUMS.map((name, i) => [name, sums[i]]).filter(([, value]) => value !== 0));
};

it('turns a session into whole numbers: Q in billionths, cost in millionths of a dollar', () => {
  expect(sumsOf({ q: 0.8, tier: 'good', costUsd: 0.25, inputTokens: 10.6, outcome: 1 })).toEqual({
    sessions: 1,
    q_n: 1,
    q_sum: 800_000_000,
    // 0.8 × 0.8
    q_squares: 640_000_000,
    tier_good: 1,
    cost_n: 1,
    cost_sum: 250_000,
    priced_q_n: 1,
    priced_q_sum: 800_000_000,
    priced_cost_sum: 250_000,
    input_tokens_sum: 11,
    priced_q_squares: 640_000_000,
    outcome_n: 1,
    outcome_sum: 1_000_000_000,
    outcome_squares: 1_000_000_000,
  });
});

it('counts what is unmeasured nowhere, and a cost of 0 as a cost', () => {
  expect(sumsOf({})).toEqual({ sessions: 1 });
  expect(sumsOf({ costUsd: 0 })).toEqual({ sessions: 1, cost_n: 1 });
});

it('takes a value on a line for the bin above it, also when a sum missed it by rounding', () => {
  const bin = (q: number) => shareOf(session('a', '1', { q })).bins[0];
  // 0.1 + 0.2 is a little more than 0.3, 0.7 + 0.1 a little less than 0.8.
  expect([0, 0.3, 0.1 + 0.2, 0.7 + 0.1, 1].map(bin)).toEqual([0, 60, 60, 160, 199]);
});

it('knows a quantile to half a bin', () => {
  const qs = Array.from({ length: 999 }, (_, i) => ((i * 7919) % 1000) / 1000).sort((a, b) => a - b);
  const counts = new Array<number>(Q_BINS).fill(0);
  for (const q of qs) {
    const bin = shareOf(session('a', '1', { q })).bins[0] ?? 0;
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  for (const share of [0, 0.1, 0.25, 0.5, 0.9, 1]) {
    const exact = qs[Math.round(share * (qs.length - 1))] ?? 0;
    expect(Math.abs((quantileOfBins(counts, share) ?? 0) - exact)).toBeLessThan(0.005 / 2 + 0.001);
  }
  expect(quantileOfBins(new Array<number>(Q_BINS).fill(0), 0.5)).toBeUndefined();
});
