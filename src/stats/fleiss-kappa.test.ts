import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fleissKappa } from './fleiss-kappa.ts';

// Fleiss (1971): 30 patients, 6 psychiatrists, 5 diagnoses. R's data set irr::diagnoses; one line is one patient.
const DIAGNOSES =
  `444444 222555 233335 555555 222444 113333 333355 113334 114444 555555 144444 124444 222333 144444 224445
  333335 111455 111112 224444 133555 555555 244444 224555 114444 144445 222224 111155 224444 133333 555555`
    .split(/\s+/)
    .map((ratings) => [1, 2, 3, 4, 5].map((category) => ratings.split(String(category)).length - 1));

describe('fleissKappa', () => {
  it('is that of R irr::kappam.fleiss(diagnoses), 0.4302445, and of the paper, 0.430', () => {
    const result = fleissKappa(DIAGNOSES);
    expect(result?.kappa).toBeCloseTo(0.4302445, 7);
    expect(result).toMatchObject({ n: 30, raters: 6 });
  });

  it('is that of R 4.2.2 by definition for 14 raters and 10 items', () => {
    const counts = [
      [0, 0, 0, 0, 14],
      [0, 2, 6, 4, 2],
      [0, 0, 3, 5, 6],
      [0, 3, 9, 2, 0],
      [2, 2, 8, 1, 1],
      [7, 7, 0, 0, 0],
      [3, 2, 6, 3, 0],
      [2, 5, 3, 2, 2],
      [6, 5, 2, 1, 0],
      [0, 2, 2, 3, 7],
    ];
    const result = fleissKappa(counts);
    expect(result?.kappa).toBeCloseTo(0.20993070442195522, 14);
    expect(result?.agreement).toBeCloseTo(0.378021978021978, 14);
    expect(result?.expected).toBeCloseTo(0.21275510204081632, 14);
  });

  it('is the worked value', () => {
    expect(
      fleissKappa([
        [3, 0],
        [2, 1],
        [0, 3],
      ])?.kappa,
    ).toBeCloseTo(0.55, 14);
  });

  it('has no value without items, with one rater, or with one category in use', () => {
    expect(fleissKappa([])).toBeUndefined();
    expect(
      fleissKappa([
        [1, 0],
        [0, 1],
      ]),
    ).toBeUndefined();
    expect(
      fleissKappa([
        [3, 0],
        [3, 0],
      ]),
    ).toBeUndefined();
  });

  it('refuses rows of different length, different raters and what is no count', () => {
    expect(() => fleissKappa([[1, 1], [2]])).toThrow(RangeError);
    expect(() =>
      fleissKappa([
        [1, 1],
        [2, 1],
      ]),
    ).toThrow('every item needs the same 2 raters; counts[1] has 3');
    expect(() => fleissKappa([[1.5, 0.5]])).toThrow(RangeError);
  });

  it('ignores the order of items and of categories', () => {
    const row = fc
      .tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 }))
      .map(([a, b]) => [a, b, 10 - a - b]);
    fc.assert(
      fc.property(fc.array(row, { minLength: 1 }), (counts) => {
        const result = fleissKappa(counts);
        expect(fleissKappa(counts.toReversed())).toEqual(result);
        expect(fleissKappa(counts.map((list) => list.toReversed()))).toEqual(result);
      }),
    );
  });
});
