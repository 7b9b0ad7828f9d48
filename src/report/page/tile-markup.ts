/** The few numbers that are read first, large. */
import type { Tile } from '../document.ts';
import { formatRatio, UNMEASURED } from '../number.ts';
import { cellText, spanOf } from '../text-table.ts';
import { escapeHtml } from './escape.ts';
import { pill, spanMarkup } from './table-markup.ts';

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

/** From a figure to what it is made of. */
function linkTo(place: string | undefined, figure: string, { madeOf = '', label }: Tile): string {
  if (place === undefined) return figure;
  const words = `${label}: what it is made of, ${madeOf}`;
  return `<a href="#${place}" title="${escapeHtml(words)}">${figure}</a>`;
}

/** The interval is drawn and said in the aside; the figure is the value alone. */
function figureOf({ value, style }: Tile): { text: string; hint?: string } {
  if (typeof value === 'object' && 'measured' in value && value.measured) return cellText(value.value, style);
  return cellText(value, style);
}

function spanOfTile({ value, style }: Tile): ReturnType<typeof spanOf> {
  const isShare = style === 'score' || style === 'ratio' || style === 'percent';
  return isShare && typeof value === 'object' && 'measured' in value ? spanOf(value, style) : {};
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
