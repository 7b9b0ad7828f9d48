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

/**
 * Moves labels apart until none is closer than `gap` to the next, each as near to its wish as that allows. Positions
 * stay within 0 and `length` as long as there is room for all.
 */
export function spread(wanted: readonly number[], gap: number, length: number): number[] {
  const order = wanted
    .map((_, index) => index)
    .toSorted((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0) || a - b);
  const placed = [...wanted];
  let floor = Number.NEGATIVE_INFINITY;
  for (const index of order) {
    placed[index] = Math.max(placed[index] ?? 0, floor);
    floor = (placed[index] ?? 0) + gap;
  }
  // Pushed over the end: push back from there.
  let ceiling = length;
  for (const index of order.toReversed()) {
    placed[index] = Math.min(placed[index] ?? 0, ceiling);
    ceiling = (placed[index] ?? 0) - gap;
  }
  return placed;
}

type Anchor = { readonly x: number; readonly y: number; readonly width: number };

type Place = { readonly dx: number; readonly dy: number; readonly anchor: 'start' | 'end' | 'middle' };

type Box = { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };

const HALF_LINE = 7;
const AWAY = 9;

/** In order of taste: beside the point first, then above and below it. */
const PLACES: readonly Place[] = [
  { dx: AWAY, dy: 0, anchor: 'start' },
  { dx: -AWAY, dy: 0, anchor: 'end' },
  { dx: 0, dy: -AWAY - 4, anchor: 'middle' },
  { dx: 0, dy: AWAY + 5, anchor: 'middle' },
];

/**
 * A place for each label that covers no point and no other label; `undefined` where there is none, because a missing
 * name is in the tooltip and in the table, an unreadable one helps nobody.
 */
export function placeLabels(
  anchors: readonly Anchor[],
  area: { readonly width: number; readonly height: number },
): (Place | undefined)[] {
  const taken: Box[] = anchors.map(({ x, y }) => ({ left: x - 5, right: x + 5, top: y - 5, bottom: y + 5 }));
  return anchors.map((anchor, own) => {
    const place = PLACES.find((candidate) => {
      const box = boxOf(anchor, candidate);
      const inside =
        box.left >= 0 &&
        box.right <= area.width &&
        box.top >= -HALF_LINE &&
        box.bottom <= area.height + HALF_LINE;
      return inside && !taken.some((other, index) => index !== own && overlap(box, other));
    });
    if (place !== undefined) taken.push(boxOf(anchor, place));
    return place;
  });
}

function boxOf({ x, y, width }: Anchor, { dx, dy, anchor }: Place): Box {
  const left = x + dx - (anchor === 'start' ? 0 : anchor === 'end' ? width : width / 2);
  return { left, right: left + width, top: y + dy - HALF_LINE, bottom: y + dy + HALF_LINE };
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
