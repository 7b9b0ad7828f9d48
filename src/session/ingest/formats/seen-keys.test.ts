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

  it('goes on as if it had never been stored, whatever comes and however often it is stored', () => {
    const key = fc.nat({ max: 30 }).map(String);
    const step = fc.oneof(
      fc.record({ does: fc.constantFrom('set' as const), key, to: fc.nat() }),
      fc.record({ does: fc.constantFrom('get' as const, 'delete' as const, 'store' as const), key }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const whole = new SeenKeys(1, '', 20);
        let stored = new SeenKeys(1, '', 20);
        for (const one of steps) {
          if (one.does === 'store') stored = new SeenKeys(1, stored.toJSON(), 20);
          else if (one.does === 'get') expect(stored.get(one.key)).toEqual(whole.get(one.key));
          else
            for (const seen of [whole, stored])
              if ('to' in one) seen.set(one.key, [one.to]);
              else seen.delete(one.key);
        }
        expect(stored.toJSON()).toBe(whole.toJSON());
      }),
    );
  });

  it('is made a map when it is asked often', () => {
    const seen = new SeenKeys(1, '');
    for (let i = 0; i < 2000; i++) seen.set(`${i}`, [i]);
    const stored = seenKeys(seen.toJSON(), 1);
    for (let i = 0; i < 2000; i++) expect(stored.get(`${i}`)).toEqual([i]);
    expect(stored.toJSON()).toBe(seen.toJSON());
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
