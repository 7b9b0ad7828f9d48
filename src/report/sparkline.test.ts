import { expect, test } from 'vitest';
import { sparkline } from './sparkline.ts';

test('the lowest value is the lowest bar, the highest the highest', () => {
  expect(sparkline([1, 2, 3, 4, 5, 6, 7, 8])).toBe('▁▂▃▄▅▆▇█');
});

test('a flat series runs along the middle', () => {
  expect(sparkline([0.5, 0.5, 0.5])).toBe('▄▄▄');
});

test('a gap stays blank', () => {
  expect(sparkline([1, undefined, 2])).toBe('▁ █');
});

test('the latest values are shown when there is no room for all', () => {
  expect(sparkline([9, 9, 1, 2], 2)).toBe('▁█');
});

test('nothing gives nothing', () => {
  expect(sparkline([])).toBe('');
});
