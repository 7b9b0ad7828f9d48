/** A text table as an HTML table: it scrolls in its own box and labels its rows and columns. */

import { formatCount, formatRatio, UNMEASURED } from '../number.ts';
import { splitAtPoint } from '../table-layout.ts';
import {
  cellText,
  type DrawnSpan,
  spanOf,
  type TextCell,
  type TextColumn,
  type TextTable,
} from '../text-table.ts';
import { plain } from '../unsafe-text.ts';
import type { Tile } from '../view.ts';
import { splitMark } from '../zone-mark.ts';

/** A page with every row of a large run is slow to open; CSV holds them all. */
export const ROW_LIMIT = 2000;
/** More rows than this scroll under their head. */
const TALL = 20;

export function tableMarkup(table: TextTable): string {
  const rows = table.rows.slice(0, ROW_LIMIT);
  const left = table.rows.length - rows.length + (table.beyond ?? 0);
  const limit = table.limit ?? rows.length;
  const levels = rows.map((row) => levelOf(row[0]));
  const isTree = levels.includes(1);
  const rests = table.columns.map((column, index) => restWidth(column, rows, index));
  const head = table.columns.map((column) =>
    column.title === ''
      ? '<td></td>'
      : `<th scope="col"${classes(column, { text: column.title })}>${escapeHtml(column.title)}</th>`,
  );
  const body = rows.map((cells, row) => {
    const kinds = [
      ...(row >= limit ? ['beyond'] : []),
      ...(isTree ? [levels[row] === 1 ? 'below' : 'group'] : []),
    ];
    const columns = cells.map((cell, index) =>
      cellMarkup(cell, table.columns[index], rests[index], index === 0),
    );
    return `<tr${kinds.length === 0 ? '' : ` class="${kinds.join(' ')}"`}>${columns.join('')}</tr>`;
  });
  // The box scrolls sideways on a phone, and with the keyboard.
  return `<div class="scroll${rows.length > TALL ? ' tall' : ''}" role="region" tabindex="0" aria-label="${escapeHtml(table.title)}"><table${isTree ? ' data-fixed' : ''}>
<caption>${escapeHtml(table.title)}</caption>
<thead><tr>${head.join('')}</tr></thead>
<tbody>
${body.join('\n')}
</tbody>
</table></div>${left > 0 ? `\n<p class="more">and ${formatCount(left)} more in the CSV and JSONL formats</p>` : ''}`;
}

/** A name that is set in belongs under the one before it. */
function levelOf(cell: TextCell | undefined): 0 | 1 {
  return cell?.text.startsWith('  ') ? 1 : 0;
}

/** Width of the longest fraction, so that decimal points align; 0 where they do anyway. */
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
  const sort = cell.sort === undefined ? sortText(cell) : String(cell.sort);
  const value = sort === undefined ? '' : ` data-v="${escapeHtml(sort)}"`;
  const scope = first ? ' scope="row"' : '';
  return `<${tag}${scope}${classes(column, cell)}${value}>${content}${cell.span === undefined ? '' : spanMarkup(cell.span)}</${tag}>`;
}

function sortText(cell: TextCell): string | undefined {
  return cell.text === '' || missing(cell) ? undefined : cell.text.trim();
}

/** A column of sentences needs room; one of single words must not take it from the others. */
const SENTENCE_CHARS = 24;

function classes(column: TextColumn | undefined, { text }: TextCell): string {
  if (column?.align === 'point') return ' class="num"';
  if (column?.shorten === undefined || isShortName(column, text)) return ' class="keep"';
  return column.shorten === 'end' && text.length > SENTENCE_CHARS ? ' class="words"' : '';
}

/** A name is read as one word, hyphens and all; a long one may go on in the next line. */
const NAME_CHARS = 30;

function isShortName({ shorten }: TextColumn, text: string): boolean {
  return shorten === 'middle' && text.length <= NAME_CHARS;
}

function number(cell: TextCell, rest: number): string {
  const [whole, after] = splitAtPoint(cell.text);
  const padded =
    rest === 0
      ? escapeHtml(cell.text)
      : `${escapeHtml(whole)}<span class="rest" style="min-width:${rest}ch">${escapeHtml(after)}</span>`;
  return toned(cell, missing(cell) ? padded.replace(UNMEASURED, gap(cell)) : padded);
}

function words(cell: TextCell): string {
  if (missing(cell)) return toned(cell, gap(cell));
  const text = cell.text.trim();
  if (cell.tone === undefined) return escapeHtml(text);
  return splitMark(text) === undefined ? toned(cell, escapeHtml(text)) : pill(text, cell.tone);
}

function gap(cell: TextCell): string {
  return `<abbr title="${escapeHtml(cell.hint ?? 'unmeasured')}">${UNMEASURED}</abbr>`;
}

function missing(cell: TextCell): boolean {
  return cell.text === UNMEASURED;
}

function toned(cell: TextCell, content: string): string {
  return cell.tone === undefined ? content : `<span class="tone-${cell.tone}">${content}</span>`;
}

/** A zone or a verdict: colour, shape and word. */
export function pill(text: string, tone: string): string {
  return `<span class="pill tone-${tone}">${marked(text)}</span>`;
}

/** The shape is for eyes; a screen reader gets the word. */
function marked(text: string): string {
  const split = splitMark(text);
  if (split === undefined) return escapeHtml(text);
  return `<span class="mark" aria-hidden="true">${split.mark}</span>${escapeHtml(split.words)}`;
}

/** A value as a bar from 0, one with an interval as the interval with the value on it; the number is next to it. */
function spanMarkup({ at, low, high, target }: DrawnSpan): string {
  if (low === undefined || high === undefined)
    return `<span class="span" aria-hidden="true"><i style="width:${share(at)}"></i></span>`;
  const [from, to] = [Math.max(0, low), Math.min(1, high)];
  return `<span class="span range" aria-hidden="true"><i style="left:${share(from)};width:${share(to - from)}"></i>${target === undefined ? '' : `<u style="left:${share(target)}"></u>`}<b style="left:${share(at)}"></b></span>`;
}

function share(part: number): string {
  return `${Math.round(Math.min(1, Math.max(0, part)) * 1000) / 10}%`;
}

/** `placeOf`: the address of a block on the page, by its title. */
export function tilesMarkup(
  tiles: readonly Tile[],
  placeOf: (title: string) => string | undefined = () => undefined,
): string {
  const marked = tiles.map((tile) =>
    tileMarkup(tile, tile.madeOf === undefined ? undefined : placeOf(tile.madeOf)),
  );
  return tiles.length === 0 ? '' : `<dl class="tiles">\n${marked.join('\n')}\n</dl>`;
}

function tileMarkup(tile: Tile, place: string | undefined): string {
  const { text, hint } = figureOf(tile);
  const word = tile.word === undefined ? '' : ` ${pill(tile.word.text, tile.word.tone)}`;
  const figure =
    text === UNMEASURED
      ? `<abbr title="${escapeHtml(hint ?? 'unmeasured')}">${UNMEASURED}</abbr>`
      : linkTo(place, escapeHtml(text), tile);
  const { span } = spanOfTile(tile);
  return `<div class="tile"><dt>${escapeHtml(tile.label)}</dt>
<dd><div class="figure">${figure}${word}</div>${span?.low === undefined ? '' : spanMarkup(span)}${stripMarkup(tile.parts ?? [])}${tile.aside === undefined ? '' : `<div class="aside">${escapeHtml(tile.aside)}</div>`}</dd></div>`;
}

/** A link from a figure to its parts. */
function linkTo(place: string | undefined, figure: string, { madeOf = '', label }: Tile): string {
  if (place === undefined) return figure;
  const words = `${label}: what it is made of, ${madeOf}`;
  return `<a href="#${place}" title="${escapeHtml(words)}">${figure}</a>`;
}

/** The interval is drawn and said in the aside; the figure is the value alone. */
function figureOf({ value, unit }: Tile): { text: string; hint?: string } {
  if (typeof value === 'object' && 'measured' in value && value.measured) return cellText(value.value, unit);
  return cellText(value, unit);
}

function spanOfTile({ value, unit }: Tile): ReturnType<typeof spanOf> {
  const isShare = unit === 'score' || unit === 'ratio' || unit === 'percent';
  return isShare && typeof value === 'object' && 'measured' in value ? spanOf(value, unit) : {};
}

function stripMarkup(parts: NonNullable<Tile['parts']>): string {
  const shown = parts.filter(({ share }) => share > 0);
  if (shown.length === 0) return '';
  const words = shown.map(({ label, share }) => `${label} ${formatRatio(share)}`).join(', ');
  const bars = shown.map(
    ({ share, tone }) => `<i class="fill-${tone}" style="width:${Math.round(share * 1000) / 10}%"></i>`,
  );
  return `<div class="strip" role="img" aria-label="${escapeHtml(words)}" title="${escapeHtml(words)}">${bars.join('')}</div>`;
}

/** Text from anywhere as text of a page: never markup, no control characters. */
export function escapeHtml(text: string): string {
  return plain(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
