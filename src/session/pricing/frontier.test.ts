import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frontier } from './frontier.ts';

const point = (key: string, meanCostUsd: number, meanQ: number, half?: number) => ({
  key,
  n: 20,
  meanQ,
  meanCostUsd,
  interval: half === undefined ? undefined : { low: meanQ - half, high: meanQ + half },
});
const places = (points: Parameters<typeof frontier>[0]) =>
  Object.fromEntries(frontier(points).map((one) => [one.key, one.place]));

describe('the frontier', () => {
  it('holds the best Q for each cost', () => {
    expect(
      places([
        point('minimax', 0.03, 0.7, 0.02),
        point('sonnet', 0.12, 0.85, 0.02),
        point('opus', 0.47, 0.92, 0.02),
      ]),
    ).toEqual({ minimax: 'frontier', sonnet: 'frontier', opus: 'frontier' });
  });

  it('calls a point below only when the intervals say so', () => {
    // 0.85 − 0.60 = 0.25 against √(0.05² + 0.05²) = 0.071; 0.85 − 0.80 = 0.05 is less than that.
    const points = [
      point('sonnet', 0.12, 0.85, 0.05),
      point('clear', 0.3, 0.6, 0.05),
      point('close', 0.3, 0.8, 0.05),
    ];
    expect(places(points)).toEqual({ sonnet: 'frontier', clear: 'below', close: 'unclear' });
    expect(frontier(points).find((one) => one.key === 'clear')?.beatenBy).toBe('sonnet');
  });

  it('says nothing against a point without an interval', () => {
    expect(places([point('cheap', 0.1, 0.9, 0.01), point('few', 0.2, 0.1)])).toMatchObject({
      few: 'unclear',
    });
  });

  it('always has a point, and none of them is dominated', () => {
    const some = fc.array(
      fc.record({ cost: fc.integer({ min: 0, max: 20 }), q: fc.integer({ min: 0, max: 20 }) }),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(some, (values) => {
        const points = values.map(({ cost, q }, i) => point(`p${i}`, cost, q / 20, 0.1));
        const on = frontier(points).filter((one) => one.place === 'frontier');
        expect(on.length).toBeGreaterThan(0);
        for (const one of on) {
          expect(points.some((p) => p.meanCostUsd < one.meanCostUsd && p.meanQ > one.meanQ)).toBe(false);
        }
      }),
    );
  });
});
