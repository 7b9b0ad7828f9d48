/** Charts a terminal can draw with letters; the others become their table of values. */
import type { Chart, HistogramChart, IntervalsChart, SeriesChart } from './chart.ts';
import { chartTable, valueWithInterval } from './chart-table.ts';
import { formatCount, formatValue, UNMEASURED } from './number.ts';
import { sparkline } from './text.ts';
import type { TextColumn, TextTable } from './text-table.ts';
import { plain } from './unsafe-text.ts';
import { zoneMark } from './zone-mark.ts';

const PICTURE_WIDTH = 24;

const LABEL: TextColumn = { title: '', align: 'start', shorten: 'middle' };
const PICTURE: TextColumn = { title: '', align: 'start', priority: 1 };

export function terminalChart(chart: Chart): TextTable {
  switch (chart.kind) {
    case 'intervals':
      return intervals(chart);
    case 'series':
      return series(chart);
    case 'histogram':
      return histogram(chart);
    default:
      return chartTable(chart);
  }
}

function intervals(chart: IntervalsChart): TextTable {
  const [from, to] = scaleOf(chart);
  return {
    title: plain(chart.title),
    columns: [LABEL, PICTURE, { title: '', align: 'start' }],
    rows: chart.rows.map((row) => {
      const zone = row.zone === undefined ? { text: '•', tone: 'quiet' as const } : zoneMark(row.zone);
      return [
        { text: plain(row.lowerIsBetter ? `${row.label} ↓` : row.label) },
        { text: whisker(row, from, to, [...zone.text][0] ?? '•'), tone: zone.tone },
        { text: plain(row.text ?? valueWithInterval(row, chart.unit)) },
      ];
    }),
  };
}

/** Shares are always seen against the whole; other units against zero. */
function scaleOf(chart: IntervalsChart): [number, number] {
  if (chart.unit === 'ratio' || chart.unit === 'score') return [0, 1];
  if (chart.unit === 'percent') return [0, 100];
  const ends = chart.rows.flatMap((row) => [row.value, row.low ?? row.value, row.high ?? row.value]);
  return [Math.min(0, ...ends), Math.max(0, ...ends)];
}

/** `    ├──●───┤   `: the shape in the middle is the zone's. */
function whisker(row: IntervalsChart['rows'][number], from: number, to: number, shape: string): string {
  const at = (value: number) => {
    const share = to === from ? 0 : (value - from) / (to - from);
    return Math.round(Math.min(1, Math.max(0, share)) * (PICTURE_WIDTH - 1));
  };
  const low = at(row.low ?? row.value);
  const high = at(row.high ?? row.value);
  return Array.from({ length: PICTURE_WIDTH }, (_, column) => {
    if (column === at(row.value)) return shape;
    if (column < low || column > high) return ' ';
    return column === low ? '├' : column === high ? '┤' : '─';
  }).join('');
}

function series(chart: SeriesChart): TextTable {
  return {
    title: plain(chart.title),
    columns: [LABEL, PICTURE, { title: '', align: 'start' }],
    rows: chart.series.map(({ label, points }) => {
      const [first, last] = [points[0], points.at(-1)];
      const ends =
        first && last
          ? `${formatValue(first.value, chart.unit)} → ${formatValue(last.value, chart.unit)}`
          : UNMEASURED;
      const line = sparkline(
        points.map((point) => point.value),
        PICTURE_WIDTH,
      );
      return [{ text: plain(label) }, { text: line, tone: 'excellent' as const }, { text: ends }];
    }),
  };
}

function histogram(chart: HistogramChart): TextTable {
  const most = chart.bins.reduce((highest, bin) => Math.max(highest, bin.count), 0);
  return {
    title: plain(chart.title),
    columns: [{ title: plain(chart.label), align: 'start' }, { title: 'count', align: 'point' }, PICTURE],
    rows: chart.bins.map((bin) => {
      const length = most === 0 ? 0 : (bin.count / most) * PICTURE_WIDTH;
      return [
        { text: `${formatValue(bin.from, chart.unit)} to ${formatValue(bin.to, chart.unit)}` },
        { text: formatCount(bin.count) },
        // What is not zero is seen, however small.
        { text: '█'.repeat(bin.count > 0 ? Math.max(1, Math.round(length)) : 0), tone: 'excellent' as const },
      ];
    }),
  };
}
