import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holm } from './holm.ts';

describe('holm', () => {
  it('is that of R 4.2.2: p.adjust(p, "holm")', () => {
    const close = (values: number[]) => values.map((value) => expect.closeTo(value, 15));
    expect(holm([0.01, 0.04, 0.03])).toEqual(close([0.03, 0.06, 0.06]));
    expect(holm([0.5, 0.001, 0.02, 0.9, 0.02, 0.013])).toEqual(close([1, 0.006, 0.08, 1, 0.08, 0.065]));
  });

  it('leaves a single p alone and answers nothing with nothing', () => {
    expect(holm([0.03])).toEqual([0.03]);
    expect(holm([])).toEqual([]);
  });

  it('refuses what is not a probability', () => {
    expect(() => holm([0.5, 1.2])).toThrow(RangeError);
  });

  it('never lowers a p, never exceeds Bonferroni, keeps the ranking, and follows the order of the input', () => {
    const pValues = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });
    fc.assert(
      fc.property(pValues, (list) => {
        const adjusted = holm(list);
        for (const [i, p] of list.entries()) {
          expect(adjusted[i]).toBeGreaterThanOrEqual(p);
          expect(adjusted[i]).toBeLessThanOrEqual(Math.min(1, p * list.length));
          for (const [j, q] of list.entries())
            if (p < q) expect(adjusted[i]).toBeLessThanOrEqual(adjusted[j] ?? NaN);
        }
        expect(holm(list.toReversed())).toEqual(adjusted.toReversed());
      }),
    );
  });
});
