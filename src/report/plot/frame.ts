/** What all charts share: the drawing surface, sizes, colours by name, and the wording of axes. */
import { type PlotOptions, plot } from '@observablehq/plot';
import { nice, ticks as ticksBetween } from 'd3-array';
import type { Zone } from '../../judge/zone.ts';
import type { Unit } from '../../measure/metric.ts';
import { formatCount, formatDuration, formatUsd } from '../number.ts';
import { shortenMiddle, widthOf } from '../text.ts';
import { plain } from '../unsafe-text.ts';

export type Size = {
  readonly width: number;
  /** Labels go above their row instead of beside it. */
  readonly narrow: boolean;
};

/** Colours are names; the page that shows the chart gives them values for light and dark. */
export const COLOUR = {
  ink: 'var(--ink)',
  soft: 'var(--ink-soft)',
  grid: 'var(--line)',
  line: 'var(--line-strong)',
  paper: 'var(--panel)',
  heat: 'var(--heat)',
} as const;

const ZONE_COLOURS: Readonly<Record<Zone, string>> = {
  excellent: 'var(--mark-excellent)',
  pass: 'var(--mark-good)',
  'below target': 'var(--mark-caution)',
  fail: 'var(--mark-bad)',
};

export function zoneColour(zone: Zone | undefined): string {
  return zone === undefined ? 'var(--mark-quiet)' : ZONE_COLOURS[zone];
}

const SERIES_COUNT = 6;

export function seriesColour(index: number): string {
  return `var(--series-${(index % SERIES_COUNT) + 1})`;
}

const SERIES_SYMBOLS = ['circle', 'square', 'triangle', 'diamond', 'star', 'wye'] as const;

export function seriesSymbol(index: number): (typeof SERIES_SYMBOLS)[number] {
  return SERIES_SYMBOLS[index % SERIES_SYMBOLS.length] ?? 'circle';
}

const FONT_SIZE = 12;
/** A generous mean over common system fonts: text is never wider than expected, at worst a little narrower. */
const COLUMN_WIDTH = 0.62;

export function pixelsOf(text: string, fontSize = FONT_SIZE): number {
  return widthOf(text) * fontSize * COLUMN_WIDTH;
}

/** Fits a label into pixels; the full text stays in its tooltip and in the table under the chart. */
export function fitLabel(text: string, pixels: number, fontSize = FONT_SIZE): string {
  return shortenMiddle(plain(text), Math.max(3, Math.floor(pixels / (fontSize * COLUMN_WIDTH))));
}

/** A chart before it is drawn: the same for the text of a report and for a page in a browser. */
export type Drawing = { readonly title: string; readonly options: PlotOptions };

export function drawing(title: string, options: PlotOptions): Drawing {
  return { title, options };
}

/** Draws with the elements of a document: the browser's, or one that is only a factory of elements. */
export function drawInto(document: unknown, { title, options }: Drawing): SvgElement {
  const svg = plot({
    ...options,
    document: document as never,
    // One class for all charts; Plot derives its own from the style that is removed below.
    className: 'chart-svg',
  }) as unknown as SvgElement;
  const style = svg.getElementsByTagName('style')[0];
  // The page styles all charts at once.
  if (style !== undefined) svg.removeChild(style);
  // A picture has one name; those that Plot gives to its groups are not allowed on them.
  for (const group of Array.from(svg.getElementsByTagName('g'))) {
    group.removeAttribute('aria-label');
    group.removeAttribute('aria-description');
  }
  svg.setAttribute('font-size', String(FONT_SIZE));
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', plain(title));
  return svg;
}

type SvgElement = {
  getElementsByTagName(name: string): ArrayLike<SvgElement>;
  removeChild(child: unknown): void;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
};

/** Beyond this a scale has no ticks people can read, and differences overflow. */
export function drawable(value: number | undefined): value is number {
  return value !== undefined && Math.abs(value) <= 1e12;
}

export type Domain = readonly [number, number];

/** Shares are seen against the whole; other units start at zero. */
export function domainFromZero(values: readonly number[], unit: Unit): Domain {
  const whole = wholeOf(unit);
  const inside = whole === undefined || values.every((value) => value >= 0 && value <= whole);
  if (whole !== undefined && inside) return [0, whole];
  return widened(Math.min(0, ...values), Math.max(0, ...values));
}

/** A line needs no zero: the range of its values with some air, inside what the unit allows. */
export function domainAround(values: readonly number[], unit: Unit): Domain {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const air = (high - low || Math.abs(high) || 1) * 0.12;
  const [from, to] = widened(low - air, high + air);
  const whole = wholeOf(unit);
  return [
    low >= 0 ? Math.max(0, from) : from,
    whole !== undefined && high <= whole ? Math.min(whole, to) : to,
  ];
}

function wholeOf(unit: Unit): number | undefined {
  if (unit === 'ratio' || unit === 'score') return 1;
  return unit === 'percent' ? 100 : undefined;
}

function widened(low: number, high: number): Domain {
  if (high - low < 1e-9) return [low, low + 1];
  const [from, to] = nice(low, high, 5);
  return [from, to];
}

export type Ticks = { readonly values: readonly number[]; readonly text: (value: number) => string };

/** Ticks carry no more digits than they need to differ. */
export function ticksOf([from, to]: Domain, unit: Unit, count: number): Ticks {
  const values = ticksBetween(from, to, count);
  const step = Math.abs((values[1] ?? to) - (values[0] ?? from)) || 1;
  const scale = unit === 'ratio' ? 100 : 1;
  const digits = Math.min(6, Math.max(0, -Math.floor(Math.log10(step * scale) + 1e-9)));
  return { values, text: (value) => tickText(value, unit, scale, digits) };
}

function tickText(value: number, unit: Unit, scale: number, digits: number): string {
  const sign = value < 0 ? '−' : '';
  const size = Math.abs(value);
  switch (unit) {
    case 'ratio':
    case 'percent':
      return `${sign}${(size * scale).toFixed(digits)}%`;
    case 'usd':
      return digits > 2 ? formatUsd(value) : `${sign}$${size.toFixed(digits === 0 ? 0 : 2)}`;
    case 'ms':
      return formatDuration(value);
    case 'count':
      return formatCount(value);
    default:
      return `${sign}${size.toFixed(digits)}`;
  }
}
