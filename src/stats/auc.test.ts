import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { auc } from './auc.ts';

const SCORES = [
  0.1, 0.4, 0.35, 0.8, 0.65, 0.9, 0.2, 0.5, 0.7, 0.3, 0.6, 0.55, 0.45, 0.75, 0.85, 0.5, 0.5, 0.2,
];
const LABELS = [0, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 1, 0].map(Boolean);

describe('auc', () => {
  // Area: scipy 1.17.1, mannwhitneyu(positives, negatives).statistic / (m * n). Interval: numpy 2.4.6, the
  // structural components of DeLong et al. from the full matrix of pairs.
  it('has the area of scipy 1.17.1 and the interval of DeLong', () => {
    const result = auc(SCORES, LABELS);
    expect(result?.auc).toBeCloseTo(0.8641975308641975, 14);
    expect(result?.interval?.low).toBeCloseTo(0.6966643775837015, 12);
    expect(result?.interval?.high).toBe(1);
    expect(auc(SCORES, LABELS, 0.9)?.interval?.low).toBeCloseTo(0.7235992765178512, 12);
    expect(result).toMatchObject({ positives: 9, negatives: 9 });
  });

  it('is the worked value: a tie counts half', () => {
    const result = auc([0.9, 0.8, 0.4, 0.7, 0.4], [true, true, true, false, false]);
    expect(result?.auc).toBeCloseTo(0.75, 15);
    expect(result?.interval?.low).toBeCloseTo(0.23350413974619866, 12);
  });

  it('has no interval when the classes do not overlap or one has a single item', () => {
    expect(auc([1, 2, 3, 4], [false, false, true, true])).toMatchObject({ auc: 1, interval: undefined });
    expect(auc([1, 2, 3, 4], [true, true, false, false])).toMatchObject({ auc: 0, interval: undefined });
    expect(auc([1, 2, 3], [true, false, false])?.interval).toBeUndefined();
  });

  it('has no value when a class is missing', () => {
    expect(auc([1, 2], [true, true])).toBeUndefined();
    expect(auc([1, 2], [false, false])).toBeUndefined();
    expect(auc([], [])).toBeUndefined();
  });

  it('refuses unequal lists and NaN', () => {
    expect(() => auc([1], [])).toThrow(RangeError);
    expect(() => auc([NaN], [true])).toThrow(RangeError);
  });

  it('is the share of pairs in the right order, mirrors with the labels, and ignores the order of items', () => {
    const items = fc.array(fc.tuple(fc.integer({ min: 0, max: 6 }), fc.boolean()), { maxLength: 30 });
    fc.assert(
      fc.property(items, (list) => {
        const scores = list.map((item) => item[0]);
        const labels = list.map((item) => item[1]);
        const result = auc(scores, labels);
        expect(auc(scores.toReversed(), labels.toReversed())).toEqual(result);
        if (!result) return;
        const pairs = list.flatMap(([a, yes]) =>
          list.flatMap(([b, other]) => (yes && !other ? [Math.sign(a - b)] : [])),
        );
        const share = pairs.reduce((sum, sign) => sum + (sign + 1) / 2, 0) / pairs.length;
        expect(result.auc).toBeCloseTo(share, 12);
        expect(
          auc(
            scores,
            labels.map((label) => !label),
          )?.auc,
        ).toBeCloseTo(1 - result.auc, 12);
        if (result.interval) {
          expect(result.interval.low).toBeLessThanOrEqual(result.auc);
          expect(result.interval.high).toBeGreaterThanOrEqual(result.auc);
        }
      }),
    );
  });
});
