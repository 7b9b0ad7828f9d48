import { commandLine } from './action.ts';
import type { Chart } from './chart.ts';
import { chartSvg } from './chart-svg.ts';
import { chartTable } from './chart-table.ts';
import { formatCount } from './number.ts';
import { blocksOf, type Group, groups } from './page/groups.ts';
import { SCRIPT, SCRIPT_HASH } from './page/page-script.ts';
import { STYLE } from './page/page-style.ts';
import { pill, ROW_LIMIT, escapeHtml as safe, tableMarkup, tilesMarkup } from './page/table-markup.ts';
import { changesTable, metricsTable, type TextTable, textTable } from './text-table.ts';
import type { Block, ChartBlock, Link, LinksBlock, ListBlock, View } from './view.ts';
import { splitMark, verdictMark } from './zone-mark.ts';

const WIDE = 1000;
const NARROW = 308;
/** More do not fit on a page of paper. */
const PAPER_COLUMNS = 14;
/** Width of one of two charts in a row. */
const HALF = 554;
/** Nothing is fetched, and nothing runs but the page's own script, whatever the data holds. */
const POLICY = `default-src 'none'; style-src 'unsafe-inline'; script-src '${SCRIPT_HASH}'; img-src data:; base-uri 'none'; form-action 'none'`;

/** One file that needs no network, and no script to be read: opens anywhere, can be mailed, prints well. */
export function renderHtml(document: View): string {
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
${tilesMarkup(document.tiles ?? [], placesIn(document))}
</header>
<main>
${groups(blocksOf(document)).map(group).filter(isText).join('\n')}
</main>
<footer>
${[notes(document.notes), next(document.next)].filter(isText).join('\n')}
</footer>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

/** The anchor of a table's block: links lead there and open its fold. */
function placesIn({ blocks }: View): (title: string) => string | undefined {
  const titles = new Set(blocks.flatMap((block) => (isTable(block) && hasRows(block) ? [block.title] : [])));
  return (title) => (titles.has(title) ? placeOf(title) : undefined);
}

type WithRows = Exclude<Block, ChartBlock | ListBlock | LinksBlock>;

function isTable(block: Block): block is WithRows {
  return block.kind !== 'chart' && block.kind !== 'list' && block.kind !== 'links';
}

function hasRows(block: WithRows): boolean {
  return block.kind === 'table' ? block.rows.length > 0 : block.metrics.length > 0;
}

function placeOf(title: string): string {
  return `at-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
}

function isText(text: string): boolean {
  return text !== '';
}

function answer(document: View): string {
  const words = safe(document.answer);
  if (document.verdict === undefined) return `<p class="answer">${words}</p>`;
  const { text, tone } = verdictMark(document.verdict, document.qualifier);
  return `<p class="answer">${pill(text, tone)} ${sentence(words)}</p>`;
}

/** After a verdict with a full stop the answer starts like any sentence. */
function sentence(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function group(item: Group): string {
  switch (item.kind) {
    case 'metrics':
      return tableSection(metricsTable(item));
    case 'changes':
      return tableSection(changesTable(item));
    case 'table':
      return tableSection(textTable(item, ROW_LIMIT));
    case 'list':
      return list(item.title, item.items);
    case 'links':
      return `<p class="more">Look closer: ${item.links.map(link).join(' · ')}</p>`;
    case 'figure':
      return figure(item.chart, WIDE, item.folds, item.values && textTable(item.values, ROW_LIMIT));
    case 'figures':
      return figures(item.charts);
  }
}

function figures(charts: readonly Chart[]): string {
  const [only] = charts;
  if (charts.length === 1 && only !== undefined) return figure(only, WIDE, true);
  return `<div class="charts">\n${charts.map((chart) => figure(chart, HALF, true)).join('\n')}\n</div>`;
}

/** A phone gets its own drawing: the letters of a scaled one would be too small. */
function figure(chart: Chart, width: number, folds: boolean, table?: TextTable): string {
  const values = table ?? chartTable(chart);
  const caption = `<figcaption>${safe(chart.title)}</figcaption>`;
  if (values.rows.length === 0)
    return `<figure>\n${caption}\n<p class="more">No values to show.</p>\n</figure>`;
  return `<figure>
${caption}
<div class="drawing-wide">${chartSvg(chart, { width })}</div>
<div class="drawing-narrow">${chartSvg(chart, { width: NARROW })}</div>${folds ? exactValues(values, table && placeOf(table.title)) : ''}
</figure>`;
}

function exactValues(values: TextTable, place: string | undefined): string {
  return `\n<details><summary>Exact values</summary>
<div${place === undefined ? '' : ` id="${place}"`}>${tableMarkup({ ...values, title: `Exact values: ${values.title}` })}</div>
</details>`;
}

function tableSection(table: TextTable): string {
  if (table.rows.length === 0) return '';
  if (table.folded) {
    return `<section><details${table.columns.length > PAPER_COLUMNS ? ' class="wide"' : ''}><summary>${safe(table.title)} (${formatCount(table.rows.length + (table.beyond ?? 0))})</summary>
<div id="${placeOf(table.title)}">${tableMarkup(table)}</div>
</details></section>`;
  }
  return `<section id="${placeOf(table.title)}"><div class="head"><h2>${safe(table.title)}</h2></div>
${tableMarkup(table)}
</section>`;
}

function list(title: string, items: readonly string[]): string {
  if (items.length === 0) return '';
  const lines = items.map((item) => {
    const marked = splitMark(item);
    if (marked === undefined) return `<li>${safe(item)}</li>`;
    const { mark, tone, words } = marked;
    return `<li class="marked"><span class="mark tone-${tone}" aria-hidden="true">${mark}</span>${safe(words)}</li>`;
  });
  return `<section><h2>${safe(title)}</h2>\n<ul>\n${lines.join('\n')}\n</ul></section>`;
}

function link(one: Link): string {
  if ('does' in one) return `<code>${safe(commandLine(one.does))}</code>`;
  return `<a href="${safe(one.to)}">${safe(one.text)}</a>`;
}

function notes(items: readonly string[]): string {
  if (items.length === 0) return '';
  return `<section class="notes"><h2>Notes</h2>\n<ul>\n${items.map((item) => `<li>${safe(item)}</li>`).join('\n')}\n</ul></section>`;
}

function next(steps: View['next']): string {
  if (steps.length === 0) return '';
  return `<section><h2>Next</h2>\n<ul>\n${steps.map((step) => `<li><code>${safe(commandLine(step))}</code></li>`).join('\n')}\n</ul></section>`;
}
