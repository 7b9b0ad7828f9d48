import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleSd } from './sample-sd.ts';

const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 2 });

describe('sampleSd', () => {
  it('is that of R 4.2.2: sd(c(2, 4, 4, 4, 5, 5, 7, 9))', () => {
    expect(sampleSd([2, 4, 4, 4, 5, 5, 7, 9])).toBeCloseTo(2.138089935299395, 15);
  });

  it('keeps its digits far from 0, where a sum of squares loses them', () => {
    expect(sampleSd([1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16])).toBeCloseTo(Math.sqrt(30), 12);
  });

  it('is exactly 0 for equal values', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer({ min: 2, max: 20 }),
        (value, n) => {
          expect(sampleSd(new Array(n).fill(value))).toBe(0);
        },
      ),
    );
  });

  it('has no value for fewer than two values', () => {
    expect(sampleSd([])).toBeUndefined();
    expect(sampleSd([3])).toBeUndefined();
  });

  it('does not depend on the order, to the last digit', () => {
    fc.assert(fc.property(values, (sample) => sampleSd(sample.toReversed()) === sampleSd(sample)));
  });
});
