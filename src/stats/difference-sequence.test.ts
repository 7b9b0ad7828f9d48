import { describe, expect, it } from 'vitest';
import { confidenceSequence } from './confidence-sequence.ts';
import { type ArmValue, differenceSequence } from './difference-sequence.ts';
import { random } from './random.ts';

function unitsOf(seed: number, n: number, share: number, shares: readonly [number, number]): ArmValue[] {
  const source = random(seed);
  return Array.from({ length: n }, () => {
    const inSecond = source.below(1000) < 1000 * share;
    return { inSecond, value: source.below(1000) < 1000 * shares[inSecond ? 1 : 0] ? 1 : 0 };
  });
}

describe('differenceSequence', () => {
  it('is the confidence sequence of the scores, worked out by hand for three units', () => {
    const units = [
      { inSecond: true, value: 1 },
      { inSecond: false, value: 0 },
      { inSecond: true, value: 0.5 },
    ];
    // Guesses of the means (first, second) before each: (1/2, 1/2), (1/2, 3/4), (1/4, 3/4); half of the units in each arm.
    const scores = [0 + 0.5 / 0.5, 0.25 + 0.5 / 0.5, 0.5 + (0.5 - 0.75) / 0.5];
    const { low, high } = confidenceSequence(scores.map((score) => (score / 2 + 1) / 2));
    const { difference, means, n, interval } = differenceSequence(units, 0.5);
    expect(interval.low).toBeCloseTo(Math.max(-1, (2 * low - 1) * 2), 10);
    expect(interval.high).toBeCloseTo(Math.min(1, (2 * high - 1) * 2), 10);
    expect({ difference, means, n }).toEqual({ difference: 0.75, means: [0, 0.75], n: [1, 2] });
  });

  it('tells a difference of ten points after four thousand units, also where the arms are uneven', () => {
    const even = differenceSequence(unitsOf(1, 4000, 0.5, [0.8, 0.9]), 0.5);
    const uneven = differenceSequence(unitsOf(2, 4000, 0.2, [0.8, 0.9]), 0.2);
    for (const { interval, p } of [even, uneven]) {
      expect(interval.low).toBeGreaterThan(0);
      expect(interval.low).toBeLessThan(0.1);
      expect(interval.high).toBeGreaterThan(0.1);
      expect(p).toBeLessThanOrEqual(0.05);
    }
  });

  it('claims a difference where there is none in at most 5% of experiments, looked at after every unit', () => {
    const claims = Array.from({ length: 300 }, (_, seed) =>
      differenceSequence(unitsOf(1000 + seed, 600, 0.5, [0.8, 0.8]), 0.5),
    ).filter(({ p }) => p <= 0.05);
    expect(claims.length / 300).toBeLessThanOrEqual(0.05);
  });

  it('has no difference while an arm is empty', () => {
    expect(differenceSequence([{ inSecond: true, value: 1 }], 0.5)).toMatchObject({
      difference: undefined,
      means: [undefined, 1],
      interval: { low: -1, high: 1 },
    });
  });
});
