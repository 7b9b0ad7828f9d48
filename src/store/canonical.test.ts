import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentHash, normalise } from './canonical.ts';

const json = fc.jsonValue({ maxDepth: 4 });

/** The same value with the keys of every object the other way round. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, turned(item)]),
  );
}

describe('the hash of a content', () => {
  it('does not depend on the order of keys', () => {
    fc.assert(fc.property(json, (value) => contentHash(value) === contentHash(turned(value))));
  });

  it('is the same after a trip through JSON', () => {
    fc.assert(
      fc.property(json, (value) => contentHash(JSON.parse(JSON.stringify(value))) === contentHash(value)),
    );
  });

  it('depends on the order of a list, on every value, and on what kind of value it is', () => {
    const hashes = [[1, 2], [2, 1], [1, '2'], { a: 1 }, { a: 1, b: null }, { b: 1 }, '', null, 0, false].map(
      contentHash,
    );
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it('is the same for a list of any length', () => {
    const sorted = (value: unknown) =>
      JSON.stringify(value, (_, one) =>
        typeof one === 'object' && one !== null && !Array.isArray(one)
          ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
          : one,
      );
    for (const length of [0, 1, 2, 5000]) {
      const items = Array.from({ length }, (_, i) => ({ z: `„${i}“ 🌊`, a: [i / 7, { c: null, b: i }] }));
      const record = { name: 'x', cases: items, at: 'then' };
      const hash = createHash('sha256').update(sorted(record)).digest('hex');
      expect(contentHash(record)).toBe(hash);
    }
  });

  it('is the SHA-256 of the JSON with sorted keys, for ever', () => {
    // printf '{"a":[1,"ä"],"b":null}' | sha256sum
    expect(contentHash({ b: null, a: [1, 'ä'] })).toBe(
      '09d06402b1598786e7403149b3c484b8ab826d83c444852812290076db12646b',
    );
  });
});

describe('normalising', () => {
  it('changes nothing the second time', () => {
    const anything = fc.anything({ withNullPrototype: true }).filter((value) => {
      try {
        normalise(value, 'x');
        return true;
      } catch {
        return false;
      }
    });
    fc.assert(
      fc.property(anything, (value) => {
        const once = normalise(value, 'x');
        expect(normalise(once, 'x')).toEqual(once);
        expect(JSON.parse(JSON.stringify(once))).toEqual(once);
      }),
    );
  });

  it('refuses two keys that become one', () => {
    expect(() => normalise({ '\ud800': 1, '\ud801': 2 }, 'facts')).toThrow(/^facts has two keys/);
  });

  it.each<[string, unknown]>([
    ['a function', () => 1],
    ['a big integer', 1n],
    ['a symbol', Symbol('x')],
    ['undefined', undefined],
    ['a hole in a list', new Array(1)],
    ['a map', new Map()],
    ['NaN', Number.NaN],
  ])('refuses %s', (_what, value) => {
    expect(() => normalise({ deep: [value] }, 'facts')).toThrow(
      expect.objectContaining({ code: 'INPUT_INVALID' }),
    );
  });
});
