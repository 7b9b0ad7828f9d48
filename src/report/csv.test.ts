import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderCsv } from './csv.ts';
import { VERDICT } from './testing/fixture.ts';
import { anyText } from './testing/fixture-arbitrary.ts';
import { plain } from './unsafe-text.ts';
import { verdictRows } from './verdict-view.ts';
import type { Cell, TableBlock } from './view.ts';

/** A reader as RFC 4180 describes it, to check the writer with. */
function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let position = 0;
  while (position < text.length) {
    const match = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(text.slice(position));
    if (match === null) throw new Error(`not RFC 4180 at ${position}`);
    record.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '\r\n') {
      records.push(record);
      record = [];
    }
    position += match[0].length;
  }
  return records;
}

function table(rows: readonly (readonly Cell[])[]): TableBlock {
  return {
    kind: 'table',
    title: 'any',
    columns: [
      { key: 'a', title: 'A', unit: 'text' },
      { key: 'b', title: 'B', unit: 'ratio' },
    ],
    rows: rows.map(([a, b]) => ({ a, b })),
  };
}

test('texts that start like a formula get an apostrophe, numbers never do', () => {
  const rows = ['=1', '+1', '-1', '@x', '\tx', '\rx', '＝1', '＋1', '－1', '＠x'].map(
    (text) => [text, -0.5] as const,
  );
  for (const [text, value] of parseCsv(renderCsv(table(rows))).slice(1)) {
    expect(text?.startsWith("'")).toBe(true);
    expect(value).toBe('-0.5');
  }
});

test('numbers keep their full precision and unmeasured is an empty field', () => {
  expect(
    renderCsv(
      table([
        ['x', 0.1 + 0.2],
        ['y', undefined],
      ]),
    ),
  ).toBe('a,b\r\nx,0.30000000000000004\r\ny,\r\n');
});

test('all rows are written, whatever the limit for people is', () => {
  const rows = Array.from({ length: 25 }, (_, index) => [`case ${index}`, index] as const);
  expect(parseCsv(renderCsv({ ...table(rows), limit: 10 }))).toHaveLength(26);
});

test('any cell comes back as it was, made safe', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(anyText, fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }), { nil: undefined })),
      ),
      (rows) => {
        const parsed = parseCsv(renderCsv(table(rows)));
        expect(parsed).toHaveLength(rows.length + 1);
        for (const [index, [text, value]] of rows.entries()) {
          const [gotText = '', gotValue = ''] = parsed[index + 1] ?? [];
          expect([plain(text), `'${plain(text)}`]).toContain(gotText);
          expect(gotText).not.toMatch(/^[=+\-@\t\r＝＋－＠]/);
          // A negative zero is a zero in text.
          expect(gotValue === '' ? undefined : Number(gotValue)).toBe(value === 0 ? 0 : value);
        }
      },
    ),
  );
});

test('a verdict has one row per case and no terminal escape', () => {
  const csv = renderCsv(verdictRows(VERDICT));
  expect(parseCsv(csv)).toHaveLength(VERDICT.cases.length + 1);
  expect(csv).not.toContain('\u001b');
  expect(csv).toContain(`"'=HYPERLINK(""https://example.org"",""open"")",pass,0.8,0.92,,0.03,0.38,,`);
});
