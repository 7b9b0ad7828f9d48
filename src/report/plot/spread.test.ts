import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spread } from './spread.ts';

test('labels that do not collide stay where they are', () => {
  expect(spread([10, 50, 90], 15, 100)).toEqual([10, 50, 90]);
});

test('labels at the end are pushed back inside', () => {
  expect(spread([98, 99], 15, 100)).toEqual([85, 100]);
});

test('labels keep their order and their distance while there is room', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 200, noNaN: true }), { maxLength: 10 }), (wanted) => {
      const placed = spread(wanted, 15, 200).toSorted((a, b) => a - b);
      for (const [index, position] of placed.entries()) {
        const next = placed[index + 1];
        if (next !== undefined) expect(next - position).toBeGreaterThanOrEqual(15 - 1e-9);
      }
    }),
  );
});
