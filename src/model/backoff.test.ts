import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffMs, openPause } from './backoff.ts';
import { retryAfter } from './failure.ts';

describe('the wait before another try', () => {
  it('doubles, with half of it by chance: 1 s → 0.5 to 1 s, the third 2 to 4 s', () => {
    expect(backoffMs(1, 1000, 0, 0)).toBe(500);
    expect(backoffMs(1, 1000, 0, 1)).toBe(1000);
    expect(backoffMs(3, 1000, 0, 0)).toBe(2000);
    expect(backoffMs(3, 1000, 0, 1)).toBe(4000);
    expect(backoffMs(50, 1000, 0, 1)).toBe(60_000);
  });

  it('is never shorter than the server asks', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.double({ min: 0, max: 300_000, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempt, asked, random) => {
          const wait = backoffMs(attempt, 1000, asked, random);
          expect(wait).toBeGreaterThanOrEqual(asked);
          expect(wait).toBeLessThanOrEqual(Math.max(60_000, asked * 1.5));
        },
      ),
    );
  });

  it('ends when the work is stopped', async () => {
    const controller = new AbortController();
    const pause = openPause();
    pause.hold(1e9);
    const waiting = pause.wait(controller.signal);
    controller.abort();
    await expect(waiting).rejects.toThrow();
  });
});

describe('what a server asks for', () => {
  it.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after-ms': '120', 'retry-after': '7' }, 120],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:30 GMT' }, 20_000],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:01 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '-3' }, undefined],
    [{}, undefined],
    [undefined, undefined],
  ])('%j is %j ms', (headers, expected) => {
    expect(retryAfter(headers, 10_000)).toBe(expected);
  });
});
