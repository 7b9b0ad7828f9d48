import { describe, expect, it } from 'vitest';
import { costOfFurtherPoint, costOfPoint, isWorthIt } from './worth.ts';

const sessions = (n: number, q: number, costUsd: number) =>
  Array.from({ length: n }, (_, i) => ({ q: q + ((i % 5) - 2) * 0.02, costUsd }));

describe('is the more expensive model worth it', () => {
  it('not at four times the price for a little more Q: 0.92 is below 3.92 × 0.85', () => {
    const worth = isWorthIt(sessions(20, 0.92, 0.47), sessions(20, 0.85, 0.12));
    expect(worth).toMatchObject({ verdict: 'not worth it', n: { expensive: 20, cheaper: 20 } });
    expect(worth?.costRatio).toBeCloseTo(0.47 / 0.12, 12);
    expect(worth?.quality.value).toBeCloseTo(0.07, 12);
    expect(worth?.quality.interval?.low).toBeGreaterThan(0);
    expect(worth?.margin?.value).toBeCloseTo(0.92 - (0.47 / 0.12) * 0.85, 12);
  });

  it('says "at least" where a cost is a lower bound', () => {
    const expensive = sessions(20, 0.92, 0.47).map((one) => ({ ...one, costAtLeast: 1 }));
    const worth = isWorthIt(expensive, sessions(20, 0.85, 0.12));
    expect(worth).toMatchObject({ costIsLowerBound: true, verdict: 'not worth it' });
    expect(worth?.because).toContain('it costs at least 3.92 times as much');
  });

  it('yes when Q more than makes up for the price: 0.8 is above 1.5 × 0.4', () => {
    expect(isWorthIt(sessions(15, 0.4, 0.1), sessions(15, 0.8, 0.15))?.verdict).toBe('worth it');
  });

  it('cannot be told from fewer than ten sessions each, and says how many would do', () => {
    const worth = isWorthIt(sessions(5, 0.9, 0.2), sessions(30, 0.5, 0.15));
    expect(worth?.verdict).toBe('too few to tell');
    expect(worth?.neededPerModel).toBeGreaterThanOrEqual(10);
  });

  it('cannot be told when the two sides of the criterion are too close', () => {
    const worth = isWorthIt(sessions(12, 0.6, 0.15), sessions(12, 0.4, 0.1));
    expect(worth?.verdict).toBe('too few to tell');
  });

  it('does not depend on which is given first, nor on the order of sessions', () => {
    const [a, b] = [sessions(14, 0.9, 0.5), sessions(11, 0.7, 0.1)];
    expect(isWorthIt(b.toReversed(), a)).toEqual(isWorthIt(a, b));
  });

  it('knows nothing without a cost on both sides', () => {
    expect(isWorthIt([{ q: 0.9 }], sessions(20, 0.5, 0.1))).toBeUndefined();
  });

  it('finds no price matched by quality when the other model is free', () => {
    expect(isWorthIt(sessions(12, 0.9, 0.5), sessions(12, 0.8, 0))).toMatchObject({
      verdict: 'not worth it',
    });
  });
});

/** The same with costs that differ, too. */
const around = (n: number, q: number, costUsd: number) =>
  sessions(n, q, costUsd).map((one, i) => ({ ...one, costUsd: costUsd + ((i % 3) - 1) * 0.01 }));

describe('what a point of Q costs', () => {
  it('is the mean cost over the mean Q in hundredths: $0.45 / 90 points is half a cent', () => {
    const cost = costOfPoint(0.45, 0.9, around(15, 0.9, 0.45));
    expect(cost?.value).toBeCloseTo(0.005, 12);
    expect(cost?.interval?.low).toBeLessThan(0.005);
    expect(cost?.interval?.high).toBeGreaterThan(0.005);
  });

  it('has no interval without the sessions, and no value without a Q', () => {
    expect(costOfPoint(0.45, 0.9)).toEqual({ value: expect.closeTo(0.005, 12) });
    expect(costOfPoint(0.45, 0)).toBeUndefined();
  });

  it('is told of further points only where there surely are some: $0.35 / 7 points', () => {
    const [expensive, cheaper] = [around(15, 0.92, 0.47), around(15, 0.85, 0.12)];
    const means = { cost: 0.35, q: 0.07, sure: true };
    const further = costOfFurtherPoint(expensive, cheaper, means);
    expect(further?.value).toBeCloseTo(0.05, 12);
    expect(further?.interval?.low).toBeGreaterThan(0.03);
    expect(costOfFurtherPoint(expensive, cheaper, { ...means, sure: false })).toBeUndefined();
    expect(costOfFurtherPoint(expensive, cheaper, { ...means, q: -0.07 })).toBeUndefined();
  });

  it('is told where some draws have no further point, without an upper end where many have none', () => {
    const spread = (n: number, q: number, costUsd: number) =>
      Array.from({ length: n }, (_, i) => ({ q: q + (i % 2 === 0 ? 0.2 : -0.2), costUsd }));
    const further = (n: number) =>
      costOfFurtherPoint(spread(n, 0.7, 0.4), spread(n, 0.55, 0.1), { cost: 0.3, q: 0.15, sure: true });
    expect(further(20)?.interval?.high).toBeGreaterThan(0.02);
    expect(further(20)?.interval?.high).toBeLessThan(1);
    expect(further(6)).toEqual({ value: expect.closeTo(0.02, 12) });
  });

  it('has no interval where nothing was reached in many draws', () => {
    const rarely = [{ q: 0.9, costUsd: 0 }, ...Array.from({ length: 3 }, () => ({ q: 0, costUsd: 0 }))];
    expect(costOfPoint(0.1, 0.225, rarely)?.interval).toBeUndefined();
  });
});
