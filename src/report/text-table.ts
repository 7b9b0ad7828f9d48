/**
 * The tables of a document as words, before a format decides about lines, pipes or tags. Terminal, Markdown and HTML
 * share this wording; they differ in escaping and layout only.
 */
import type { JudgedMetric } from '../judge/verdict.ts';
import { ZONES, type Zone } from '../judge/zone.ts';
import type { Measurement, Unit } from '../measure/metric.ts';
import {
  formatCents,
  formatChange,
  formatCount,
  formatDate,
  formatDuration,
  formatInterval,
  formatJudged,
  formatMeasurement,
  formatPercent,
  formatPerUsd,
  formatPoints,
  formatRatio,
  formatScore,
  formatTokens,
  formatUsd,
  formatValue,
  UNMEASURED,
} from './number.ts';
import { plain } from './unsafe-text.ts';
import {
  type Cell,
  type CellUnit,
  type ChangesBlock,
  type Column,
  cellOf,
  type Fraction,
  type Graded,
  type MetricsBlock,
  type NamedValue,
  plainValue,
  type Spread,
  type TableBlock,
} from './view.ts';
import { changeTone, ERROR, ERROR_MARK, type Tone, tierMark, zoneMark } from './zone-mark.ts';

/** Already safe to show: control characters are visible. Markup is the format's own concern. */
export type TextCell = {
  readonly text: string;
  readonly tone?: Tone;
  /** Shown on demand where a format can: why a value is missing. */
  readonly hint?: string;
  /** What a page sorts by; absent where nothing was measured. */
  readonly sort?: string | number;
  /** Its position on a scale from 0 to 1, for formats that can draw it. */
  readonly span?: DrawnSpan;
};

export type DrawnSpan = {
  readonly at: number;
  readonly low?: number;
  readonly high?: number;
  /** Where it should be. */
  readonly target?: number;
};

export type TextColumn = {
  readonly title: string;
  /** `point`: numbers, aligned at the decimal point. */
  readonly align: 'start' | 'point';
  /** How a cell that does not fit is cut; a column without it is never cut. */
  readonly shorten?: 'middle' | 'end';
  /** Narrow screens lose the columns with the highest number first; a column without it always stays. */
  readonly priority?: number;
  /** Cut shorter than this, a cell says too little. */
  readonly min?: number;
  /** And it takes no more room than this. */
  readonly max?: number;
  /** A terminal writes it below the row. */
  readonly below?: true;
};

export type TextTable = {
  readonly title: string;
  readonly columns: readonly TextColumn[];
  readonly rows: readonly (readonly TextCell[])[];
  readonly limit?: number;
  readonly folded?: boolean;
  /** How many more rows there are, which the format does not show. */
  readonly beyond?: number;
};

export function metricsTable(block: MetricsBlock, options: { readonly pooled?: boolean } = {}): TextTable {
  const { metrics } = block;
  const withPooled =
    options.pooled !== false &&
    metrics.some((metric) => metric.measurement.measured && metric.measurement.pooled !== undefined);
  const withInterval = metrics.some(
    (metric) => metric.measurement.measured && metric.measurement.low !== undefined,
  );
  const withChange = metrics.some((metric) => metric.change !== undefined);
  const withOwn = metrics.some((metric) => metric.documented !== undefined);
  return withoutAbsent({
    title: block.title,
    columns: [
      { title: 'metric', align: 'start', shorten: 'middle' },
      { title: 'value', align: 'point' },
      // The most important columns come first: a phone shows three without scrolling.
      { title: 'zone', align: 'start' },
      withOwn && { title: 'yours (documented)', align: 'start' },
      withChange && { title: 'change', align: 'point', priority: 1 },
      withInterval && { title: '95% interval', align: 'start', priority: 3 },
      { title: 'n', align: 'point', priority: 2 },
      withPooled && { title: 'pooled', align: 'point', priority: 4 },
    ],
    rows: metrics.map((metric) => [
      { text: plain(metric.title) },
      valueCell(metric),
      zoneCell(metric),
      withOwn && { text: ownLine(metric), tone: 'quiet' },
      withChange && changeCell(metric),
      withInterval && { text: intervalOf(metric), tone: 'quiet', ...metricSpan(metric) },
      { text: metric.measurement.measured ? formatCount(metric.measurement.n) : UNMEASURED, tone: 'quiet' },
      withPooled && { text: pooledOf(metric), tone: 'quiet' },
    ]),
  });
}

/** `below 80% (60%)`: the user's own fail line, and the documented one. */
function ownLine({ zones, documented, better, unit }: JudgedMetric): string {
  if (zones === undefined || documented === undefined) return '';
  const side = better === 'higher' ? 'below' : 'above';
  const theirs = documented === null ? 'none' : formatValue(documented.fail, unit);
  return `${side} ${formatValue(zones.fail, unit)} (${theirs})`;
}

export function changesTable(block: ChangesBlock): TextTable {
  const metrics = block.metrics.filter((metric) => metric.change !== undefined);
  const paired = metrics.some((metric) => metric.change?.paired !== undefined);
  return withoutAbsent({
    title: block.title,
    columns: [
      { title: 'metric', align: 'start', shorten: 'middle' },
      { title: 'before', align: 'point', priority: 2 },
      { title: 'now', align: 'point', priority: 1 },
      { title: 'zone', align: 'start', priority: 3 },
      { title: 'change', align: 'point' },
      { title: 'judged', align: 'start' },
      paired && { title: 'by case', align: 'start', priority: 4 },
      paired && { title: '95% interval', align: 'start', priority: 5 },
    ],
    rows: metrics.map((metric) => [
      { text: plain(metric.title) },
      { text: metric.change ? formatMeasurement(metric.change.baseline, metric.unit) : UNMEASURED },
      valueCell(metric),
      zoneCell(metric),
      changeCell(metric),
      metric.change ? { text: metric.change.size, tone: changeTone(metric.change.size) } : { text: '' },
      paired && { text: metric.change?.paired?.verdict ?? UNMEASURED, tone: 'quiet' },
      paired && { text: pairedInterval(metric), tone: 'quiet' },
    ]),
  });
}

/** Turned around with the sign of the change where lower is better, so that both read the same way. */
function pairedInterval(metric: JudgedMetric): string {
  const { low, high } = metric.change?.paired ?? {};
  if (low === undefined || high === undefined) return UNMEASURED;
  const ends = [low, high].map((end) =>
    formatChange(end, metric.unit, metric.better).replace(/ points$/, ''),
  );
  return `[${(metric.better === 'higher' ? ends : ends.toReversed()).join(', ')}]`;
}

/** `most`: the number of rows to format; further rows would take memory and are not shown. */
export function textTable(block: TableBlock, most = block.rows.length): TextTable {
  const beyond = Math.max(0, block.rows.length - most);
  return {
    title: block.title,
    columns: block.columns.map(textColumn),
    rows: (beyond === 0 ? block.rows : block.rows.slice(0, most)).map((row) =>
      block.columns.map((column) => ({
        ...cellText(cellOf(row, column.key), column.unit),
        ...sortOf(cellOf(row, column.key)),
        ...(column.drawn && drawnOf(cellOf(row, column.key))),
      })),
    ),
    ...(block.limit !== undefined && { limit: block.limit }),
    ...(block.folded !== undefined && { folded: block.folded }),
    ...(beyond > 0 && { beyond }),
  };
}

function sortOf(cell: Cell): Pick<TextCell, 'sort'> {
  const value = plainValue(cell);
  return value === undefined ? {} : { sort: value };
}

function drawnOf(cell: Cell): Pick<TextCell, 'span'> {
  if (typeof cell === 'object' && 'measured' in cell) return spanOf(cell, 'score');
  const value = typeof cell === 'object' && 'score' in cell ? cell.score : cell;
  return typeof value === 'number' ? spanOf({ measured: true, value, n: 1 }, 'score') : {};
}

function metricSpan({ measurement, unit, zones }: JudgedMetric): Pick<TextCell, 'span'> {
  const { span } = spanOf(measurement, unit);
  if (span === undefined) return {};
  const target = zones === undefined ? undefined : zones.target / (unit === 'percent' ? 100 : 1);
  return { span: { low: span.at, high: span.at, ...span, ...(target !== undefined && { target }) } };
}

/** Only shares and scores have a whole that they are seen against. */
export function spanOf(measurement: Measurement, unit: Unit): Pick<TextCell, 'span'> {
  if (!measurement.measured || !(unit === 'ratio' || unit === 'score' || unit === 'percent')) return {};
  const scale = unit === 'percent' ? 100 : 1;
  const [at, low, high] = [measurement.value, measurement.low, measurement.high].map((end) =>
    end === undefined ? undefined : end / scale,
  );
  if (at === undefined || at < 0 || at > 1) return {};
  return { span: { at, ...(low !== undefined && high !== undefined && { low, high }) } };
}

/** The first column names the row and stays; of the others the rightmost give way first. */
function textColumn(column: Column, index: number): TextColumn {
  const stays = index === 0 || column.unit === 'zone';
  return {
    title: plain(column.title),
    align: isWords(column.unit) ? 'start' : 'point',
    ...(column.unit === 'text' && { shorten: 'end' as const }),
    ...(column.unit === 'name' && { shorten: 'middle' as const }),
    ...(!stays && { priority: column.priority ?? index }),
    ...(column.min !== undefined && { min: column.min }),
    ...(column.max !== undefined && { max: column.max }),
    ...(column.below && { below: column.below }),
  };
}

const WORDS = ['text', 'name', 'id', 'time', 'day', 'zone'] as const satisfies readonly CellUnit[];

type NumberStyle = Exclude<CellUnit, (typeof WORDS)[number]>;

function isWords(unit: CellUnit): unit is (typeof WORDS)[number] {
  return WORDS.some((words) => words === unit);
}

const NUMBER_STYLES: Readonly<Record<NumberStyle, (value: number) => string>> = {
  count: formatCount,
  ratio: formatRatio,
  percent: formatPercent,
  score: formatScore,
  usd: formatUsd,
  cents: formatCents,
  'duration-ms': formatDuration,
  tokens: formatTokens,
  points: formatPoints,
  signed: (value) => formatPoints(value).replace(' points', ''),
  times: (value) => `${formatCount(value)}×`,
  'per-usd': formatPerUsd,
  'per-1k-tokens': (value) => formatValue(value, 'points-per-1k-tokens'),
  difference: (value) => `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(2)}`,
  'p-value': (value) => (value < 0.001 ? 'p < 0.001' : value.toFixed(3)),
};

const NOTHING: TextCell = { text: UNMEASURED, tone: 'quiet' };

export function cellText(cell: Cell, unit: CellUnit): TextCell {
  if (unit === 'zone') return zoneText(cell);
  if (cell === undefined) return NOTHING;
  if (typeof cell === 'number') return { text: numberText(cell, unit) };
  if (typeof cell === 'string') return { text: wordText(cell, unit) };
  if ('measured' in cell) return measurementText(cell, unit);
  if ('unit' in cell) return zonedText(cellText(cell.value, cell.unit), cell.zone);
  if ('of' in cell) return { text: fractionText(cell) };
  if ('sd' in cell) return spreadText(cell);
  if ('now' in cell) {
    const [before, now] = [cell.before, cell.now].map((side) => measurementText(side, unit).text);
    return { text: `${before} → ${now}` };
  }
  if ('tier' in cell) return gradedText(cell);
  if ('from' in cell) return { text: `${formatCount(cell.from)}–${formatCount(cell.to)}` };
  return { text: cell.map(partText).join(', ') };
}

/** `Concept recall 62.5%`, `dr 3×` */
function partText(part: string | NamedValue | JudgedMetric): string {
  if (typeof part === 'string') return plain(part);
  if ('name' in part) return `${plain(part.name)} ${cellText(part.value, part.unit).text}`;
  return `${plain(part.title)} ${formatJudged(part)}`;
}

/** `✗ 2.5/4*` */
export function fractionText({ count, of, mark, few = false }: Fraction): string {
  return `${mark === undefined ? '' : `${mark} `}${Number.isInteger(count) ? formatCount(count) : Number(count.toFixed(2))}/${formatCount(of)}${few ? '*' : ''}`;
}

function spreadText({ mean, sd }: Spread): TextCell {
  if (!mean.measured) return { ...NOTHING, hint: plain(mean.reason) };
  return { text: `${mean.value.toFixed(0)}${sd.measured ? `±${sd.value.toFixed(0)}` : ''}` };
}

/** `✓ 0.81` */
function gradedText({ score, tier }: Graded): TextCell {
  if (score === undefined) return NOTHING;
  const { mark, tone } = tierMark(tier);
  return { text: `${mark} ${formatScore(score)}`, tone };
}

/** The mark of the zone comes before the value: `✓ 72.4%`. */
function zonedText(cell: TextCell, zone: Zone | undefined): TextCell {
  if (zone === undefined || cell.text === UNMEASURED) return cell;
  const { text, tone } = zoneMark(zone);
  return { ...cell, text: `${text.split(' ')[0]} ${cell.text}`, tone };
}

function numberText(value: number, unit: CellUnit): string {
  return isWords(unit) ? String(value) : NUMBER_STYLES[unit](value);
}

const DAY_LENGTH = '2026-11-14'.length;
const ID_LENGTH = 8;
/** Short ids differ at the end as often as at the beginning. */
const SHORT_ID_LENGTH = 12;

function wordText(text: string, unit: CellUnit): string {
  if (unit === 'id') return plain(text.length <= SHORT_ID_LENGTH ? text : text.slice(0, ID_LENGTH));
  if (unit === 'day') return plain(formatDate(text).slice(0, DAY_LENGTH));
  return plain(unit === 'time' ? formatDate(text).replace(/ UTC$/, '') : text);
}

/** The interval is in the cell of its value; the reason for a gap is shown where a format can. */
function measurementText(measurement: Measurement, unit: CellUnit): TextCell {
  if (!measurement.measured) return { ...NOTHING, hint: plain(measurement.reason) };
  const { value, low, high } = measurement;
  const text = numberText(value, unit);
  if (low === undefined || high === undefined) return { text };
  return { text: `${text} [${numberText(low, unit)}, ${numberText(high, unit)}]` };
}

function zoneText(cell: Cell): TextCell {
  if (cell === ERROR) return ERROR_MARK;
  return isZone(cell) || cell === undefined ? zoneMark(cell) : { text: plain(String(cell)) };
}

function isZone(cell: Cell): cell is Zone {
  return ZONES.some((zone) => zone === cell);
}

/** The style of a column that holds values of one unit. */
export function styleOf(unit: Unit): CellUnit {
  if (unit === 'ms') return 'duration-ms';
  return unit === 'points-per-1k-tokens' ? 'per-1k-tokens' : unit;
}

function valueCell(metric: JudgedMetric): TextCell {
  const { measurement } = metric;
  if (measurement.measured) return { text: formatJudged(metric), sort: measurement.value };
  return { text: UNMEASURED, tone: 'quiet', hint: plain(measurement.reason) };
}

function intervalOf(metric: JudgedMetric): string {
  const { measurement, unit } = metric;
  return measurement.measured
    ? formatInterval(measurement.low, measurement.high, unit) || UNMEASURED
    : UNMEASURED;
}

/** A mean of composites has no pooled value; that is no gap. */
function pooledOf({ measurement, unit }: JudgedMetric): string {
  if (!measurement.measured) return UNMEASURED;
  return measurement.pooled === undefined ? '' : formatValue(measurement.pooled, unit);
}

/** Measured without lines to judge by is not unmeasured. */
function zoneCell(metric: JudgedMetric): TextCell {
  if (metric.zone === undefined && metric.measurement.measured) return { text: 'no target', tone: 'quiet' };
  return zoneMark(metric.zone);
}

function changeCell(metric: JudgedMetric): TextCell {
  const { change } = metric;
  if (change?.points === undefined) return { text: UNMEASURED, tone: 'quiet' };
  return { text: formatChange(change.points, metric.unit, metric.better), tone: changeTone(change.size) };
}

type Maybe<T> = T | false;

/** Drops empty columns; cells follow their column. */
function withoutAbsent(table: {
  readonly title: string;
  readonly columns: readonly Maybe<TextColumn>[];
  readonly rows: readonly (readonly Maybe<TextCell>[])[];
}): TextTable {
  const present = <T>(items: readonly Maybe<T>[]): T[] => items.filter((item): item is T => item !== false);
  return { title: table.title, columns: present(table.columns), rows: table.rows.map((row) => present(row)) };
}
