import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ArmValue,
  anytimeP,
  confidenceSequence,
  differenceSequence,
  sampleRatioP,
} from './confidence-sequence.ts';
import { random } from './random.ts';

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

describe('sampleRatioP', () => {
  // scipy 1.17.1: gammaln of the marginal likelihood after each unit, logsumexp over the priors, the highest over time.
  it('has the Bayes factor of scipy', () => {
    expect(sampleRatioP(Array<boolean>(12).fill(true), 0.5)).toBeCloseTo(0.012269637990251216, 13);
    const mostly = [1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1].map((one) => one === 1);
    expect(sampleRatioP(mostly, 0.3)).toBeCloseTo(0.00010262785641798768, 13);
  });

  it('is 1 without units', () => {
    expect(sampleRatioP([], 0.5)).toBe(1);
  });

  it('remembers: arms that fill up evenly later do not undo what was seen', () => {
    const start = Array<boolean>(30).fill(true);
    const later = Array.from({ length: 2000 }, (_, i) => i % 2 === 0);
    expect(sampleRatioP([...start, ...later], 0.5)).toBeLessThanOrEqual(sampleRatioP(start, 0.5));
  });

  it('rarely falls to 5% under the planned ratio, looked at after every unit', () => {
    const source = random(7);
    const alarms = Array.from({ length: 400 }, () =>
      sampleRatioP(
        Array.from({ length: 500 }, () => source.below(10) < 3),
        0.3,
      ),
    ).filter((p) => p <= 0.05);
    expect(alarms.length / 400).toBeLessThanOrEqual(0.05);
  });
});
