import { axisX, axisY, dot, gridX, gridY, line, type Markish, ruleX, text } from '@observablehq/plot';
import type { ScatterChart } from '../chart.ts';
import { valueWithInterval } from '../chart-table.ts';
import { formatValue } from '../number.ts';
import { plain } from '../unsafe-text.ts';
import {
  COLOUR,
  type Domain,
  type Drawing,
  domainAround,
  drawable,
  drawing,
  fitLabel,
  pixelsOf,
  placeLabels,
  type Size,
  seriesColour,
  seriesSymbol,
  ticksOf,
} from './frame.ts';

type Drawn = ScatterChart['points'][number] & {
  readonly index: number;
  readonly hint: string;
  readonly short: string;
};

const MARGIN = { marginTop: 34, marginBottom: 48, marginRight: 20 };

/** Points with their interval upwards, named where the name finds room, and the line nothing beats. */
export function scatterDrawing(chart: ScatterChart, size: Size): Drawing {
  const groups = [...new Set(chart.points.map((point) => point.group ?? ''))];
  const points = chart.points
    .filter((point) => [point.x, point.y, point.low ?? 0, point.high ?? 0].every(drawable))
    .map(
      (point): Drawn => ({
        ...point,
        index: groups.indexOf(point.group ?? ''),
        short: fitLabel(point.label, 150),
        hint: hintOf(point, chart),
      }),
    );
  const dots = (chart.dots ?? []).filter(({ x, y }) => drawable(x) && drawable(y));
  // A logarithm needs positive values; without them the plain scale is the honest one.
  const log = chart.x.scale === 'log' && points.length > 0 && points.every((point) => point.x > 0);
  const xDomain = log
    ? logDomain([...points, ...dots].map((point) => point.x).filter((x) => x > 0))
    : domainAround(orUnit([...points, ...dots].map((point) => point.x)), chart.x.unit);
  const yDomain =
    chart.y.range ??
    domainAround(
      orUnit([...points.flatMap(({ y, low, high }) => [y, low ?? y, high ?? y]), ...dots.map(({ y }) => y)]),
      chart.y.unit,
    );
  const xTicks = log ? logTicks(xDomain, chart, size) : ticksOf(xDomain, chart.x.unit, size.narrow ? 4 : 7);
  const yTicks = ticksOf(yDomain, chart.y.unit, 5);
  const frame = {
    ...MARGIN,
    width: size.width,
    height: size.narrow ? 260 : 340,
    marginLeft: 14 + Math.max(...yTicks.values.map((tick) => pixelsOf(yTicks.text(tick)))),
  };
  return drawing(chart.title, {
    ...frame,
    x: { type: log ? 'log' : 'linear', domain: [...xDomain] },
    y: { domain: [...yDomain] },
    marks: [
      gridX(xTicks.values, { stroke: COLOUR.grid, strokeOpacity: 1 }),
      gridY(yTicks.values, { stroke: COLOUR.grid, strokeOpacity: 1 }),
      // `text`, not `tickFormat`: on a logarithmic scale the library would leave labels out.
      axisX(xTicks.values, { text: xTicks.text, tickSize: 0, fill: COLOUR.soft, label: null }),
      axisY(yTicks.values, { tickFormat: yTicks.text, tickSize: 0, fill: COLOUR.soft, label: null }),
      ...axisTitles(chart, size),
      dot(dots, { x: 'x', y: 'y', r: 2, fill: COLOUR.soft, fillOpacity: 0.35 }),
      ...(chart.frontier
        ? [line(chart.frontier, { x: 'x', y: 'y', stroke: COLOUR.soft, strokeDasharray: '4,3' })]
        : []),
      ...pointMarks(points, groups),
      ...labelMarks(points, xDomain, yDomain, log, frame),
    ],
  });
}

function hintOf(point: ScatterChart['points'][number], chart: ScatterChart): string {
  const y = valueWithInterval({ ...point, value: point.y }, chart.y.unit);
  return `${plain(point.label)}: ${plain(chart.x.label)} ${formatValue(point.x, chart.x.unit)}, ${plain(chart.y.label)} ${y}`;
}

function orUnit(values: readonly number[]): readonly number[] {
  return values.length > 0 ? values : [0, 1];
}

function logDomain(values: readonly number[]): Domain {
  return [Math.min(...values) / 1.5, Math.max(...values) * 1.5];
}

/** 1, 2, 5 of each power of ten, or the powers alone when the range is wide. */
function logTicks(
  [from, to]: Domain,
  chart: ScatterChart,
  size: Size,
): { values: number[]; text: (value: number) => string } {
  const powers = Array.from(
    { length: Math.ceil(Math.log10(to)) - Math.floor(Math.log10(from)) + 1 },
    (_, i) => Math.floor(Math.log10(from)) + i,
  );
  const factors = powers.length > (size.narrow ? 2 : 4) ? [1] : [1, 2, 5];
  const values = powers
    .flatMap((power) => factors.map((factor) => factor * 10 ** power))
    .filter((value) => value >= from && value <= to);
  return {
    values,
    text: (value) =>
      formatValue(Number(value.toPrecision(3)), chart.x.unit).replace(/(\.00\d*?[1-9])0+$/, '$1'),
  };
}

function axisTitles(chart: ScatterChart, size: Size): Markish[] {
  const room = size.width - 40;
  return [
    text([fitLabel(chart.y.label, room)], {
      frameAnchor: 'top-left',
      dx: -8,
      dy: -28,
      textAnchor: 'start',
      fill: COLOUR.soft,
      text: (words: string) => `↑ ${words}`,
    }),
    text([fitLabel(chart.x.label, room)], {
      frameAnchor: 'bottom-right',
      dy: 40,
      textAnchor: 'end',
      fill: COLOUR.soft,
      text: (words: string) => `${words} →`,
    }),
  ];
}

function pointMarks(points: readonly Drawn[], groups: readonly string[]): Markish[] {
  const withInterval = points.filter(({ low, high }) => low !== undefined && high !== undefined);
  return [
    ruleX(withInterval, {
      x: 'x',
      y1: 'low',
      y2: 'high',
      stroke: (point: Drawn) => seriesColour(point.index),
      strokeOpacity: 0.5,
      strokeWidth: 2,
    }),
    ...groups.map((_, index) =>
      dot(
        points.filter((point) => point.index === index),
        {
          x: 'x',
          y: 'y',
          r: 5,
          symbol: seriesSymbol(index),
          fill: seriesColour(index),
          stroke: COLOUR.paper,
          strokeWidth: 1,
          title: 'hint',
        },
      ),
    ),
  ];
}

function labelMarks(points: readonly Drawn[], x: Domain, y: Domain, log: boolean, frame: Frame): Markish[] {
  const width = frame.width - frame.marginLeft - frame.marginRight;
  const height = frame.height - frame.marginTop - frame.marginBottom;
  const share = (value: number, [from, to]: Domain) =>
    log ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);
  const anchors = points.map((point) => ({
    x: share(point.x, x) * width,
    y: (1 - (point.y - y[0]) / (y[1] - y[0])) * height,
    width: point.quiet === true ? 0 : pixelsOf(point.short, 11),
  }));
  return placeLabels(anchors, { width, height }).flatMap((place, index) => {
    const point = points[index];
    if (point === undefined || place === undefined || point.quiet === true) return [];
    return [
      text([point], {
        x: 'x',
        y: 'y',
        dx: place.dx,
        dy: place.dy,
        textAnchor: place.anchor,
        text: 'short',
        title: 'hint',
        fontSize: 11,
        fill: COLOUR.ink,
        stroke: COLOUR.paper,
        strokeWidth: 3,
      }),
    ];
  });
}

type Frame = {
  readonly width: number;
  readonly height: number;
  readonly marginLeft: number;
  readonly marginRight: number;
  readonly marginTop: number;
  readonly marginBottom: number;
};
