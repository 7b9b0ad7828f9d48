import { areaY, axisX, axisY, dot, gridY, line, type Markish, ruleX, ruleY, text } from '@observablehq/plot';
import type { SeriesChart } from '../chart.ts';
import { valueWithInterval } from '../chart-table.ts';
import { formatDate, formatValue } from '../number.ts';
import { plain } from '../unsafe-text.ts';
import {
  COLOUR,
  type Domain,
  type Drawing,
  domainAround,
  domainFromZero,
  drawable,
  drawing,
  fitLabel,
  pixelsOf,
  type Size,
  seriesColour,
  seriesSymbol,
  spread,
  type Ticks,
  ticksOf,
} from './frame.ts';

type Point = {
  readonly time: Date;
  readonly value: number;
  readonly low?: number;
  readonly high?: number;
  readonly hint: string;
};
type Line = { readonly label: string; readonly index: number; readonly points: readonly Point[] };

/** Bold letters are wider. */
const BOLD = 1.08;
const HOUR_MS = 3_600_000;

/** Lines over time with their interval as a band; the end of each line says what it is. */
/** What is counted comes in wholes: between whole numbers there is no line, unless all of them lie there. */
function wholeTicks(ticks: Ticks, unit: SeriesChart['unit']): Ticks {
  const whole = ticks.values.filter(Number.isInteger);
  return unit === 'count' && whole.length > 1 ? { ...ticks, values: whole } : ticks;
}

export function seriesDrawing(chart: SeriesChart, size: Size): Drawing {
  const lines = linesOf(chart);
  const values = [
    ...lines.flatMap(({ points }) =>
      points.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value]),
    ),
    ...(chart.lines ?? []).map((item) => item.value),
  ];
  const around = values.length > 0 ? values : [0, 1];
  const domain = chart.fromZero ? domainFromZero(around, chart.unit) : domainAround(around, chart.unit);
  const axis = wholeTicks(ticksOf(domain, chart.unit, 5), chart.unit);
  const height = size.narrow ? 190 : 220;
  const frame = {
    // Names of moments stand above those of lines.
    marginTop: chart.marks === undefined || chart.marks.length === 0 ? 16 : 34,
    marginBottom: 36,
    // The first time stands in the middle below its tick.
    marginLeft: Math.max(
      pixelsOf(timeText(lines)(timeDomain(lines)[0])) / 2,
      ...axis.values.map((tick) => 14 + pixelsOf(axis.text(tick))),
    ),
  };
  const ends = endLabels(chart, lines, size);
  const marginRight = 18 + Math.max(20, ...ends.map((end) => pixelsOf(end.text) * BOLD));
  const times = timeTicks(lines, size.width - frame.marginLeft - marginRight);
  return drawing(chart.title, {
    width: size.width,
    height,
    ...frame,
    marginRight,
    x: { type: 'utc', domain: timeDomain(lines) },
    y: { domain: [...domain] },
    marks: [
      gridY(axis.values, { stroke: COLOUR.grid, strokeOpacity: 1 }),
      axisY(axis.values, {
        tickFormat: axis.text,
        tickSize: 0,
        fill: COLOUR.soft,
        label: null,
        fontVariant: 'tabular-nums',
      }),
      axisX(times, {
        tickFormat: timeText(lines),
        tickSize: 4,
        tickPadding: 7,
        fill: COLOUR.soft,
        stroke: COLOUR.line,
        label: null,
      }),
      ...referenceMarks(chart),
      ...momentMarks(chart, timeDomain(lines), size.width - frame.marginLeft - marginRight),
      ...lines.flatMap(lineMarks),
      ...endMarks(ends, lines, domain, height - frame.marginTop - frame.marginBottom),
    ],
  });
}

/** A point without a readable time has no place on the axis; the table under the chart still lists it. */
function linesOf(chart: SeriesChart): Line[] {
  return chart.series
    .map((series, index) => ({
      label: plain(series.label),
      index,
      points: series.points
        .filter(
          (point) =>
            !Number.isNaN(Date.parse(point.at)) &&
            [point.value, point.low ?? 0, point.high ?? 0].every(drawable),
        )
        .map((point): Point => {
          const hint = `${plain(series.label)}, ${formatDate(point.at)}: ${valueWithInterval(point, chart.unit)}`;
          const { low, high } = point;
          return {
            time: new Date(point.at),
            value: point.value,
            hint,
            low,
            high,
          };
        }),
    }))
    .filter(({ points }) => points.length > 0);
}

function timeDomain(lines: readonly Line[]): [Date, Date] {
  const times = lines.flatMap(({ points }) => points.map(({ time }) => time.getTime()));
  if (times.length === 0) return [new Date(0), new Date(HOUR_MS)];
  const [first, last] = [Math.min(...times), Math.max(...times)];
  return first === last
    ? [new Date(first - HOUR_MS), new Date(last + HOUR_MS)]
    : [new Date(first), new Date(last)];
}

const TWO_DAYS_MS = 48 * HOUR_MS;

/** Evenly spread, with both ends: the reader sees which time is covered. */
function timeTicks(lines: readonly Line[], pixels: number): Date[] {
  const [first, last] = timeDomain(lines).map((date) => date.getTime()) as [number, number];
  const steps = Math.min(4, Math.max(1, Math.floor(pixels / 100)));
  return Array.from({ length: steps + 1 }, (_, index) => new Date(first + ((last - first) * index) / steps));
}

function timeText(lines: readonly Line[]): (date: Date) => string {
  const [first, last] = timeDomain(lines);
  const short = last.getTime() - first.getTime() < TWO_DAYS_MS;
  return (date) =>
    short ? date.toISOString().slice(5, 16).replace('T', ' ') : date.toISOString().slice(0, 10);
}

function lineMarks({ points, index }: Line): Markish[] {
  const colour = seriesColour(index);
  const banded = points.filter(({ low, high }) => low !== undefined && high !== undefined);
  return [
    areaY(banded, { x: 'time', y1: 'low', y2: 'high', fill: colour, fillOpacity: 0.15 }),
    line(points, { x: 'time', y: 'value', stroke: colour, strokeWidth: 2 }),
    dot(points, {
      x: 'time',
      y: 'value',
      r: 3.5,
      symbol: seriesSymbol(index),
      fill: colour,
      stroke: COLOUR.paper,
      strokeWidth: 1,
      title: 'hint',
    }),
    dot(points, { x: 'time', y: 'value', r: 10, fill: colour, fillOpacity: 0, title: 'hint' }),
  ];
}

type EndLabel = {
  readonly text: string;
  readonly hint: string;
  readonly time: Date;
  readonly value: number;
  readonly index: number;
};

/** A single line is named by the title; several need their names. */
function endLabels(chart: SeriesChart, lines: readonly Line[], size: Size): EndLabel[] {
  return lines.flatMap(({ label, points, index }) => {
    const last = points.at(-1);
    if (last === undefined) return [];
    const value = formatValue(last.value, chart.unit);
    const written = lines.length > 1 ? `${fitLabel(label, size.narrow ? 80 : 170)} ${value}` : value;
    return [{ text: written, hint: last.hint, time: last.time, value: last.value, index }];
  });
}

function endMarks(
  ends: readonly EndLabel[],
  lines: readonly Line[],
  [from, to]: Domain,
  height: number,
): Markish[] {
  const right = timeDomain(lines)[1];
  const wanted = ends.map((end) => ((end.value - from) / (to - from)) * height);
  const placed = spread(wanted, 15, height);
  return ends.map((end, index) =>
    text([end], {
      x: () => right,
      y: () => from + ((placed[index] ?? 0) / height) * (to - from),
      dx: 10,
      textAnchor: 'start',
      text: 'text',
      title: 'hint',
      fill: seriesColour(end.index),
      fontWeight: 600,
      fontVariant: 'tabular-nums',
    }),
  );
}

/** Upright lines with a name above them; of names that would collide the later one is left to the hint. */
function momentMarks(chart: SeriesChart, [from, to]: [Date, Date], width: number): Markish[] {
  let free = Number.NEGATIVE_INFINITY;
  const marks = (chart.marks ?? []).flatMap(({ at, label, text: words }) => {
    const time = new Date(at);
    if (!(time >= from && time <= to)) return [];
    const name = fitLabel(label, 110, 11);
    const x = ((time.getTime() - from.getTime()) / (to.getTime() - from.getTime())) * width;
    const isLeft = x + pixelsOf(name, 11) > width;
    const start = isLeft ? x - pixelsOf(name, 11) : x;
    const fits = start >= free && start >= 0;
    if (fits) free = start + pixelsOf(name, 11) + 8;
    return [{ time, hint: `${formatDate(at)}: ${plain(words)}`, name: fits ? name : '', isLeft }];
  });
  const named = (isLeft: boolean) =>
    text(
      marks.filter((one) => one.isLeft === isLeft && one.name !== ''),
      {
        x: 'time',
        frameAnchor: 'top',
        dx: isLeft ? -3 : 3,
        dy: -24,
        textAnchor: isLeft ? 'end' : 'start',
        text: 'name',
        title: 'hint',
        fontSize: 11,
        fill: COLOUR.soft,
      },
    );
  return [
    ruleX(marks, { x: 'time', stroke: COLOUR.line, strokeDasharray: '2,3' }),
    ruleX(marks, { x: 'time', stroke: COLOUR.line, strokeWidth: 9, strokeOpacity: 0, title: 'hint' }),
    named(false),
    named(true),
  ];
}

function referenceMarks(chart: SeriesChart): Markish[] {
  const lines = chart.lines ?? [];
  return [
    ruleY(lines, { y: 'value', stroke: COLOUR.soft, strokeDasharray: '3,3' }),
    text(lines, {
      y: 'value',
      frameAnchor: 'left',
      dx: 4,
      dy: -8,
      textAnchor: 'start',
      text: (item: { label: string }) => plain(item.label),
      fill: COLOUR.soft,
      stroke: COLOUR.paper,
      strokeWidth: 3,
    }),
  ];
}
