import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { welch } from './welch.ts';

describe('welch', () => {
  it('is that of R 4.2.2: t.test(c(3, 4, 6), c(1, 2, 3)); scipy 1.17.1: ttest_ind(equal_var=False) agrees', () => {
    const result = welch([1, 2, 3], [3, 4, 6]);
    expect(result?.difference).toBeCloseTo(7 / 3, 14);
    expect(result?.t).toBeCloseTo(2.213594362117865, 13);
    expect(result?.degreesOfFreedom).toBeCloseTo(3.4482758620689666, 13);
    expect(result?.p).toBeCloseTo(0.10206829667318332, 12);
    expect(result?.interval.low).toBeCloseTo(-0.7875506185622614, 11);
    expect(result?.interval.high).toBeCloseTo(5.454217285228927, 11);
  });

  it('handles larger samples (R 4.2.2: t.test(after, before, conf.level = 0.9))', () => {
    const before = [27.5, 21, 19, 23.6, 17, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19, 21.7, 21.4];
    const after = [27.1, 22, 20.8, 23.4, 23.4, 23.5, 25.8, 22, 24.8, 20.2, 21.9, 22.1, 22.9, 30.5, 22.9];
    const result = welch(before, after, 0.9);
    expect(result?.t).toBeCloseTo(2.753192988671275, 12);
    expect(result?.degreesOfFreedom).toBeCloseTo(27.88474946710332, 10);
    expect(result?.p).toBeCloseTo(0.010264103743088957, 12);
    expect(result?.interval.low).toBeCloseTo(1.0442344321495967, 10);
    expect(result?.interval.high).toBeCloseTo(4.422432234517071, 10);
  });

  it('needs spread in one arm only (R 4.2.2: t.test(c(0.71, 0.74, 0.69), c(0.7, 0.7, 0.7)))', () => {
    const result = welch([0.7, 0.7, 0.7], [0.71, 0.74, 0.69]);
    expect(result?.t).toBeCloseTo(0.9176629354822445, 11);
    expect(result?.degreesOfFreedom).toBeCloseTo(2, 12);
    expect(result?.p).toBeCloseTo(0.45566894604818364, 11);
  });

  it('has no value for a single run in an arm or no spread at all', () => {
    expect(welch([1], [1, 2])).toBeUndefined();
    expect(welch([], [])).toBeUndefined();
    expect(welch([0.5, 0.5], [0.7, 0.7])).toBeUndefined();
    expect(welch([0.3, 0.1 + 0.2], [0.7, 0.7])).toBeUndefined();
  });

  it('does not underflow with a tiny spread', () => {
    expect(welch([0, 1e-100], [1e-100, 3e-100])?.degreesOfFreedom).toBeCloseTo(1.4705882352941178, 10);
  });

  it('mirrors when the arms change places and ignores the order of runs', () => {
    const runs = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(runs, runs, (a, b) => {
        const one = welch(a, b);
        const other = welch(b, a);
        expect(other?.p).toBe(one?.p);
        if (one) expect(other?.difference).toBeCloseTo(-one.difference, 12);
        expect(welch(a.toReversed(), b.toReversed())).toEqual(one);
      }),
    );
  });
});
