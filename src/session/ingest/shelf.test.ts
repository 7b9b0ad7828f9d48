import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closeSpill, openSpill, Shelf, spilled, textOf, valueAt, valuesOf } from './shelf.ts';

describe('a shelf', () => {
  const values = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()), { maxLength: 20 });

  it('gives back what was put on it, in order, with or without a disk', () => {
    const spill = openSpill();
    fc.assert(
      fc.property(values, fc.boolean(), fc.nat(40_000), (list, hasDisk, padding) => {
        const shelf = new Shelf<{ value: unknown; pad: string }>(hasDisk ? spill : undefined);
        // Also what takes several bytes a character, and more than one portion.
        const all = list.map((value) => ({ value, pad: 'ä✓'.repeat(padding) }));
        for (const one of all) shelf.add(one);
        expect(shelf.count).toBe(all.length);
        const plain = JSON.parse(JSON.stringify(all));
        expect([...valuesOf(shelf.portions())]).toEqual(plain);
        expect([...valuesOf(shelf.portions())]).toEqual(plain);
      }),
      { numRuns: 50 },
    );
    closeSpill(spill);
  });

  it('keeps its first portion in memory and the others on the disk', () => {
    const spill = openSpill();
    const shelf = new Shelf<string>(spill);
    for (let i = 0; i < 10; i++) shelf.add(`${i}${'x'.repeat(50_000)}`);
    const portions = shelf.portions();
    expect(portions.length).toBeGreaterThan(2);
    expect(portions.map((portion) => 'json' in portion)).toEqual(portions.map((_, i) => i === 0));
    expect(valueAt<string>(portions[1] as (typeof portions)[1], 0)).toMatch(/^3x/);
    closeSpill(spill);
  });

  it('keeps all of it in memory when the disk takes nothing', () => {
    const spill = openSpill();
    closeSpill(spill);
    const portion = spilled({ json: '[1]' }, spill);
    expect(textOf(portion)).toBe('[1]');
  });
});
