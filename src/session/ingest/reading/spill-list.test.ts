import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closeSpill, openSpill, portionText, SpillList, spilled, valueAt, valuesOf } from './spill-list.ts';

describe('a list', () => {
  const values = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()), { maxLength: 20 });

  it('gives back what was put on it, in order, with or without a disk', () => {
    const spill = openSpill();
    fc.assert(
      fc.property(values, fc.boolean(), fc.nat(40_000), (given, hasDisk, padding) => {
        const list = new SpillList<{ value: unknown; pad: string }>(hasDisk ? spill : undefined);
        // Also what takes several bytes a character, and more than one portion.
        const all = given.map((value) => ({ value, pad: 'ä✓'.repeat(padding) }));
        for (const one of all) list.add(one);
        expect(list.count).toBe(all.length);
        const plain = JSON.parse(JSON.stringify(all));
        expect([...valuesOf(list.portions())]).toEqual(plain);
        expect([...valuesOf(list.portions())]).toEqual(plain);
      }),
      { numRuns: 50 },
    );
    closeSpill(spill);
  });

  it('keeps its first portion in memory and the others on the disk', () => {
    const spill = openSpill();
    const list = new SpillList<string>(spill);
    for (let i = 0; i < 10; i++) list.add(`${i}${'x'.repeat(50_000)}`);
    const portions = list.portions();
    expect(portions.length).toBeGreaterThan(2);
    expect(portions.map((portion) => 'json' in portion)).toEqual(portions.map((_, i) => i === 0));
    expect(valueAt<string>(portions[1] as (typeof portions)[1], 0)).toMatch(/^3x/);
    closeSpill(spill);
  });

  it('keeps all of it in memory when the disk takes nothing', () => {
    const spill = openSpill();
    closeSpill(spill);
    const portion = spilled({ json: '[1]' }, spill);
    expect(portionText(portion)).toBe('[1]');
  });
});
