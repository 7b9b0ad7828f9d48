import { describe, expect, it } from 'vitest';
import { bootstrapMean } from '../../stats/bootstrap.ts';
import { groupRoi, roiBy, roiOf, wordOfRoi } from './roi.ts';

describe('ROI', () => {
  // The documented examples.
  it.each([
    [0.92, 0.47, '1.96'],
    [0.85, 0.12, '7.08'],
    [0.7, 0.03, '23.33'],
  ])('of Q %d at $%d is %s', (q, cost, expected) => {
    const roi = roiOf(q, cost);
    expect(roi.measured && roi.value.toFixed(2)).toBe(expected);
  });

  it('is "free" at a known cost of 0, never infinity', () => {
    expect(roiOf(0.9, 0)).toEqual({ measured: false, free: true, reason: 'it was free' });
    expect([wordOfRoi(roiOf(0.9, 0)), wordOfRoi(roiOf(0.9, 0.5)), wordOfRoi(roiOf(0.9, undefined))]).toEqual([
      'free',
      1.8,
      undefined,
    ]);
  });

  it('is unmeasured without a cost or a Q', () => {
    expect(roiOf(0.9, undefined)).toMatchObject({ measured: false, free: false });
    expect(roiOf(undefined, 0.1)).toMatchObject({ measured: false, free: false });
  });
});

describe('roiBy', () => {
  const sessions = [
    { model: 'a', q: 0.8, costUsd: 0.1 },
    { model: 'a', q: 0.6, costUsd: 0.3 },
    { model: 'a', q: 0.7 },
    { model: 'b', q: 0.9, costUsd: 0.05 },
    { model: 'b', costUsd: 5 },
  ];

  it('has one row per group, cheapest first; ROI is mean Q / mean cost over the priced ones', () => {
    const rows = roiBy(sessions, (one) => one.model);
    expect(rows.map((row) => [row.key, row.n, row.priced])).toEqual([
      ['b', 1, 1],
      ['a', 3, 2],
    ]);
    const [, a] = rows;
    expect(a?.meanQ).toBeCloseTo(0.7, 12);
    expect(a?.meanCostUsd).toBeCloseTo(0.2, 12);
    // (0.8 + 0.6) / 2 / 0.2
    expect(a?.roi.measured && a.roi.value).toBeCloseTo(3.5, 12);
    expect(a?.interval).toBeUndefined();
  });

  it('does not depend on the order and has an interval from five sessions on', () => {
    const many = Array.from({ length: 12 }, (_, i) => ({ model: 'a', q: i / 12, costUsd: 0.01 * (i + 1) }));
    const [row] = roiBy(many, (one) => one.model);
    expect(row?.interval?.low).toBeLessThan(row?.meanQ ?? 0);
    expect(roiBy(many.toReversed(), (one) => one.model)).toEqual(roiBy(many, (one) => one.model));
  });

  it('has the same interval for thousands of sessions as a bootstrap, within a thousandth', () => {
    const qs = Array.from({ length: 5000 }, (_, i) => ((i * 7919) % 5000) / 5000);
    const [row] = roiBy(
      qs.map((q) => ({ q })),
      () => 'all',
    );
    const { interval } = bootstrapMean(qs) ?? {};
    expect(Math.abs((row?.interval?.low ?? 0) - (interval?.low ?? 1))).toBeLessThan(0.001);
    expect(Math.abs((row?.interval?.high ?? 0) - (interval?.high ?? 1))).toBeLessThan(0.001);
  });
});

describe('what is not known of a group', () => {
  it('is the cost, where Q is known', () => {
    expect(groupRoi([{ q: 0.8 }])).toMatchObject({ measured: false, reason: 'the cost is unknown' });
    expect(groupRoi([{ costUsd: 1 }])).toMatchObject({ measured: false, reason: 'Q is unmeasured' });
  });

  it('leaves an interval for 40 equal Qs: 0.9 × 0.025^(1/40) to 0.9 + (1 − 0.025^(1/40)) × 0.1', () => {
    const [row] = roiBy(
      Array.from({ length: 40 }, () => ({ q: 0.9 })),
      () => 'all',
    );
    expect(row?.interval?.low).toBeCloseTo(0.8207, 4);
    expect(row?.interval?.high).toBeCloseTo(0.9088, 4);
  });
});
