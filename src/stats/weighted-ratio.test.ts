import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wilson } from './intervals.ts';
import { random } from './random.ts';
import { type DrawnItem, weightedRatio } from './weighted-ratio.ts';

const item = (count: number, of = 1, probability = 1): DrawnItem => ({ count, of, probability });

describe('a ratio over a sample with unequal probabilities', () => {
  it('is the worked value', () => {
    expect(weightedRatio([item(2, 4, 0.5), item(1)], 'share')?.value).toBeCloseTo(5 / 9, 12);
  });

  it('with equal probabilities is the plain share, and its interval nearly Wilson’s', () => {
    const items = Array.from({ length: 400 }, (_, i) => item(i < 320 ? 1 : 0, 1, 0.05));
    const found = weightedRatio(items, 'share');
    expect(found).toMatchObject({ value: 0.8, n: 400 });
    expect(found?.effectiveN).toBeCloseTo(400, 9);
    expect(found?.low).toBeCloseTo(wilson(320, 400)?.low ?? 0, 2);
    expect(found?.high).toBeCloseTo(wilson(320, 400)?.high ?? 0, 2);
  });

  it('has no value without anything to divide by, and no interval from one item', () => {
    expect(weightedRatio([], 'share')).toBeUndefined();
    expect(weightedRatio([item(0, 0)], 'share')).toBeUndefined();
    expect(weightedRatio([item(1)], 'share')).toEqual({ value: 1, n: 1, effectiveN: 1 });
  });

  it('never claims certainty where all agree', () => {
    const low =
      weightedRatio(
        Array.from({ length: 20 }, () => item(1)),
        'share',
      )?.low ?? 1;
    expect(low).toBeGreaterThan(0.75);
    expect(low).toBeLessThan(0.9);
  });

  it('stays between 0 and 1 and contains its value, whatever the order', () => {
    const drawn = fc.record({
      count: fc.nat(5),
      of: fc.integer({ min: 5, max: 9 }),
      probability: fc.double({ min: 0.01, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(drawn, { minLength: 2, maxLength: 40 }), (items) => {
        const found = weightedRatio(items, 'share');
        const { value = NaN, low = NaN, high = NaN } = found ?? {};
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(value + 1e-12);
        expect(high).toBeGreaterThanOrEqual(value - 1e-12);
        expect(weightedRatio(items.toReversed(), 'share')?.value).toBeCloseTo(value, 12);
      }),
    );
  });

  it('refuses what cannot have been drawn', () => {
    expect(() => weightedRatio([item(1, 1, 0)], 'share')).toThrow(RangeError);
  });

  it('covers the truth about as often as it says when rare kinds are drawn more often', () => {
    const { bits } = random(7);
    const chance = () => bits() / 4294967296;
    // 10% of requests are of a rare kind that is bad three times in ten, the others are bad one time in twenty.
    const truth = 0.1 * 0.3 + 0.9 * 0.05;
    let covered = 0;
    for (let round = 0; round < 400; round++) {
      const items: DrawnItem[] = [];
      for (let i = 0; i < 4000; i++) {
        const isRare = chance() < 0.1;
        const probability = isRare ? 0.2 : 0.04;
        if (chance() < probability)
          items.push(item(chance() < (isRare ? 0.3 : 0.05) ? 1 : 0, 1, probability));
      }
      const { low = 1, high = 0 } = weightedRatio(items, 'share') ?? {};
      if (low <= truth && truth <= high) covered += 1;
    }
    expect(covered / 400).toBeGreaterThan(0.92);
  });

  it('has an interval where one item was as good as never drawn', () => {
    const found = weightedRatio([item(1, 1, 1e-300), item(0, 1, 0.5)], 'share');
    expect(found).toMatchObject({ value: 1, n: 2, effectiveN: 1, high: 1 });
    expect(found?.low).toBeGreaterThan(0);
    expect(found?.low).toBeLessThan(0.1);
  });
});
