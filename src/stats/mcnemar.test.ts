import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mcnemar } from './mcnemar.ts';
import { signFlip } from './sign-flip.ts';

describe('mcnemar', () => {
  it.each([
    [2, 9, 0.0654296875],
    [0, 5, 0.0625],
    [0, 6, 0.03125],
    [4, 4, 1],
    [1, 0, 1],
    [12, 30, 0.007915897334896735],
    [150, 210, 0.0018340074170964918],
  ])('of %i against %i is that of R 4.2.2: binom.test(b, b + c)$p.value', (b, c, expected) => {
    expect(mcnemar(b, c)).toBeCloseTo(expected, 13);
  });

  it('is 1 when the two never disagree', () => {
    expect(mcnemar(0, 0)).toBe(1);
  });

  it('refuses what is not a count', () => {
    expect(() => mcnemar(-1, 2)).toThrow(RangeError);
    expect(() => mcnemar(0.5, 2)).toThrow(RangeError);
  });

  it('is symmetric, and is the exact sign-flip test of +1 and −1', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 7 }), fc.integer({ min: 0, max: 7 }), (b, c) => {
        expect(mcnemar(b, c)).toBe(mcnemar(c, b));
        const differences = [...new Array(b).fill(1), ...new Array(c).fill(-1), 0];
        expect(signFlip(differences)?.p).toBeCloseTo(mcnemar(b, c), 12);
      }),
    );
  });
});
