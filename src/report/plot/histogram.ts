import { axisX, axisY, gridY, rectY, ruleY, text } from '@observablehq/plot';
import type { HistogramChart } from '../chart.ts';
import { formatCount, formatValue } from '../number.ts';
import { plain } from '../unsafe-text.ts';
import {
  COLOUR,
  type Drawing,
  domainFromZero,
  drawable,
  drawing,
  fitLabel,
  pixelsOf,
  type Size,
  seriesColour,
  ticksOf,
} from './frame.ts';

/** Bars start at zero and carry their count where it fits. */
export function histogramDrawing(chart: HistogramChart, size: Size): Drawing {
  const bins = chart.bins
    .filter((bin) => [bin.from, bin.to, bin.count].every(drawable))
    .map((bin) => ({
      ...bin,
      middle: (bin.from + bin.to) / 2,
      written: formatCount(bin.count),
      hint: `${formatValue(bin.from, chart.unit)} to ${formatValue(bin.to, chart.unit)}: ${formatCount(bin.count)}`,
    }));
  const counts = domainFromZero(
    bins.map((bin) => bin.count),
    'count',
  );
  const edges = bins.flatMap((bin) => [bin.from, bin.to]);
  const range = edges.length === 0 ? ([0, 1] as const) : ([Math.min(...edges), Math.max(...edges)] as const);
  const up = ticksOf(counts, 'count', 4);
  const along = ticksOf(range, chart.unit, size.narrow ? 4 : 8);
  const marginLeft = 14 + Math.max(...up.values.map((tick) => pixelsOf(up.text(tick))));
  const barWidth = (size.width - marginLeft - 20) / Math.max(1, bins.length);
  const labelled = bins.filter((bin) => bin.count > 0 && pixelsOf(bin.written, 11) < barWidth + 4);
  return drawing(chart.title, {
    width: size.width,
    height: size.narrow ? 200 : 230,
    marginTop: 20,
    marginBottom: 44,
    marginLeft,
    marginRight: 20,
    x: { domain: [...range] },
    y: { domain: [...counts] },
    marks: [
      gridY(up.values, { stroke: COLOUR.grid, strokeOpacity: 1 }),
      axisY(up.values, { tickFormat: up.text, tickSize: 0, fill: COLOUR.soft, label: null }),
      axisX(along.values, { tickFormat: along.text, tickSize: 0, fill: COLOUR.soft, label: null }),
      rectY(bins, {
        x1: 'from',
        x2: 'to',
        y: 'count',
        fill: seriesColour(0),
        inset: 0.5,
        insetBottom: 0,
        title: 'hint',
      }),
      ruleY([0], { stroke: COLOUR.soft }),
      text(labelled, {
        x: 'middle',
        y: 'count',
        dy: -8,
        text: 'written',
        fill: COLOUR.ink,
        fontSize: 11,
        title: 'hint',
      }),
      text([fitLabel(plain(chart.label), size.width - 40)], {
        frameAnchor: 'bottom',
        dy: 38,
        fill: COLOUR.soft,
        text: (words: string) => words,
      }),
    ],
  });
}
