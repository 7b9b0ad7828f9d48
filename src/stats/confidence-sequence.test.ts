import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anytimeP, confidenceSequence } from './confidence-sequence.ts';

const SPREAD = Array.from({ length: 60 }, (_, i) => ((i * 37) % 101) / 100);
const YES = Array.from({ length: 200 }, (_, i) => ((i * 7) % 10 < 8 ? 1 : 0));

describe('confidenceSequence', () => {
  // The oracle is the formula of the paper once more, in numpy 2.4.6: sums of log1p, logsumexp over the bets, the highest
  // over time, on a grid of 99,999 means.
  it.each([
    ['60 values all over the range', SPREAD, 0.36746, 0.62328],
    ['8 of 10, 200 times', YES, 0.69517, 0.88096],
    ['20 times 1', Array<number>(20).fill(1), 0.73915, 1],
  ])('has the interval of an independent implementation: %s', (_, values, low, high) => {
    const interval = confidenceSequence(values);
    expect(Math.abs(interval.low - low)).toBeLessThan(1.1e-5);
    expect(Math.abs(interval.high - high)).toBeLessThan(1.1e-5);
  });

  it('says nothing without values', () => {
    expect(confidenceSequence([])).toEqual({ low: 0, high: 1 });
  });

  it('never widens: what was once excluded stays so', () => {
    const values = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(values, (all) => {
        const [before, now] = [confidenceSequence(all.slice(0, -1)), confidenceSequence(all)];
        expect(now.low).toBeGreaterThanOrEqual(before.low);
        expect(now.high).toBeLessThanOrEqual(Math.max(before.high, now.low));
      }),
      { numRuns: 50 },
    );
  });

  it('is the mirror image for mirrored values', () => {
    const { low, high } = confidenceSequence(YES);
    const mirrored = confidenceSequence(YES.map((value) => 1 - value));
    expect(mirrored.low).toBeCloseTo(1 - high, 9);
    expect(mirrored.high).toBeCloseTo(1 - low, 9);
  });

  it('refuses what is not between 0 and 1', () => {
    expect(() => confidenceSequence([0.5, 1.2])).toThrow('values[1] must be between 0 and 1, got 1.2');
  });
});

describe('anytimeP', () => {
  it('has the value of the same independent implementation', () => {
    expect(anytimeP(YES, 0.5) / 2.7680649990018888e-15).toBeCloseTo(1, 8);
    expect(anytimeP(Array<number>(20).fill(1), 0.5) / 2.837198151046241e-5).toBeCloseTo(1, 8);
    expect(anytimeP(SPREAD, 0.5)).toBe(1);
  });

  it('excludes exactly what the interval excludes', () => {
    const { low, high } = confidenceSequence(YES);
    for (const mean of [low - 1e-6, high + 1e-6]) expect(anytimeP(YES, mean)).toBeLessThanOrEqual(0.05);
    for (const mean of [low + 1e-6, high - 1e-6]) expect(anytimeP(YES, mean)).toBeGreaterThan(0.05);
  });
});
