import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { worthWords } from '../views/wording.ts';
import { frontier, frontiersOf } from './frontier.ts';

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

  it('says nothing of a handful of sessions, neither for them nor against others', () => {
    const lucky = { ...point('lucky', 0.01, 1, 0.1), n: 1 };
    expect(places([lucky, point('usual', 0.1, 0.8, 0.02)])).toEqual({ lucky: 'too few', usual: 'frontier' });
    const unpriced = { ...point('unpriced', 0.01, 1, 0.1), priced: 9 };
    expect(places([unpriced])).toEqual({ unpriced: 'too few' });
  });

  it('compares neighbours on it, and no other pair', () => {
    const of = (model: string, q: number, costUsd: number) =>
      Array.from({ length: 12 }, (_, i) => ({
        ...{
          sessionId: `${model}${i}`,
          sessionKey: `${model}${i}`,
          source: 'x',
          taskType: 'coding' as const,
        },
        ...{
          model,
          q: q + ((i % 3) - 1) * 0.01,
          costUsd,
          coverage: 1,
          runs: 1,
          skippedLines: 0,
          scorerVersion: 'v',
        },
      }));
    const all = [
      ...of('a', 0.6, 0.1),
      ...of('b', 0.75, 0.18),
      ...of('c', 0.9, 0.5),
      ...of('worse', 0.5, 0.4),
    ];
    const [coding] = frontiersOf(all, ({ model }) => model);
    expect(coding?.comparisons.map(({ expensive, cheaper }) => [expensive, cheaper])).toEqual([
      ['b', 'a'],
      ['c', 'b'],
    ]);
    const [first] = coding?.comparisons ?? [];
    // 15 points for 8 cents more.
    const words = first && worthWords('coding', 'b', 'a', first.worth);
    expect(words).toMatch(/\+15 points \[\+14, \+16\] for \$0\.08 more a session/);
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
