import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLargeDocument, readWholeDocument } from './read-document.ts';
import { DocumentSplitter, type Item } from './split-document.ts';
import { counted } from './testing/counted.ts';
import { toy } from './testing/toy-format.ts';

function split(text: string, opens: readonly string[], size: number, maxBytes = 1_000_000): Item[] {
  const items: Item[] = [];
  const splitter = new DocumentSplitter(new Set(opens), maxBytes, (item) => items.push(item));
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) splitter.push(Buffer.from(bytes.subarray(at, at + size)));
  expect(splitter.ended).toBe(true);
  return items;
}

const indents = fc.constantFrom(undefined, 1, 4);

describe('splitting a document', () => {
  it('gives the elements of an array as JSON.parse does, however the bytes are cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue()),
        fc.integer({ min: 1, max: 40 }),
        indents,
        (values, size, indent) => {
          const text = JSON.stringify(values, null, indent);
          expect(split(text, [], size).map(({ value }) => value)).toEqual(JSON.parse(text));
        },
      ),
    );
  });

  it('gives the members of an object as JSON.parse does', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.integer({ min: 1, max: 40 }),
        indents,
        (object, size, indent) => {
          const text = JSON.stringify(object, null, indent);
          const members = split(text, [], size).map(({ key, value }) => [key, value]);
          expect(members).toEqual(Object.entries(JSON.parse(text)));
        },
      ),
    );
  });

  it('opens the arrays that were asked for', () => {
    const text = JSON.stringify({ a: [1, [2], { b: ',]' }], c: [3], d: { a: [4] }, e: [] }, null, 1);
    for (const size of [1, 2, 3, 7, 1000]) {
      expect(split(text, ['a', 'e'], size).map(({ key, value }) => [key, value])).toEqual([
        ['a', 1],
        ['a', [2]],
        ['a', { b: ',]' }],
        ['c', [3]],
        ['d', { a: [4] }],
      ]);
    }
  });

  it('passes over what is larger than the limit', () => {
    const text = JSON.stringify([1, 'x'.repeat(100), 2]);
    expect(split(text, [], 7, 50).map(({ value, tooLarge }) => [value, tooLarge])).toEqual([
      [1, false],
      [undefined, true],
      [2, false],
    ]);
  });
});

describe('a large document', () => {
  const toys = Array.from({ length: 30_000 }, (_, i) => ({
    toy: 'hello',
    tokens: i,
    session: `s${i % 50}`,
    pad: 'x'.repeat(40),
  }));

  it.each([
    ['an object with a long array', { info: 'before', toys, after: true }],
    ['an array', toys],
  ])('that is %s gives the same facts in parts as in one go', async (_, document) => {
    const bytes = Buffer.from(JSON.stringify(document));
    const format = {
      ...toy,
      elements: (one: unknown) => (Array.isArray(one) ? one : (toy.elements?.(one) ?? [])),
    };
    const isToys = { ...format, detect: () => true };
    const options = { path: 'x.json', formats: [isToys] };
    const whole = readWholeDocument(bytes, options);
    async function* chunks() {
      for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
    }
    const parts = await readLargeDocument(chunks, options);
    const [a, b] = [whole, parts].map((one) => one?.transcript?.finish(1) ?? []);
    expect(counted(b ?? [])).toBe((30_000 * 29_999) / 2);
    expect(b).toEqual(a);
    expect(parts.tally).toEqual(whole?.tally);
  });
});
