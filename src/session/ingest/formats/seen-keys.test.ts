import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SeenKeys } from './seen-keys.ts';

describe('what was seen', () => {
  it('is found with what it was told', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.nat()), { maxLength: 50 }), (told) => {
        const seen = new SeenKeys<number>();
        for (const [key, row] of told) seen.set(key, row);
        for (const [key, row] of new Map(told)) expect(seen.get(key)).toBe(row);
      }),
    );
  });

  it('is added once', () => {
    const seen = new SeenKeys();
    expect(seen.add('a', true)).toBe(true);
    expect(seen.add('a', true)).toBe(false);
  });

  it('is forgotten by halves when there is too much of it', () => {
    const seen = new SeenKeys<number>(100);
    for (let i = 0; i < 1000; i++) seen.set(`${i}`, i);
    expect(seen.get('999')).toBe(999);
    expect(seen.get('950')).toBe(950);
    expect(seen.get('800')).toBeUndefined();
  });
});
