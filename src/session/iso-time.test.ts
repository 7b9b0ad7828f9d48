import { expect, it } from 'vitest';
import { isoTime } from './time-zone.ts';

it('spells a time in one way, and none that would sort wrongly as text', () => {
  expect(isoTime(0)).toBe('1970-01-01T00:00:00.000Z');
  expect(isoTime(Date.UTC(9999, 11, 31, 23, 59, 59, 999))).toBe('9999-12-31T23:59:59.999Z');
  // +010000-01-01 sorts before 1970, -000001-12-31 before everything.
  expect(isoTime(Date.UTC(10_000, 0, 1))).toBeUndefined();
  expect(isoTime(Date.parse('0000-01-01') - 1)).toBeUndefined();
  expect(isoTime(undefined)).toBeUndefined();
  expect(isoTime(Number.NaN)).toBeUndefined();
});
