import { describe, expect, it } from 'vitest';
import { costOfFurtherPoint, costOfPoint } from './worth.ts';

const sessions = (n: number, q: number, costUsd: number) =>
  Array.from({ length: n }, (_, i) => ({
    q: q + ((i % 5) - 2) * 0.02,
    costUsd: costUsd + ((i % 3) - 1) * 0.01,
  }));

describe('what a point of Q costs', () => {
  it('is the mean cost over the mean Q in hundredths: $0.45 / 90 points is half a cent', () => {
    const cost = costOfPoint(0.45, 0.9, sessions(15, 0.9, 0.45));
    expect(cost?.value).toBeCloseTo(0.005, 12);
    expect(cost?.interval?.low).toBeLessThan(0.005);
    expect(cost?.interval?.high).toBeGreaterThan(0.005);
  });

  it('has no interval without the sessions, and no value without a Q', () => {
    expect(costOfPoint(0.45, 0.9)).toEqual({ value: expect.closeTo(0.005, 12) });
    expect(costOfPoint(0.45, 0)).toBeUndefined();
  });

  it('is told of further points only where there surely are some: $0.35 / 7 points', () => {
    const [expensive, cheaper] = [sessions(15, 0.92, 0.47), sessions(15, 0.85, 0.12)];
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
