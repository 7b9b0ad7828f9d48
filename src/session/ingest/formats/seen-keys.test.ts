import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SeenKeys, seenKeys } from './seen-keys.ts';

describe('what was seen', () => {
  it('is known with its numbers, also after it was stored', () => {
    const rows = fc.array(fc.tuple(fc.string(), fc.nat(), fc.nat()), { maxLength: 50 });
    fc.assert(
      fc.property(rows, (told) => {
        const seen = new SeenKeys(2, '');
        for (const [key, a, b] of told) seen.set(key, [a, b]);
        const stored = seenKeys(JSON.parse(JSON.stringify(seen)), 2);
        for (const [key, a, b] of new Map(told.map((one) => [one[0], one])).values()) {
          expect(seen.get(key)).toEqual([a, b]);
          expect(stored.get(key)).toEqual([a, b]);
        }
      }),
    );
  });

  it('is forgotten by halves when there is too much of it', () => {
    const seen = new SeenKeys(0, '', 100);
    for (let i = 0; i < 1000; i++) seen.set(`${i}`, []);
    expect(seen.get('999')).toEqual([]);
    expect(seen.get('950')).toEqual([]);
    expect(seen.get('800')).toBeUndefined();
    expect(seen.toJSON().length).toBeLessThan(100 * 8 * 1.4);
  });

  it('is nothing where damage was stored', () => {
    expect(seenKeys('not base64 at all', 1).get('a')).toBeUndefined();
  });
});
