import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cohenKappa, krippendorffAlpha } from './rater-agreement.ts';

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

  // R irr::kappa2(anxiety[, 2:3], 'unweighted') as recorded in statsmodels' tests, 7 digits.
  it('is that of R irr::kappa2 on its data set anxiety', () => {
    const second = [3, 6, 4, 6, 2, 4, 2, 4, 3, 3, 2, 3, 3, 3, 2, 2, 1, 3, 3, 4];
    const third = [2, 1, 4, 4, 3, 2, 1, 6, 1, 1, 1, 2, 3, 3, 1, 1, 3, 3, 2, 2];
    expect(cohenKappa(second, third)?.kappa).toBeCloseTo(-0.006289308, 7);
  });

  it('is the worked value', () => {
    const result = cohenKappa(['yes', 'yes', 'no', 'no'], ['yes', 'no', 'no', 'no']);
    expect(result).toMatchObject({ kappa: 0.5, agreement: 0.75, expected: 0.5, n: 4 });
  });

  it('has no interval at perfect agreement and no value without anything to agree on', () => {
    expect(cohenKappa(['a', 'b', 'a'], ['a', 'b', 'a'])).toMatchObject({ kappa: 1, interval: undefined });
    expect(cohenKappa([], [])).toBeUndefined();
    expect(cohenKappa(['a', 'a'], ['a', 'a'])).toBeUndefined();
    expect(cohenKappa(['a', 'b', 'a'], ['a', 'a', 'a'])?.kappa).toBe(0);
  });

  it('refuses unequal lists, and keeps 1 and "1" apart', () => {
    expect(() => cohenKappa([1], [])).toThrow(RangeError);
    expect(cohenKappa([1, '1'], ['1', 1])?.agreement).toBe(0);
  });

  it('is symmetric and ignores order', () => {
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
        expect(result.kappa).toBeLessThanOrEqual(1);
        if (result.interval) expect(result.interval.low).toBeLessThanOrEqual(result.kappa);
      }),
    );
  });
});

const _ = undefined;

// K. Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), example C: 12 units, 4 observers.
// One line is one observer.
const OBSERVERS = [
  [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
  [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
  [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
  [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
];
const UNITS = Array.from({ length: 12 }, (_, unit) => OBSERVERS.map((labels) => labels[unit]));

describe('krippendorffAlpha', () => {
  // Published: 0.743, 0.815, 0.849. Full digits: Python 3.11 with numpy 2.4.6, by the coincidence matrix.
  it.each([
    ['nominal', 0.743421052631579],
    ['ordinal', 0.8153875037548813],
    ['interval', 0.8491071428571428],
  ] as const)('is the published example at %s level', (level, expected) => {
    const result = krippendorffAlpha(UNITS, { level });
    expect(result?.alpha).toBeCloseTo(expected, 13);
    // The twelfth unit has one label only.
    expect(result).toMatchObject({ n: 11, labels: 40, interval: undefined });
  });

  it.each([
    ['nominal', 0.4782608695652173],
    ['ordinal', 0.9084767923294835],
    ['interval', 0.9192825112107623],
  ] as const)(
    'takes fractions and gaps at %s level (numpy 2.4.6, by the coincidence matrix)',
    (level, expected) => {
      const units = [
        [1.5, 1.5, 2],
        [2, 2.5, 2],
        [_, 3, 3],
        [4, 3.5, 4],
        [2.5, _, 2.5],
      ];
      expect(krippendorffAlpha(units, { level })?.alpha).toBeCloseTo(expected, 13);
    },
  );

  it('has an interval around alpha when asked, the same each time', () => {
    const options = { level: 'ordinal', bootstrap: { seed: 3, resamples: 500 } } as const;
    const result = krippendorffAlpha(UNITS, options);
    expect(result?.interval?.low).toBeLessThan(result?.alpha ?? NaN);
    expect(result?.interval?.high).toBeGreaterThan(result?.alpha ?? NaN);
    expect(result?.interval?.high).toBeLessThanOrEqual(1);
    expect(krippendorffAlpha(UNITS, options)).toEqual(result);
  });

  it('takes words as nominal labels and refuses them as ordinal', () => {
    const units = [
      ['a', 'a'],
      ['b', 'a'],
    ];
    // Observed: 2 unequal ordered pairs; expected: 4² − 3² − 1 = 6, over 3.
    expect(krippendorffAlpha(units)?.alpha).toBeCloseTo(1 - 2 / (6 / 3), 14);
    expect(() => krippendorffAlpha(units, { level: 'ordinal' })).toThrow(
      new RangeError('ordinal labels must be finite numbers, got "a"'),
    );
  });

  it('is 1 for perfect agreement on several labels', () => {
    expect(
      krippendorffAlpha(
        [
          [1, 1],
          [2, 2],
          [3, 3],
        ],
        { level: 'interval' },
      )?.alpha,
    ).toBe(1);
  });

  it('has no value without pairs or with one label throughout', () => {
    expect(krippendorffAlpha([])).toBeUndefined();
    expect(
      krippendorffAlpha([
        [1, _],
        [_, 2],
      ]),
    ).toBeUndefined();
    expect(
      krippendorffAlpha([
        [1, 1],
        [1, 1],
      ]),
    ).toBeUndefined();
    expect(krippendorffAlpha([[0.1, 0.1, 0.1]], { level: 'interval' })).toBeUndefined();
  });

  it('ignores the order of units and of raters; interval ignores scale', () => {
    const unit = fc.array(fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }), {
      minLength: 3,
      maxLength: 3,
    });
    const level = fc.constantFrom('nominal' as const, 'ordinal' as const, 'interval' as const);
    fc.assert(
      fc.property(fc.array(unit), level, (units, level) => {
        const result = krippendorffAlpha(units, { level });
        expect(krippendorffAlpha(units.toReversed(), { level })).toEqual(result);
        expect(
          krippendorffAlpha(
            units.map((labels) => labels.toReversed()),
            { level },
          ),
        ).toEqual(result);
        if (!result) return;
        expect(result.alpha).toBeLessThanOrEqual(1);
        const scaled = units.map((labels) => labels.map((label) => label && 2 * label + 3));
        expect(krippendorffAlpha(scaled, { level })?.alpha).toBeCloseTo(result.alpha, 10);
      }),
    );
  });
});
