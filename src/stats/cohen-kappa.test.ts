import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cohenKappa } from './cohen-kappa.ts';

/** Two lists of labels that give this table of counts. */
function fromTable(table: readonly (readonly number[])[]): [number[], number[]] {
  const cells = table.flatMap((row, i) =>
    row.flatMap((count, j) => new Array<[number, number]>(count).fill([i, j])),
  );
  return [cells.map((cell) => cell[0]), cells.map((cell) => cell[1])];
}

// The example of SAS PROC FREQ that statsmodels tests against: 0.4842 (0.2137 to 0.7547), weighted 0.4701 (0.1845 to
// 0.7558). Full digits: R 4.2.2, the definition with a delta-method error by numerical gradient.
const SAS = fromTable([
  [0, 4, 1],
  [0, 8, 0],
  [0, 1, 5],
]);
const CATEGORIES = [0, 1, 2];

describe('cohenKappa', () => {
  it('is that of SAS PROC FREQ and R 4.2.2, unweighted', () => {
    const result = cohenKappa(...SAS);
    expect(result?.kappa).toBeCloseTo(0.4841628959276017, 14);
    expect(result?.agreement).toBeCloseTo(0.6842105263157894, 14);
    expect(result?.expected).toBeCloseTo(0.3878116343490304, 14);
    expect(result?.interval?.low).toBeCloseTo(0.2136612530707066, 9);
    expect(result?.interval?.high).toBeCloseTo(0.7546645387844968, 9);
    expect(result?.n).toBe(19);
  });

  it('is that of SAS PROC FREQ and R 4.2.2, with linear weights', () => {
    const result = cohenKappa(...SAS, { weights: 'linear', categories: CATEGORIES });
    expect(result?.kappa).toBeCloseTo(0.47011952191235074, 14);
    expect(result?.interval?.low).toBeCloseTo(0.18446252254502765, 9);
    expect(result?.interval?.high).toBeCloseTo(0.7557765212796739, 9);
  });

  it('is that of R 4.2.2 with quadratic weights', () => {
    const result = cohenKappa(...SAS, { weights: 'quadratic', categories: CATEGORIES });
    expect(result?.kappa).toBeCloseTo(0.4501607717041802, 14);
    expect(result?.interval?.low).toBeCloseTo(0.07339167487173681, 9);
    expect(result?.interval?.high).toBeCloseTo(0.8269298685366235, 9);
  });

  // R irr::kappa2(anxiety[, 2:3], 'unweighted' | 'equal' | 'squared') as recorded in statsmodels' tests, 7 digits.
  it.each([
    [undefined, -0.006289308],
    ['linear', 0.1459075],
    ['quadratic', 0.2520325],
  ] as const)('with weights %s is that of R irr::kappa2 on its data set anxiety', (weights, expected) => {
    const second = [3, 6, 4, 6, 2, 4, 2, 4, 3, 3, 2, 3, 3, 3, 2, 2, 1, 3, 3, 4];
    const third = [2, 1, 4, 4, 3, 2, 1, 6, 1, 1, 1, 2, 3, 3, 1, 1, 3, 3, 2, 2];
    // irr leaves the category 5 out, which neither of the two uses.
    const options = weights ? { weights, categories: [1, 2, 3, 4, 6] } : {};
    expect(cohenKappa(second, third, options)?.kappa).toBeCloseTo(expected, 7);
  });

  it('is the worked value', () => {
    const result = cohenKappa(['yes', 'yes', 'no', 'no'], ['yes', 'no', 'no', 'no']);
    expect(result).toMatchObject({ kappa: 0.5, agreement: 0.75, expected: 0.5, n: 4 });
  });

  it('has no interval at perfect agreement and no value without anything to agree on', () => {
    expect(cohenKappa(['a', 'b', 'a'], ['a', 'b', 'a'])).toMatchObject({ kappa: 1, interval: undefined });
    expect(cohenKappa([], [])).toBeUndefined();
    expect(cohenKappa(['a', 'a'], ['a', 'a'])).toBeUndefined();
    expect(cohenKappa(['a'], ['a'], { weights: 'linear', categories: ['a'] })).toBeUndefined();
  });

  it('is 0 when one rater never varies but the other does', () => {
    expect(cohenKappa(['a', 'b', 'a'], ['a', 'a', 'a'])?.kappa).toBe(0);
  });

  it('refuses weights without categories, unknown labels and unequal lists', () => {
    expect(() => cohenKappa([1], [2], { weights: 'linear' })).toThrow(RangeError);
    expect(() => cohenKappa([1], [3], { categories: [1, 2] })).toThrow(RangeError);
    expect(() => cohenKappa([1], [])).toThrow(RangeError);
  });

  it('is symmetric, ignores order, and with two categories ignores weights', () => {
    const items = fc.array(fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 0, max: 1 })), {
      minLength: 1,
    });
    fc.assert(
      fc.property(items, (list) => {
        const first = list.map((item) => item[0]);
        const second = list.map((item) => item[1]);
        const result = cohenKappa(first, second);
        expect(cohenKappa(first.toReversed(), second.toReversed())).toEqual(result);
        if (!result) return;
        expect(cohenKappa(second, first)?.kappa).toBeCloseTo(result.kappa, 12);
        expect(cohenKappa(first, second, { weights: 'quadratic', categories: [0, 1] })?.kappa).toBeCloseTo(
          result.kappa,
          12,
        );
        expect(result.kappa).toBeLessThanOrEqual(1);
        if (result.interval) expect(result.interval.low).toBeLessThanOrEqual(result.kappa);
      }),
    );
  });
});
