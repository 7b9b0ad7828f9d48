/** The exact values of a chart as a table: below the picture in HTML, in place of it in Markdown and the terminal. */
import type { Unit } from '../measure/metric.ts';
import type {
  Chart,
  EarnedChart,
  HeatmapChart,
  HistogramChart,
  IntervalsChart,
  ScatterChart,
  SeriesChart,
} from './chart.ts';
import { formatCount, formatDate, formatInterval, formatScore, formatValue, UNMEASURED } from './number.ts';
import { fractionText, type TextCell, type TextColumn, type TextTable } from './text-table.ts';
import { plain } from './unsafe-text.ts';
import { zoneMark } from './zone-mark.ts';

export function chartTable(chart: Chart): TextTable {
  switch (chart.kind) {
    case 'intervals':
      return intervalsTable(chart);
    case 'series':
      return seriesTable(chart);
    case 'histogram':
      return histogramTable(chart);
    case 'scatter':
      return scatterTable(chart);
    case 'heatmap':
      return heatmapTable(chart);
    case 'earned':
      return earnedTable(chart);
  }
}

const NAME: TextColumn = { title: 'name', align: 'start', shorten: 'middle' };

function intervalsTable(chart: IntervalsChart): TextTable {
  const judged = chart.rows.some((row) => row.zone !== undefined);
  return {
    title: plain(chart.title),
    columns: [
      NAME,
      { title: 'value', align: 'start' },
      ...(judged ? [{ title: 'zone', align: 'start', priority: 1 } as const] : []),
    ],
    rows: chart.rows.map((row) => [
      { text: plain(row.lowerIsBetter ? `${row.label} (lower is better)` : row.label) },
      { text: plain(row.text ?? valueWithInterval(row, chart.unit)) },
      ...(judged ? [row.zone === undefined ? { text: '' } : zoneMark(row.zone)] : []),
    ]),
  };
}

/** `72.4% [68.1, 76.2]` */
export function valueWithInterval(
  row: { readonly value: number; readonly low?: number; readonly high?: number },
  unit: Unit,
): string {
  return [formatValue(row.value, unit), formatInterval(row.low, row.high, unit)]
    .filter((part) => part !== '')
    .join(' ');
}

function seriesTable(chart: SeriesChart): TextTable {
  const several = chart.series.length > 1;
  return {
    title: plain(chart.title),
    columns: [
      ...(several ? [{ ...NAME, title: 'series' }] : []),
      { title: 'when', align: 'start' },
      { title: 'value', align: 'point' },
    ],
    rows: chart.series.flatMap((series) =>
      series.points.map((point) => [
        ...(several ? [{ text: plain(series.label) }] : []),
        { text: plain(formatDate(point.at)) },
        { text: valueWithInterval(point, chart.unit) },
      ]),
    ),
  };
}

function histogramTable(chart: HistogramChart): TextTable {
  return {
    title: plain(chart.title),
    columns: [
      { title: plain(chart.label), align: 'start' },
      { title: 'count', align: 'point' },
    ],
    rows: chart.bins.map((bin) => [
      { text: `${formatValue(bin.from, chart.unit)} to ${formatValue(bin.to, chart.unit)}` },
      { text: formatCount(bin.count) },
    ]),
  };
}

function scatterTable(chart: ScatterChart): TextTable {
  const grouped = chart.points.some((point) => point.group !== undefined);
  const onFrontier = (point: { readonly x: number; readonly y: number }): boolean =>
    chart.frontier?.some((best) => best.x === point.x && best.y === point.y) ?? false;
  return {
    title: plain(chart.title),
    columns: [
      NAME,
      ...(grouped ? [{ title: 'group', align: 'start', shorten: 'end', priority: 2 } as const] : []),
      { title: plain(chart.x.label), align: 'point' },
      { title: plain(chart.y.label), align: 'point' },
      ...(chart.frontier ? [{ title: 'nothing beats it', align: 'start', priority: 1 } as const] : []),
    ],
    rows: chart.points.map((point): TextCell[] => [
      { text: plain(point.label) },
      ...(grouped ? [{ text: plain(point.group ?? UNMEASURED) }] : []),
      { text: formatValue(point.x, chart.x.unit) },
      { text: valueWithInterval({ ...point, value: point.y }, chart.y.unit) },
      ...(chart.frontier ? [{ text: onFrontier(point) ? 'yes' : '' }] : []),
    ]),
  };
}

function heatmapTable(chart: HeatmapChart): TextTable {
  const cells = new Map(chart.cells.map((cell) => [JSON.stringify([cell.row, cell.column]), cell]));
  return {
    title: plain(chart.title),
    columns: [
      { ...NAME, title: '' },
      ...chart.columns.map(
        (column, index): TextColumn => ({
          title: plain(column),
          align: 'start',
          shorten: 'end',
          priority: index + 1,
        }),
      ),
    ],
    rows: chart.rows.map((row) => [
      { text: plain(row) },
      ...chart.columns.map((column): TextCell => {
        const cell = cells.get(JSON.stringify([row, column]));
        return cell === undefined ? { text: UNMEASURED, tone: 'quiet' } : { text: plain(heatText(cell)) };
      }),
    ]),
  };
}

/** The text in a cell of a heatmap. */
export function heatText({
  text,
  fraction,
}: Pick<HeatmapChart['cells'][number], 'text' | 'fraction'>): string {
  return fraction === undefined ? (text ?? '') : fractionText(fraction);
}

function earnedTable(chart: EarnedChart): TextTable {
  return {
    title: plain(chart.title),
    columns: [NAME, { title: 'earned', align: 'start' }],
    rows: chart.parts.map((part) => [{ text: plain(part.label) }, { text: earnedText(part) }]),
  };
}

/** `0.07 of 0.15` */
export function earnedText({ weight, earned }: EarnedChart['parts'][number]): string {
  return earned === undefined ? 'unmeasured' : `${formatScore(earned)} of ${formatScore(weight)}`;
}
