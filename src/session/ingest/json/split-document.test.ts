import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileInfo } from '../formats/format.ts';
import { loadFormats } from '../formats/load-formats.ts';
import { readLargeDocument, readWholeDocument } from '../reading/read-document.ts';
import { counted } from '../testing/counted.ts';
import { toy } from '../testing/toy-format.ts';
import { DocumentSplitter, type Item } from './split-document.ts';

function split(text: string, opens: readonly string[], size: number, maxBytes = 1_000_000): Item[] {
  const items: Item[] = [];
  const splitter = new DocumentSplitter([new Set(opens)], maxBytes, (item) => items.push(item));
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) splitter.push(Buffer.from(bytes.subarray(at, at + size)));
  expect(splitter.ended).toBe(true);
  return items;
}

const usage = { 'gen_ai.usage.input_tokens': 1, 'gen_ai.usage.output_tokens': 1 };
const pad = 'x'.repeat(600);

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

  it('goes down to arrays within the elements of an array', () => {
    const other = fc.dictionary(fc.constantFrom('a', 'resource', '"', '[{'), fc.jsonValue());
    const lists = (inner: fc.Arbitrary<unknown>) => fc.array(inner, { maxLength: 4 });
    const groups = lists(
      fc.oneof(
        fc.tuple(other, lists(fc.jsonValue()), other).map(([a, b, c]) => ({ ...a, inner: b, ...c })),
        fc.constantFrom(1, null, 'inner', { inner: 5 }, { inner: { inner: [1] } }, [[2]]),
      ),
    );
    fc.assert(
      fc.property(groups, fc.integer({ min: 1, max: 40 }), indents, (outer, size, indent) => {
        const text = JSON.stringify(
          { before: [1, { outer: [] }], outer, after: { outer: [{}] } },
          null,
          indent,
        );
        const items: Item[] = [];
        const path = [new Set(['outer']), new Set(['inner'])];
        const splitter = new DocumentSplitter(path, 1_000_000, (item) => items.push(item));
        const bytes = Buffer.from(text);
        for (let at = 0; at < bytes.length; at += size) splitter.push(bytes.subarray(at, at + size));
        expect(splitter.ended).toBe(true);
        const { outer: parsed } = JSON.parse(text) as { outer: readonly ({ inner?: unknown } | null)[] };
        const inner = parsed.flatMap((one) => (Array.isArray(one?.inner) ? (one.inner as unknown[]) : []));
        const at = (level: number) => items.filter((item) => item.level === level);
        expect(at(4).map(({ key, value }) => [key, value])).toEqual(inner.map((value) => ['inner', value]));
        expect(at(1).map(({ key }) => key)).toEqual(['before', 'after']);
        const resources = parsed.flatMap((one) =>
          typeof one === 'object' && one !== null && 'resource' in one ? [one.resource] : [],
        );
        expect(at(3).flatMap(({ key, value }) => (key === 'resource' ? [value] : []))).toEqual(resources);
      }),
    );
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
      elements: (one: unknown, file: FileInfo) =>
        Array.isArray(one) ? one : (toy.elements?.(one, file) ?? []),
    };
    const isToys = { ...format, detect: () => true };
    const options = { path: 'x.json', formats: [isToys] };
    const whole = readWholeDocument(bytes, options);
    async function* chunks() {
      for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
    }
    const parts = await readLargeDocument(chunks, options);
    const [a, b] = [whole, parts].map((one) => [...(one?.transcript?.finish(1) ?? [])]);
    expect(counted(b ?? [])).toBe((30_000 * 29_999) / 2);
    expect(b).toEqual(a);
    expect(parts.tally).toEqual(whole?.tally);
  });

  it('that holds all its spans in one resource is read span by span, with its resource', async () => {
    const spans = Array.from({ length: 12_000 }, (_, i) => ({
      traceId: `t${i % 40}`,
      spanId: `s${i}`,
      parentSpanId: i % 40 === i ? '' : `s${i % 40}`,
      name: 'chat',
      startTimeUnixNano: `${1767225600000000000n + BigInt(i) * 1_000_000n}`,
      endTimeUnixNano: `${1767225600000000000n + BigInt(i + 1) * 1_000_000n}`,
      attributes: { 'gen_ai.operation.name': i % 40 === i ? 'invoke_agent' : 'chat', ...usage, pad },
    }));
    const resource = { attributes: { 'service.name': 'shop' } };
    const bytes = Buffer.from(JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ spans }] }] }));
    async function* chunks() {
      for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
    }
    const formats = await loadFormats();
    const whole = readWholeDocument(bytes, { path: 'x.json', formats });
    const parts = await readLargeDocument(chunks, { path: 'x.json', formats });
    const [a = [], b = []] = [whole, parts].map((one) => [...(one?.transcript?.finish(1) ?? [])]);
    expect(b.map(({ agent }) => agent)).toEqual(Array(40).fill('shop'));
    expect(counted(b)).toBe(12_000 - 40);
    expect(counted(a)).toBe(12_000 - 40);
    expect(parts.tally).toMatchObject({ skipped: {} });
    const linesOf = (sessions: typeof a) => sessions.map(({ runs }) => runs.map(({ lastLine }) => lastLine));
    expect(linesOf(b)).toEqual(linesOf(a));
  });
});
