import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { worstZone, ZONES, zoneOf } from './zone.ts';

const recall = { fail: 0.6, target: 0.7, excellent: 0.85 };
const hallucination = { fail: 0.05, target: 0.02, excellent: 0 };

describe('zoneOf', () => {
  it.each([
    [0.59, 'fail'],
    [0.6, 'below target'],
    [0.69, 'below target'],
    [0.7, 'pass'],
    [0.85, 'excellent'],
    [1, 'excellent'],
  ] as const)('puts %d of a higher-is-better metric into %s', (value, zone) => {
    expect(zoneOf(value, recall, 'higher')).toBe(zone);
  });

  it.each([
    [0.051, 'fail'],
    [0.05, 'below target'],
    [0.02, 'pass'],
    [0.001, 'pass'],
    [0, 'excellent'],
  ] as const)('puts %d of a lower-is-better metric into %s', (value, zone) => {
    expect(zoneOf(value, hallucination, 'lower')).toBe(zone);
  });

  it('counts a sum that misses its line by rounding as being on it', () => {
    const sum = 0.25 + 0.2 + 0.2 + 0.2; // 0.8500000000000001 or 0.85 depending on the order
    const other = 0.2 + 0.2 + 0.2 + 0.25;
    const zones = { fail: 0.65, target: 0.75, excellent: 0.85 };
    expect([zoneOf(sum, zones, 'higher'), zoneOf(other, zones, 'higher')]).toEqual([
      'excellent',
      'excellent',
    ]);
  });

  it('never gets worse when the value gets better', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (a, b) => {
          const rank = (value: number) => ZONES.indexOf(zoneOf(value, recall, 'higher'));
          expect(rank(Math.max(a, b))).toBeGreaterThanOrEqual(rank(Math.min(a, b)));
        },
      ),
    );
  });
});

describe('worstZone', () => {
  it('is the worst one present, and nothing when there is none', () => {
    expect(worstZone(['pass', undefined, 'below target', 'excellent'])).toBe('below target');
    expect(worstZone([undefined])).toBeUndefined();
  });
});
