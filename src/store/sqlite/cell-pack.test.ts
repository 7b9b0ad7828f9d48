import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SUMS } from '../rollup.ts';
import { type Adding, addPacked, CELL_WIDTH, packCell } from './cell-pack.ts';

const ADDING: Adding = { withBins: true, sign: 1 };

const cell = fc
  .array(fc.tuple(fc.nat({ max: CELL_WIDTH - 1 }), fc.oneof(fc.nat({ max: 300 }), fc.maxSafeNat())), {
    maxLength: 40,
  })
  .map((entries) => {
    const all = new Float64Array(CELL_WIDTH);
    for (const [place, value] of entries) all[place] = value;
    return all;
  });

it('unpacks what was packed, and adds it to what is there', () =>
  fc.assert(
    fc.property(cell, (one) => {
      const back = new Float64Array(CELL_WIDTH);
      expect(addPacked(packCell(one), back, ADDING)).toBe(true);
      expect(back).toEqual(one);
      const twice = new Float64Array(CELL_WIDTH).fill(1);
      addPacked(packCell(one), twice, { withBins: false, sign: 1 });
      expect(twice[0]).toBe(1 + (one[0] ?? 0));
      expect(twice[SUMS.length]).toBe(1);
      addPacked(packCell(one), back, { withBins: true, sign: -1 });
      expect(back.every((value) => value === 0)).toBe(true);
    }),
  ));

it('recognises a text that is not ours', () => {
  const text = packCell(new Float64Array(CELL_WIDTH).fill(1));
  const back = () => new Float64Array(CELL_WIDTH);
  expect(addPacked(text, back(), ADDING)).toBe(true);
  for (const end of [0, 1, SUMS.length - 1, text.length - 1])
    expect(addPacked(text.slice(0, end), back(), ADDING)).toBe(false);
  // A bin that does not exist, a number without its last digit, one that is too large, other characters.
  for (const more of ['oO1', 'P', 'o'.repeat(20), '~', '/'])
    expect([more, addPacked(text + more, back(), ADDING)]).toEqual([more, false]);
});
