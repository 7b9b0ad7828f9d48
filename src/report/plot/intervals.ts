import { axisX, dot, gridX, type Markish, ruleX, ruleY, text } from '@observablehq/plot';
import type { Zone } from '../../judge/zone.ts';
import type { IntervalsChart } from '../chart.ts';
import { valueWithInterval } from '../chart-table.ts';
import { plain } from '../unsafe-text.ts';
import {
  COLOUR,
  type Domain,
  type Drawing,
  domainFromZero,
  drawable,
  drawing,
  fitLabel,
  pixelsOf,
  type Size,
  ticksOf,
  zoneColour,
} from './frame.ts';

type Drawn = IntervalsChart['rows'][number] & {
  readonly name: string;
  readonly y: number;
  readonly written: string;
  readonly hint: string;
};

const WIDE_ROW = 30;
const NARROW_ROW = 48;

/** One row per value: name, interval with the zone's own shape on the value, and the exact numbers. */
export function intervalsDrawing(chart: IntervalsChart, size: Size): Drawing {
  const rows = chart.rows.filter(isDrawable).map((row, y): Drawn => {
    const written = plain(row.text ?? valueWithInterval(row, chart.unit));
    const name = plain(row.label);
    const hint = `${name}: ${written}${row.zone ? `, ${row.zone}` : ''}${row.lowerIsBetter ? ', lower is better' : ''}`;
    return { ...row, name, y, written, hint };
  });
  const ends = [
    ...rows.flatMap((row) => [row.value, row.low, row.high, row.target]),
    ...(chart.lines ?? []).map((line) => line.value),
  ];
  const domain = domainFromZero(
    ends.filter((end) => end !== undefined),
    chart.unit,
  );
  const layout = layoutOf(chart, rows, size);
  const axis = ticksOf(domain, chart.unit, 5);
  return drawing(chart.title, {
    ...layout.frame,
    x: { domain: [...domain] },
    y: { domain: [rows.length - 0.5, -0.5], axis: null },
    marks: [
      gridX(axis.values, { stroke: COLOUR.grid, strokeOpacity: 1 }),
      axisX(axis.values, { tickFormat: axis.text, tickSize: 0, fill: COLOUR.soft, label: null }),
      ...lineMarks(chart, domain),
      ...rowMarks(rows, size.narrow ? NARROW_ROW : WIDE_ROW),
      ...layout.labels(domain),
      legendMark(legendOf(rows), size),
    ],
  });
}

function isDrawable({ value, low, high }: IntervalsChart['rows'][number]): boolean {
  return [value, low ?? value, high ?? value].every(drawable);
}

type Layout = {
  readonly frame: {
    width: number;
    height: number;
    marginLeft: number;
    marginRight: number;
    marginTop: number;
    marginBottom: number;
  };
  readonly labels: (domain: Domain) => Markish[];
};

function layoutOf(chart: IntervalsChart, rows: readonly Drawn[], size: Size): Layout {
  const { width, narrow } = size;
  const marginTop = chart.lines?.length ? 28 : 8;
  const marginBottom = legendOf(rows) === '' ? 28 : 48;
  const height = rows.length * (narrow ? NARROW_ROW : WIDE_ROW) + marginTop + marginBottom;
  const widest = Math.max(0, ...rows.map((row) => pixelsOf(row.written)));
  if (narrow) {
    return {
      frame: { width, height, marginTop, marginBottom, marginLeft: 12, marginRight: 12 },
      labels: ([from, to]) => [
        nameMark(rows, width - widest - 32, { x: () => from, dx: -8, dy: -19, textAnchor: 'start' }),
        valueMark(rows, { x: () => to, dx: 8, dy: -19, textAnchor: 'end' }),
      ],
    };
  }
  const marginLeft = Math.min(250, Math.max(60, ...rows.map((row) => pixelsOf(row.name) + 42)));
  return {
    frame: { width, height, marginTop, marginBottom, marginLeft, marginRight: Math.max(40, widest + 24) },
    labels: ([from, to]) => [
      nameMark(rows, marginLeft - 24, { x: () => from, dx: -16, textAnchor: 'end' }),
      valueMark(rows, { x: () => to, dx: 16, textAnchor: 'start' }),
    ],
  };
}

type Place = { x: () => number; dx: number; dy?: number; textAnchor: 'start' | 'end' };

function nameMark(rows: readonly Drawn[], room: number, place: Place): Markish {
  return text(rows, {
    ...place,
    y: 'y',
    text: (row: Drawn) => named(row, room),
    title: 'hint',
    fill: COLOUR.ink,
  });
}

function valueMark(rows: readonly Drawn[], place: Place): Markish {
  return text(rows, {
    ...place,
    y: 'y',
    text: 'written',
    title: 'hint',
    fill: COLOUR.ink,
    fontVariant: 'tabular-nums',
  });
}

function rowMarks(rows: readonly Drawn[], rowHeight: number): Markish[] {
  const upright = (pixels: number) => ({
    y1: (row: Drawn) => row.y - pixels / rowHeight,
    y2: (row: Drawn) => row.y + pixels / rowHeight,
  });
  const withInterval = rows.filter((row) => row.low !== undefined && row.high !== undefined);
  const colour = (row: Drawn) => zoneColour(row.zone);
  return [
    ruleY(withInterval, {
      x1: 'low',
      x2: 'high',
      y: 'y',
      stroke: colour,
      strokeWidth: 3,
      strokeOpacity: 0.5,
    }),
    ...(['low', 'high'] as const).map((end) =>
      ruleX(withInterval, { x: end, ...upright(4), stroke: colour, strokeWidth: 1.5 }),
    ),
    ruleX(
      rows.filter((row) => row.target !== undefined),
      { x: 'target', ...upright(8), stroke: COLOUR.ink, strokeWidth: 2 },
    ),
    ...ZONE_SHAPES.flatMap(({ zone, halo, options }) => {
      const place = { x: 'value', y: 'y', r: 5.5 } as const;
      const own = rows.filter((row) => row.zone === zone);
      return [dot(own, { ...place, ...options, ...halo }), dot(own, { ...place, ...options })];
    }),
    // Wide and invisible: the tooltip of a thin line is hard to hit.
    ruleY(rows, {
      x1: (row: Drawn) => row.low ?? row.value,
      x2: (row: Drawn) => row.high ?? row.value,
      y: 'y',
      stroke: COLOUR.ink,
      strokeOpacity: 0,
      strokeWidth: 20,
      strokeLinecap: 'round',
      title: 'hint',
    }),
  ];
}

type Pen = { moveTo(x: number, y: number): void; lineTo(x: number, y: number): void };

const CHECK = {
  draw(pen: Pen, area: number): void {
    const r = Math.sqrt(area / Math.PI);
    pen.moveTo(-0.9 * r, 0.05 * r);
    pen.lineTo(-0.25 * r, 0.75 * r);
    pen.lineTo(0.95 * r, -0.75 * r);
  },
};

const CROSS = {
  draw(pen: Pen, area: number): void {
    const r = Math.sqrt(area / Math.PI) * 0.8;
    pen.moveTo(-r, -r);
    pen.lineTo(r, r);
    pen.moveTo(-r, r);
    pen.lineTo(r, -r);
  },
};

type Shape = {
  readonly zone: Zone | undefined;
  readonly halo: Record<string, unknown>;
  readonly options: Record<string, unknown>;
};

// A rim of paper lifts the shape off its interval without hiding where that ends.
const FILLED_HALO = { fill: COLOUR.paper, stroke: COLOUR.paper, strokeWidth: 3 };
const LINE_HALO = { stroke: COLOUR.paper, strokeWidth: 6 };

/** The same shapes that stand before the words: ● ✓ ▲ ✗. */
const ZONE_SHAPES: readonly Shape[] = [
  { zone: 'excellent', halo: FILLED_HALO, options: { fill: zoneColour('excellent') } },
  {
    zone: 'pass',
    halo: LINE_HALO,
    options: { symbol: CHECK, stroke: zoneColour('pass'), strokeWidth: 2.5, fill: 'none' },
  },
  {
    zone: 'below target',
    halo: FILLED_HALO,
    options: { symbol: 'triangle', fill: zoneColour('below target') },
  },
  {
    zone: 'fail',
    halo: LINE_HALO,
    options: { symbol: CROSS, stroke: zoneColour('fail'), strokeWidth: 2.5, fill: 'none' },
  },
  {
    zone: undefined,
    halo: FILLED_HALO,
    options: { stroke: zoneColour(undefined), strokeWidth: 2, fill: COLOUR.paper, r: 4.5 },
  },
];

function named(row: Drawn, pixels: number): string {
  return row.lowerIsBetter ? `${fitLabel(row.name, pixels - 14)} ↓` : fitLabel(row.name, pixels);
}

function lineMarks(chart: IntervalsChart, [from, to]: Domain): Markish[] {
  const lines = (chart.lines ?? []).filter((line) => line.value >= from && line.value <= to);
  return [
    ruleX(lines, { x: 'value', stroke: COLOUR.soft, strokeDasharray: '3,3' }),
    // At an end of the scale it is written inwards, not over the edge.
    ...(['start', 'middle', 'end'] as const).map((textAnchor) =>
      text(
        lines.filter(({ value }) => anchorAt((value - from) / (to - from)) === textAnchor),
        {
          x: 'value',
          frameAnchor: 'top',
          textAnchor,
          dx: textAnchor === 'start' ? -8 : textAnchor === 'end' ? 8 : 0,
          dy: -16,
          text: (line: { label: string }) => plain(line.label),
          fill: COLOUR.soft,
        },
      ),
    ),
  ];
}

function anchorAt(share: number): 'start' | 'middle' | 'end' {
  return share < 0.15 ? 'start' : share > 0.85 ? 'end' : 'middle';
}

function legendOf(rows: readonly Drawn[]): string {
  const parts = [
    ...(rows.some((row) => row.target !== undefined) ? ['┃ target'] : []),
    ...(rows.some((row) => row.lowerIsBetter) ? ['↓ lower is better'] : []),
  ];
  return parts.join('    ');
}

function legendMark(words: string, size: Size): Markish {
  const place = { frameAnchor: 'bottom-right', textAnchor: 'end', dy: 40, dx: size.narrow ? 8 : 0 } as const;
  return text(words === '' ? [] : [words], { ...place, fill: COLOUR.soft, text: (item: string) => item });
}
