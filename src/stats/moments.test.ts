import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sdOfMoments } from './moments.ts';
import { sampleSd } from './sample-sd.ts';

it('gives the spread of values from their sums', () => {
  expect(sdOfMoments({ n: 8, sum: 40, sumOfSquares: 232 })).toBeCloseTo(Math.sqrt(32 / 7), 12);
  expect(sdOfMoments({ n: 1, sum: 1, sumOfSquares: 1 })).toBeUndefined();
  // Rounding may leave a difference below 0 where there is no spread.
  expect(sdOfMoments({ n: 3, sum: 0.3, sumOfSquares: 0.029999999 })).toBe(0);
});

it('agrees with the values themselves', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.array(share, { minLength: 2, maxLength: 200 }), (values) => {
      const sum = values.reduce((a, b) => a + b, 0);
      const sumOfSquares = values.reduce((a, b) => a + b * b, 0);
      expect(sdOfMoments({ n: values.length, sum, sumOfSquares })).toBeCloseTo(sampleSd(values) ?? 0, 6);
    }),
  );
});
