import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeLabels, spread } from './frame.ts';

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

const area = { width: 200, height: 100 };

test('a label stands right of its point when nothing is in the way', () => {
  expect(placeLabels([{ x: 50, y: 50, width: 40 }], area)[0]?.anchor).toBe('start');
});

test('a label near the right edge stands left of its point', () => {
  expect(placeLabels([{ x: 190, y: 50, width: 40 }], area)[0]?.anchor).toBe('end');
});

test('a label that finds no room is left out rather than drawn over another', () => {
  const crowd = Array.from({ length: 9 }, () => ({ x: 100, y: 50, width: 80 }));
  const placed = placeLabels(crowd, area);
  expect(placed.filter((place) => place !== undefined).length).toBeLessThan(crowd.length);
});
