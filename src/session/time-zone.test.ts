import { describe, expect, it } from 'vitest';
import { dayIn, hasWholeHours, isoTime, isTimeZone, startOfDay, weekIn } from './time-zone.ts';

const at = Date.parse('2026-11-01T02:30:00Z');

describe('days of a time zone', () => {
  it.each([
    ['UTC', '2026-11-01'],
    ['America/Los_Angeles', '2026-10-31'],
    ['Asia/Kolkata', '2026-11-01'],
    ['Pacific/Auckland', '2026-11-01'],
  ])('%s: %s', (zone, day) => expect(dayIn(at, zone)).toBe(day));

  it('begin when they begin there, also where clocks change', () => {
    expect(new Date(startOfDay('2026-11-02', 'America/New_York')).toISOString()).toBe(
      '2026-11-02T05:00:00.000Z',
    );
    expect(new Date(startOfDay('2026-11-01', 'America/New_York')).toISOString()).toBe(
      '2026-11-01T04:00:00.000Z',
    );
    expect(new Date(startOfDay('2026-03-29', 'Europe/Berlin')).toISOString()).toBe(
      '2026-03-28T23:00:00.000Z',
    );
    expect(new Date(startOfDay('2026-11-01', 'Asia/Kolkata')).toISOString()).toBe('2026-10-31T18:30:00.000Z');
  });

  it('are of the week that begins on Monday', () => {
    // The first of November 2026 is a Sunday.
    expect(weekIn(at)).toBe('2026-10-26');
    expect(weekIn(Date.parse('2026-11-01T12:00:00Z'), 'Pacific/Auckland')).toBe('2026-11-02');
  });

  it('are not known of no time, or of one that is no date', () => {
    expect(dayIn(undefined)).toBeUndefined();
    expect(dayIn(Number.NaN, 'Europe/Berlin')).toBeUndefined();
    expect(dayIn(9e15, 'Europe/Berlin')).toBeUndefined();
  });

  it('know their zones', () => {
    expect(isTimeZone('Europe/Berlin')).toBe(true);
    expect(isTimeZone('Europe/Nowhere')).toBe(false);
    expect(hasWholeHours('Europe/Berlin')).toBe(true);
    expect(hasWholeHours('Asia/Kolkata')).toBe(false);
  });
});

it('spells a time in one way, and none that would sort wrongly as text', () => {
  expect(isoTime(0)).toBe('1970-01-01T00:00:00.000Z');
  expect(isoTime(Date.UTC(9999, 11, 31, 23, 59, 59, 999))).toBe('9999-12-31T23:59:59.999Z');
  // +010000-01-01 sorts before 1970, -000001-12-31 before everything.
  expect(isoTime(Date.UTC(10_000, 0, 1))).toBeUndefined();
  expect(isoTime(Date.parse('0000-01-01') - 1)).toBeUndefined();
  expect(isoTime(undefined)).toBeUndefined();
  expect(isoTime(Number.NaN)).toBeUndefined();
});
