import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Document } from './document.ts';
import { renderHtml } from './html.ts';
import { PASSED_VERDICT, VERDICT } from './testing/fixture.ts';
import { anyVerdict } from './testing/fixture-arbitrary.ts';
import { CHARTS, EMPTY_CHARTS } from './testing/fixture-charts.ts';
import { verdictDocument } from './verdict-document.ts';

const page = renderHtml(verdictDocument(VERDICT));

test('the page forbids itself scripts and the network', () => {
  expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"`);
  expect(page).not.toMatch(/<script|<link|<iframe|@import|url\(|\ssrc=|\shref=/i);
});

test('names from the data are text, never markup', () => {
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(page).toContain('␛[2J␛[31mred alert␇');
});

test('the first thing to read is the verdict', () => {
  const body = page
    .slice(page.indexOf('<body>'))
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  expect(body).toMatch(/^extraction · extractor-b, prompt v6 ✗Blocked\. Concept recall fell by 8\.0 points/);
});

test('every table has a caption and heads for rows and columns', () => {
  const tables = page.split('<table>').slice(1);
  expect(tables.length).toBeGreaterThan(5);
  for (const table of tables) {
    expect(table).toMatch(/^\n<caption>[^<]+<\/caption>/);
    expect(table).toContain('<th scope="col"');
    expect(table).toContain('<th scope="row"');
  }
});

test('every chart has its exact values in a table', () => {
  const blocks = CHARTS.map((chart) => ({ kind: 'chart', chart }) as const);
  const html = renderHtml({ title: 'charts', answer: 'All.', blocks, notes: [], next: [] });
  expect(html.match(/<figure>/g)).toHaveLength(CHARTS.length);
  expect(html.match(/<summary>Exact values<\/summary>/g)).toHaveLength(CHARTS.length);
});

test('a chart without values says so instead of drawing an empty frame', () => {
  const blocks = EMPTY_CHARTS.map((chart) => ({ kind: 'chart', chart }) as const);
  const html = renderHtml({ title: 'charts', answer: 'None.', blocks, notes: [], next: [] });
  expect(html.match(/No values to show\./g)).toHaveLength(EMPTY_CHARTS.length);
});

test('a long table shows its limit and folds the rest', () => {
  const rows = Array.from({ length: 1520 }, (_, index) => ({ id: `case-${index}` }));
  const table = {
    kind: 'table',
    title: 'Cases',
    columns: [{ key: 'id', header: 'case', style: 'name' }],
    rows,
    limit: 10,
  } as const;
  const document: Document = { title: 't', answer: 'a', blocks: [table], notes: [], next: [] };
  const html = renderHtml(document);
  expect(html).toContain('<summary>and 1,510 more</summary>');
  expect(html.indexOf('case-9<')).toBeLessThan(html.indexOf('<details>'));
  expect(html.indexOf('case-10<')).toBeGreaterThan(html.indexOf('<details>'));
});

test('the same verdict gives the same bytes', () => {
  expect(renderHtml(verdictDocument(VERDICT))).toBe(page);
  expect(renderHtml(verdictDocument(PASSED_VERDICT))).toContain('✓</span>Passed.');
});

test('no data of any kind opens a tag or an attribute', () => {
  fc.assert(
    fc.property(anyVerdict, (verdict) => {
      // Quoted values may hold any words; what counts is that none of them ends its quotes.
      const html = renderHtml(verdictDocument(verdict)).replaceAll(/"[^"<>]*"/g, '""');
      expect(html).not.toMatch(/<script|<img|<[a-z][^>]*\son\w+=/i);
      expect(html).not.toContain('\u001b');
    }),
    { numRuns: 40 },
  );
});
