import { describe, expect, it } from 'vitest';
import { shortenStrings } from './shorten-strings.ts';

const parse = (value: unknown) => JSON.parse(shortenStrings(Buffer.from(JSON.stringify(value))).toString());

describe('shortening the strings of a very long line', () => {
  it('leaves everything but very long strings as it is', () => {
    const value = {
      a: 'x'.repeat(200_000),
      list: Array.from({ length: 20_000 }, (_, i) => ({ i, s: `"\\${i}\n` })),
    };
    expect(parse(value)).toEqual(value);
  });

  it('keeps the beginning and the end of a very long string, and what stands around it', () => {
    for (const unit of ['x', '"', '\\', '\n', '\u0001', 'é', '漢字', '🙂', 'a\\"b']) {
      const long = `first ${unit.repeat(3_000_000 / unit.length)} last`;
      const { a, b, c, ...rest } = parse({ a: 1, b: long, rest: 2, c: long, more: [3] });
      expect([a, rest]).toEqual([1, { rest: 2, more: [3] }]);
      for (const short of [b, c]) {
        expect(short.length, unit).toBeLessThan(140_000);
        expect(short.startsWith(long.slice(0, 5_000))).toBe(true);
        expect(short.endsWith(long.slice(-5_000))).toBe(true);
      }
    }
  });
});
