import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { krippendorffAlpha } from './krippendorff-alpha.ts';

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
