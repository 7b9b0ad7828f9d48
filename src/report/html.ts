import { commandLine } from './action.ts';
import type { Chart } from './chart.ts';
import { chartSvg } from './chart-svg.ts';
import { chartTable } from './chart-table.ts';
import type { Block, ChartBlock, Document } from './document.ts';
import { STYLE } from './html-style.ts';
import { formatCount, UNMEASURED } from './number.ts';
import { splitAtPoint } from './table-layout.ts';
import {
  changesTable,
  metricsTable,
  type TextCell,
  type TextColumn,
  type TextTable,
  textTable,
} from './text-table.ts';
import { plain } from './unsafe-text.ts';
import { verdictMark } from './zone-mark.ts';

const WIDE = 820;
const NARROW = 340;
/** Two of these stand side by side. */
const HALF = 396;
/** A page with every row of a large run is slow to open; CSV holds them all. */
const ROW_LIMIT = 2000;

/** Nothing is fetched and nothing runs, whatever the data holds. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/** One file that needs no network and no script: opens anywhere, can be mailed, prints well. */
export function renderHtml(document: Document): string {
  const title = safe(document.title);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${title}</h1>
${answer(document)}
</header>
<main>
${groups(document.blocks).map(group).filter(isText).join('\n')}
</main>
<footer>
${[notes(document.notes), next(document.next)].filter(isText).join('\n')}
</footer>
</body>
</html>
`;
}

function isText(text: string): boolean {
  return text !== '';
}

function answer(document: Document): string {
  const words = safe(document.answer);
  if (document.verdict === undefined) return `<p class="answer">${words}</p>`;
  const { text, tone } = verdictMark(document.verdict, document.beside);
  return `<p class="answer tone-edge-${tone}"><strong class="tone-${tone}">${marked(text)}.</strong> ${sentence(words)}</p>`;
}

/** After a verdict with a full stop the answer starts like any sentence. */
function sentence(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

type Group = Block | { readonly kind: 'charts'; readonly charts: readonly Chart[] };

/** Neighbouring trends are small multiples: side by side they are compared at a glance. */
function groups(blocks: readonly Block[]): Group[] {
  const result: Group[] = [];
  for (const block of blocks) {
    const last = result.at(-1);
    if (!isTrend(block)) result.push(block);
    else if (last?.kind === 'charts')
      result.splice(-1, 1, { kind: 'charts', charts: [...last.charts, block.chart] });
    else result.push({ kind: 'charts', charts: [block.chart] });
  }
  return result;
}

function isTrend(block: Block): block is ChartBlock {
  return block.kind === 'chart' && block.chart.kind === 'series' && block.chart.series.length === 1;
}

function group(item: Group): string {
  switch (item.kind) {
    case 'metrics':
      return tableSection(metricsTable(item));
    case 'changes':
      return tableSection(changesTable(item));
    case 'table':
      return tableSection(textTable(item));
    case 'list':
      return list(item.title, item.items);
    case 'chart':
      return figure(item.chart);
    case 'charts':
      return charts(item.charts);
  }
}

function charts(items: readonly Chart[]): string {
  const [only] = items;
  if (items.length === 1 && only !== undefined) return figure(only);
  const figures = items.map((chart) => figureWith(chart, chartSvg(chart, { width: HALF })));
  return `<div class="charts">\n${figures.join('\n')}\n</div>`;
}

function figure(chart: Chart): string {
  const wide = `<div class="drawing-wide">${chartSvg(chart, { width: WIDE })}</div>`;
  const narrow = `<div class="drawing-narrow">${chartSvg(chart, { width: NARROW })}</div>`;
  return figureWith(chart, `${wide}\n${narrow}`);
}

function figureWith(chart: Chart, drawing: string): string {
  const table = chartTable(chart);
  if (table.rows.length === 0) {
    return `<figure>\n<figcaption>${safe(chart.title)}</figcaption>\n<p class="more">No values to show.</p>\n</figure>`;
  }
  const values = tableMarkup({ ...table, title: `Exact values: ${table.title}` });
  return `<figure>
<figcaption>${safe(chart.title)}</figcaption>
${drawing}
<details><summary>Exact values</summary>
${values}
</details>
</figure>`;
}

function tableSection(table: TextTable): string {
  if (table.rows.length === 0) return '';
  if (table.folded) {
    return `<section><details><summary>${safe(table.title)} (${formatCount(table.rows.length)})</summary>
${tableMarkup(table)}
</details></section>`;
  }
  const limit = table.limit ?? table.rows.length;
  const more = table.rows.slice(limit);
  const rest =
    more.length === 0
      ? ''
      : `\n<details><summary>and ${formatCount(more.length)} more</summary>
${tableMarkup({ ...table, rows: more, title: `${table.title}, continued` })}
</details>`;
  return `<section><h2>${safe(table.title)}</h2>
${tableMarkup({ ...table, rows: table.rows.slice(0, limit) })}${rest}
</section>`;
}

function tableMarkup(table: TextTable): string {
  const rows = table.rows.slice(0, ROW_LIMIT);
  const left = table.rows.length - rows.length;
  const rests = table.columns.map((column, index) => restWidth(column, rows, index));
  const head = table.columns.map(
    (column) => `<th scope="col"${classes(column, { text: column.header })}>${safe(column.header)}</th>`,
  );
  const body = rows.map((cells) => {
    const columns = cells.map((cell, index) =>
      cellMarkup(cell, table.columns[index], rests[index], index === 0),
    );
    return `<tr>${columns.join('')}</tr>`;
  });
  // The box scrolls sideways on a phone, and whoever has no mouse scrolls it with the keyboard.
  return `<div class="scroll" role="region" tabindex="0" aria-label="${safe(table.title)}"><table>
<caption>${safe(table.title)}</caption>
<thead><tr>${head.join('')}</tr></thead>
<tbody>
${body.join('\n')}
</tbody>
</table></div>${left > 0 ? `\n<p class="more">and ${formatCount(left)} more in the CSV and JSONL formats</p>` : ''}`;
}

/** Room for the longest text after the point, so that the points of a column stand in line; 0 where they do anyway. */
function restWidth(column: TextColumn, rows: TextTable['rows'], index: number): number {
  if (column.align !== 'point') return 0;
  const rests = rows.map((row) => splitAtPoint(row[index]?.text ?? '')[1]);
  const widths = new Set(rests.map((rest) => rest.replaceAll(/\d/g, '0')));
  return widths.size < 2 ? 0 : rests.reduce((most, rest) => Math.max(most, digitsWide(rest)), 0);
}

/** In widths of a digit: points and blanks are narrower, a percent sign is wider. */
function digitsWide(text: string): number {
  const wide = [...text].reduce(
    (sum, letter) => sum + (/[., ]/.test(letter) ? 0.5 : letter === '%' ? 1.5 : 0.95),
    0,
  );
  return Math.round(wide * 10) / 10;
}

function cellMarkup(cell: TextCell, column: TextColumn | undefined, rest = 0, first = false): string {
  const tag = first ? 'th' : 'td';
  const content = column?.align === 'point' ? number(cell, rest) : words(cell);
  return `<${tag}${first ? ' scope="row"' : ''}${classes(column, cell)}>${content}</${tag}>`;
}

/** A column of sentences needs room; one of single words must not take it from the others. */
const SENTENCE_CHARS = 24;

function classes(column: TextColumn | undefined, { text }: TextCell): string {
  if (column?.align === 'point') return ' class="num"';
  if (column?.shorten === undefined) return ' class="keep"';
  return column.shorten === 'end' && text.length > SENTENCE_CHARS ? ' class="words"' : '';
}

function number(cell: TextCell, rest: number): string {
  const [whole, after] = splitAtPoint(cell.text);
  const padded =
    rest === 0
      ? safe(cell.text)
      : `${safe(whole)}<span class="rest" style="min-width:${rest}ch">${safe(after)}</span>`;
  return toned(
    cell,
    missing(cell)
      ? padded.replace(UNMEASURED, `<abbr title="${safe(cell.hint ?? 'unmeasured')}">${UNMEASURED}</abbr>`)
      : padded,
  );
}

function words(cell: TextCell): string {
  return toned(
    cell,
    missing(cell)
      ? `<abbr title="${safe(cell.hint ?? 'unmeasured')}">${UNMEASURED}</abbr>`
      : cell.tone
        ? marked(cell.text)
        : safe(cell.text),
  );
}

function missing(cell: TextCell): boolean {
  return cell.text === UNMEASURED;
}

function toned(cell: TextCell, content: string): string {
  return cell.tone === undefined ? content : `<span class="tone-${cell.tone}">${content}</span>`;
}

/** The shape is for eyes; a screen reader gets the word. */
function marked(text: string): string {
  const match = /^([●✓▲✗–]) (.*)$/su.exec(text);
  return match === null
    ? safe(text)
    : `<span class="mark" aria-hidden="true">${match[1]}</span>${safe(match[2] ?? '')}`;
}

const MARK_TONES: Readonly<Record<string, string>> = {
  '✗': 'bad',
  '▲': 'caution',
  '✓': 'good',
  '●': 'excellent',
  '–': 'quiet',
};

function list(title: string, items: readonly string[]): string {
  if (items.length === 0) return '';
  const lines = items.map((item) => {
    const mark = /^([●✓▲✗–]) /u.exec(item)?.[1];
    const tone = mark === undefined ? undefined : MARK_TONES[mark];
    if (mark === undefined || tone === undefined) return `<li>${safe(item)}</li>`;
    return `<li class="marked"><span class="mark tone-${tone}" aria-hidden="true">${mark}</span>${safe(item.slice(mark.length + 1))}</li>`;
  });
  return `<section><h2>${safe(title)}</h2>\n<ul>\n${lines.join('\n')}\n</ul></section>`;
}

function notes(items: readonly string[]): string {
  if (items.length === 0) return '';
  return `<section class="notes"><h2>Notes</h2>\n<ul>\n${items.map((item) => `<li>${safe(item)}</li>`).join('\n')}\n</ul></section>`;
}

function next(steps: Document['next']): string {
  if (steps.length === 0) return '';
  return `<section><h2>Next</h2>\n<ul>\n${steps.map((step) => `<li><code>${safe(commandLine(step))}</code></li>`).join('\n')}\n</ul></section>`;
}

function safe(text: string): string {
  return plain(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
