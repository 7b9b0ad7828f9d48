import { expect, it } from 'vitest';
import { isQuiet, type QuietPeriod } from './quiet-hours.ts';

const night: QuietPeriod = { from: '22:00', until: '07:00', timeZone: 'UTC', critical: false };
const quiet = (period: Partial<QuietPeriod>, time: string, severity: 'warning' | 'critical' = 'warning') =>
  isQuiet([{ ...night, ...period }], severity, new Date(time));

it('is quiet over midnight, and not at its end', () => {
  // 2026-11-16 is a Monday.
  expect(quiet({}, '2026-11-16T21:59:59Z')).toBe(false);
  expect(quiet({}, '2026-11-16T22:00:00Z')).toBe(true);
  expect(quiet({}, '2026-11-17T06:59:00Z')).toBe(true);
  expect(quiet({}, '2026-11-17T07:00:00Z')).toBe(false);
});

it('holds back what is critical only where that was asked for', () => {
  expect(quiet({}, '2026-11-16T23:00:00Z', 'critical')).toBe(false);
  expect(quiet({ critical: true }, '2026-11-16T23:00:00Z', 'critical')).toBe(true);
});

it('belongs to the day on which it begins', () => {
  expect(quiet({ days: ['sun'] }, '2026-11-15T23:00:00Z')).toBe(true);
  expect(quiet({ days: ['sun'] }, '2026-11-16T06:00:00Z')).toBe(true);
  expect(quiet({ days: ['sun'] }, '2026-11-16T23:00:00Z')).toBe(false);
  expect(quiet({ days: ['sat', 'sun'], from: '00:00', until: '00:00' }, '2026-11-15T12:00:00Z')).toBe(true);
  expect(quiet({ days: ['sat', 'sun'], from: '00:00', until: '00:00' }, '2026-11-16T12:00:00Z')).toBe(false);
});

it('goes by the clock on the wall of its zone, in summer too', () => {
  const paris = { timeZone: 'Europe/Paris' };
  expect(quiet(paris, '2026-07-01T20:30:00Z')).toBe(true);
  expect(quiet(paris, '2026-12-01T20:30:00Z')).toBe(false);
});
