import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { estimate, unmeasured } from '../measure/metric.ts';
import { renderHtml } from './html.ts';
import { SCRIPT } from './page/page-script.ts';
import { VERDICT } from './testing/fixture.ts';
import { anyVerdict } from './testing/fixture-arbitrary.ts';
import { CHARTS, EMPTY_CHARTS } from './testing/fixture-charts.ts';
import { verdictView } from './verdict-view.ts';

const page = renderHtml(verdictView(VERDICT));

test('the page forbids itself the network and every script but its own', () => {
  const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text]) => text ?? '');
  expect(scripts).toHaveLength(1);
  const hash = createHash('sha256').update(scripts.join()).digest('base64');
  expect(page).toContain(
    `content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'"`,
  );
  expect(page).not.toMatch(/<link|<iframe|@import|url\(|\ssrc=|\shref=(?!"#)|\son\w+=/i);
});

test('the script asks nobody, keeps nothing and never makes markup of a text', () => {
  expect(SCRIPT).not.toMatch(
    /fetch|XMLHttp|WebSocket|import|eval|Function\(|innerHTML|outerHTML|insertAdjacent|document\.write|localStorage|cookie|location/,
  );
});

test('names from the data are text, never markup', () => {
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(page).toContain('␛[2J␛[31mred alert␇');
});

test('every table has a caption and heads for rows and columns', () => {
  const tables = page.split(/<table(?: data-fixed)?>/).slice(1);
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

test('a long table marks what is beyond its limit, and holds every row', () => {
  const rows = Array.from({ length: 1520 }, (_, index) => ({ id: `case-${index}` }));
  const table = {
    kind: 'table',
    title: 'Cases',
    columns: [{ key: 'id', title: 'case', unit: 'name' }],
    rows,
    limit: 10,
  } as const;
  const html = renderHtml({ title: 't', answer: 'a', blocks: [table], notes: [], next: [] });
  expect(html.match(/<tr class="beyond">/g)).toHaveLength(1510);
  expect(html).toContain('<tr><th scope="row" class="keep" data-v="case-9">case-9</th></tr>');
  expect(html).toContain(
    '<tr class="beyond"><th scope="row" class="keep" data-v="case-10">case-10</th></tr>',
  );
});

test('of very many rows a page has the first ones, and says how many there are', () => {
  const rows = Array.from({ length: 2_500 }, (_, i) => ({ name: `case ${i}` }));
  const columns = [{ key: 'name', title: 'case', unit: 'text' as const }];
  const block = { kind: 'table' as const, title: 'Cases', columns, rows };
  const document = {
    ...verdictView(VERDICT),
    blocks: [block, { ...block, title: 'Folded', folded: true }],
  };
  const long = renderHtml(document);
  expect(long.match(/case 1999</g)).toHaveLength(2);
  expect(long).not.toContain('case 2000<');
  expect(long.match(/and 500 more in the CSV and JSONL formats/g)).toHaveLength(2);
  expect(long).toContain('<summary>Folded (2,500)</summary>');
});

test('a number is drawn where its column says that it has a whole, and an interval as one', () => {
  const html = renderHtml({
    title: 't',
    answer: 'a',
    tiles: [{ label: 'Recall', value: estimate(0.5, 10, { low: 0.25, high: 0.75 }), unit: 'ratio' }],
    blocks: [
      {
        kind: 'table',
        title: 'Cases',
        columns: [
          { key: 'id', title: 'case', unit: 'name' },
          { key: 'q', title: 'Q', unit: 'score', drawn: true },
          { key: 'lost', title: 'lost', unit: 'score' },
        ],
        rows: [
          { id: 'a', q: 0.62, lost: 0.38 },
          { id: 'c', q: { score: 0.31, tier: 'poor' } },
          { id: 'b', q: unmeasured('nothing to see') },
        ],
      },
    ],
    notes: [],
    next: [],
  });
  expect(html).toContain('<span class="span" aria-hidden="true"><i style="width:62%"></i></span>');
  expect(html).toContain('<i style="left:25%;width:50%"></i><b style="left:50%"></b>');
  expect(html).toContain('<i style="width:31%"></i>');
  expect(html.match(/class="span/g)).toHaveLength(3);
  expect(html).toContain('<abbr title="nothing to see">–</abbr>');
});

test('where tiles say it, the list that says the same is left out', () => {
  const list = { kind: 'list', title: 'Summary', items: ['Q median 0.97'], tiled: true } as const;
  const rest = { title: 't', answer: 'a', blocks: [list], notes: [], next: [] };
  const tile = { label: 'Q', value: 0.97, unit: 'score' } as const;
  expect(renderHtml(rest)).toContain('Q median 0.97');
  expect(renderHtml({ ...rest, tiles: [tile] })).not.toContain('Q median');
});

test('the table that a heatmap shows is folded under it, and metrics that draw themselves have no chart', () => {
  expect(page.match(/<figcaption>[^<]*meet|miss (?:its|their) target/g)).toBeNull();
  const heatmap = CHARTS.find(({ kind }) => kind === 'heatmap');
  if (heatmap === undefined) throw new Error('no heatmap among the charts');
  const table = {
    kind: 'table',
    title: 'By kind',
    columns: [{ key: 'id', title: 'kind', unit: 'name' }],
    rows: [{ id: 'logic' }],
  } as const;
  const chart = { kind: 'chart', chart: heatmap, repeats: true } as const;
  const html = renderHtml({ title: 't', answer: 'a', blocks: [table, chart], notes: [], next: [] });
  expect(html).not.toContain('<h2>By kind</h2>');
  expect(html).toContain('<caption>Exact values: By kind</caption>');
});

test('no data of any kind opens a tag or an attribute', () => {
  fc.assert(
    fc.property(anyVerdict, (verdict) => {
      // Quoted values may hold any words; what counts is that none of them ends its quotes.
      const html = renderHtml(verdictView(verdict))
        .replace(`<script>${SCRIPT}</script>`, '')
        .replaceAll(/"[^"<>]*"/g, '""');
      expect(html).not.toMatch(/<script|<img|<[a-z][^>]*\son\w+=/i);
      expect(html).not.toContain('\u001b');
    }),
    { numRuns: 40 },
  );
});
