/** The few numbers that are read first, large. */
import type { Tile } from '../document.ts';
import { formatRatio, UNMEASURED } from '../number.ts';
import { cellText, spanOf } from '../text-table.ts';
import { escapeHtml } from './escape.ts';
import { pill, spanMarkup } from './table-markup.ts';

export function tilesMarkup(tiles: readonly Tile[]): string {
  return tiles.length === 0 ? '' : `<dl class="tiles">\n${tiles.map(tileMarkup).join('\n')}\n</dl>`;
}

function tileMarkup(tile: Tile): string {
  const { text, hint } = figureOf(tile);
  const word = tile.word === undefined ? '' : ` ${pill(tile.word.text, tile.word.tone)}`;
  const figure =
    text === UNMEASURED
      ? `<abbr title="${escapeHtml(hint ?? 'unmeasured')}">${UNMEASURED}</abbr>`
      : escapeHtml(text);
  const { span } = spanOfTile(tile);
  return `<div class="tile"><dt>${escapeHtml(tile.label)}</dt>
<dd><div class="figure">${figure}${word}</div>${span?.low === undefined ? '' : spanMarkup(span)}${stripMarkup(tile.parts ?? [])}${tile.aside === undefined ? '' : `<div class="aside">${escapeHtml(tile.aside)}</div>`}</dd></div>`;
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
