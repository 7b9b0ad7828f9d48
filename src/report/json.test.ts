import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderJson, renderJsonl } from './json.ts';
import { escapeJson } from './unsafe-text.ts';

test('what comes in pieces is what JSON.stringify gives, whatever the value', () => {
  fc.assert(
    fc.property(fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())), (value) => {
      expect([...renderJson(value)].join('')).toBe(`${escapeJson(JSON.stringify(value, null, 2))}\n`);
    }),
  );
});

test('a list that is made item by item is printed like any other, and keys without a value are left out', () => {
  function* items() {
    yield { a: 1 };
    yield { b: ['x\ny'] };
  }
  const text = [...renderJson({ none: undefined, cases: items(), empty: [], n: 2 })].join('');
  expect(text).toBe(`${JSON.stringify({ cases: [{ a: 1 }, { b: ['x\ny'] }], empty: [], n: 2 }, null, 2)}\n`);
});

test('no more of a long list is held than is printed at once', () => {
  let made = 0;
  function* items() {
    for (; made < 10_000; made++) yield { text: 'x'.repeat(1000) };
  }
  renderJson({ items: items() }).next();
  expect(made).toBeLessThan(100);
});

test('any rows are a line each, and every line is JSON that drives no terminal', () => {
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }))),
      (rows) => {
        const lines = [...renderJsonl(rows)].join('').split('\n');
        expect(lines.pop()).toBe('');
        expect(lines.map((line) => JSON.parse(line))).toEqual(JSON.parse(JSON.stringify(rows)));
        for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
      },
    ),
  );
});
