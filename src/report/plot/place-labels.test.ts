import { expect, test } from 'vitest';
import { placeLabels } from './place-labels.ts';

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
