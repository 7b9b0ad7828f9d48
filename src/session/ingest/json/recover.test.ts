import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countReads } from '../testing/count-reads.ts';
import { recover } from './recover.ts';

const saved = (text: string) => recover(Buffer.from(text)).records;

describe('recovering a damaged line', () => {
  it('finds documents that are glued together', () => {
    expect(recover(Buffer.from('{"a":1}{"b":{"c":[2]}} {"d":"}{"}'))).toEqual({
      records: [{ a: 1 }, { b: { c: [2] } }, { d: '}{' }],
      restFrom: 33,
      damaged: false,
    });
  });

  it.each([
    ['garbage before', 'xx}]"{"a":1}'],
    ['garbage after', '{"a":1}"],:x'],
    ['zero bytes before', '\0\0\0\0{"a":1}'],
    ['a torn key before', '{"b":1,"c{"a":1}'],
    ['a torn string before', '{"b":{"c":"te{"a":1}'],
    ['a torn escape before', '{"b":"te\\{"a":1}'],
    ['a torn number before', '{"b":-1.{"a":1}'],
    ['a torn list before', '{"b":[1,{"a":1}'],
    ['only a brace before', '{{"a":1}'],
  ])('finds the document with %s', (_, text) => {
    expect(saved(text)).toEqual([{ a: 1 }]);
    expect(recover(Buffer.from(text)).damaged).toBe(true);
  });

  it('says where an unfinished document begins', () => {
    expect(recover(Buffer.from('{"a":1}{"b":"no en'))).toMatchObject({ records: [{ a: 1 }], restFrom: 7 });
    expect(recover(Buffer.from('{"b":"no en'))).toMatchObject({ records: [], restFrom: 0 });
  });

  it('replaces raw control characters in a string', () => {
    expect(saved('{"a":"b\0c"}')).toEqual([{ a: 'b c' }]);
  });

  it('does not mind nesting of any depth', () => {
    const depth = 300_000;
    const text = `x${'{"a":['.repeat(depth)}1${']}'.repeat(depth)}`;
    expect(saved(text)).toHaveLength(1);
    expect(saved('{"a":['.repeat(depth))).toEqual([]);
  });

  it('reads a line a few times at most, whatever is on it', () => {
    const size = 20_000;
    for (const unit of ['{', '{"', '{"a":', '{"a":{}', '[', '"', '\\"', '{"a":"{', '{}x', '{"a"}']) {
      const { bytes, reads } = countReads(Buffer.from(unit.repeat(size / unit.length)));
      recover(bytes);
      expect(reads() / size, unit).toBeLessThan(10);
    }
  });

  it('never loses a document behind any beginning of another one', () => {
    const record = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => ({ ...value, mark: 1 }));
    fc.assert(
      fc.property(record, fc.nat(), (torn, cut) => {
        const text = JSON.stringify(torn);
        const line = `${text.slice(0, cut % text.length)}{"whole":true}`;
        expect(saved(line)).toContainEqual({ whole: true });
      }),
    );
  });
});
