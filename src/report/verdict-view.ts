import type { ChangeSize } from '../judge/compare.ts';
import type { Check, OwnStandard } from '../judge/gate.ts';
import type { Trend } from '../judge/trend.ts';
import type { JudgedCase, JudgedMetric, Verdict } from '../judge/verdict.ts';
import { TOLERANCE, type Zone } from '../judge/zone.ts';
import { metricKey } from '../measure/metric.ts';
import type { IntervalsChart, SeriesChart } from './chart.ts';
import { valueWithInterval } from './chart-table.ts';
import { metricTiles } from './metric-page.ts';
import { formatAmount, formatCount, formatDate, formatJudged, formatRatio } from './number.ts';
import { inWords } from './text.ts';
import { styleOf } from './text-table.ts';
import {
  type Block,
  type Cell,
  type ChartBlock,
  type Column,
  cellOf,
  type Row,
  type TableBlock,
  type View,
} from './view.ts';
import { ERROR, outcomeMark, zoneMark } from './zone-mark.ts';

/** How many reasons the answer names; a third one is read in the list below it. */
const REASONS_IN_ANSWER = 2;
const ATTENTION_LIMIT = 10;

/** Everything a person reads about one run: the answer, the evidence, how to go on. */
export function verdictView(verdict: Verdict, next: View['next'] = []): View {
  const changes = changesBlocks(verdict);
  return {
    title: `${verdict.instrument} · ${verdict.subject}`,
    verdict: verdict.gate.verdict,
    ...qualifierOf(verdict),
    answer: answerOf(verdict),
    tiles: metricTiles(verdict.metrics),
    blocks: [
      ...alsoBlock(verdict),
      // What changed holds the values too: a screen shows them once.
      { kind: 'metrics', title: 'Metrics', metrics: verdict.metrics, folded: changes.length > 0 },
      ...intervalsBlock(verdict.metrics),
      ...changes,
      ...attentionBlock(verdict.cases),
      ...trendBlocks(verdict.trends, changes.length > 0),
      ...allCasesBlock(verdict),
    ],
    notes: notesOf(verdict),
    next,
  };
}

/** What a verdict over the whole would hide: a mean passes where a case failed. */
function qualifierOf({ cases, standard }: Verdict): Pick<View, 'qualifier'> {
  const failed = cases.filter((one) => one.failed === true).length;
  const qualifier = [
    ...(standard === undefined ? [] : [ownWords(standard)]),
    ...(failed === 0 ? [] : [`${formatAmount(failed, 'case')} failed`]),
  ];
  return qualifier.length === 0 ? {} : { qualifier: qualifier.join(', ') };
}

/** What is not looked at is said with the verdict itself. */
function ownWords({ leftOut }: OwnStandard): string {
  return `by your standard${leftOut.length === 0 ? '' : ` without ${inWords(leftOut)}`}`;
}

function answerOf(verdict: Verdict): string {
  const reasons = decisiveReasons(verdict);
  if (verdict.gate.verdict === 'passed') {
    const summary = `${targetSummary(verdict.metrics)}.`;
    if (reasons.length === 0) return summary;
    return `${summary} ${formatAmount(reasons.length, 'warning')}: ${firstReasons(reasons)}.`;
  }
  return reasons.length === 0 ? 'no reason was given.' : `${firstReasons(reasons)}.`;
}

/** The reasons of the checks that made the verdict; the gate's own where no check did. */
function decisiveReasons(verdict: Verdict): readonly string[] {
  const { gate } = verdict;
  if (gate.verdict === 'could not run') return gate.reasons;
  const reasons = reasonsOf(verdict, gate.verdict === 'passed' ? 'warning' : gate.verdict);
  return reasons.length > 0 || gate.verdict === 'passed' ? reasons : gate.reasons;
}

function reasonsOf(verdict: Verdict, outcome: Check['outcome']): string[] {
  return verdict.gate.checks.filter((check) => check.outcome === outcome).map((check) => check.reason);
}

function firstReasons(reasons: readonly string[]): string {
  const more = reasons.length - REASONS_IN_ANSWER;
  const first = reasons
    .slice(0, REASONS_IN_ANSWER)
    .map((reason) => reason.replace(/(?<![.;\s])[.;\s]+$/, ''));
  return more > 0 ? `${first.join('; ')}; and ${formatAmount(more, 'more reason')}` : first.join('; ');
}

/** `5 of 7 metrics meet their target`: unmeasured ones and those without a target are not counted. */
function targetSummary(metrics: readonly JudgedMetric[]): string {
  const judged = metrics.filter((metric) => metric.zone !== undefined);
  const met = judged.filter((metric) => metric.zone === 'pass' || metric.zone === 'excellent');
  if (judged.length === 0) return 'no metric has a target';
  if (met.length < judged.length) return `${met.length} of ${judged.length} metrics meet their target`;
  return judged.length === 1
    ? 'the metric meets its target'
    : `all ${judged.length} metrics meet their target`;
}

/** Worst first, so that a cut list loses the least. */
const OUTCOME_ORDER: readonly Check['outcome'][] = ['blocked', 'inconclusive', 'warning'];

/** What needs attention and is not in the answer. */
function alsoBlock(verdict: Verdict): Block[] {
  const open = OUTCOME_ORDER.flatMap((outcome) =>
    verdict.gate.checks.filter((check) => check.outcome === outcome),
  );
  const said = new Set(decisiveReasons(verdict).slice(0, REASONS_IN_ANSWER));
  const items = open.filter((check) => !said.has(check.reason));
  if (items.length === 0) return [];
  return [
    {
      kind: 'list',
      title: 'Also worth a look',
      items: items.map((check) => `${outcomeMark(check.outcome)}: ${check.reason}`),
    },
  ];
}

function intervalsBlock(metrics: readonly JudgedMetric[]): ChartBlock[] {
  const rows = metrics.flatMap((metric): IntervalsChart['rows'][number][] => {
    const { measurement, unit, zones, zone } = metric;
    if (!measurement.measured || (unit !== 'ratio' && unit !== 'score' && unit !== 'percent')) return [];
    const scale = unit === 'percent' ? 100 : 1;
    return [
      {
        label: metric.title,
        ...(metric.better === 'lower' && { lowerIsBetter: true }),
        value: measurement.value / scale,
        ...(measurement.low !== undefined && { low: measurement.low / scale }),
        ...(measurement.high !== undefined && { high: measurement.high / scale }),
        ...(zone !== undefined && { zone }),
        ...(zones !== undefined && { target: zones.target / scale }),
        text: valueWithInterval(measurement, unit),
      },
    ];
  });
  if (rows.length < 2) return [];
  return [
    {
      kind: 'chart',
      repeats: true,
      chart: { kind: 'intervals', title: intervalsTitle(metrics), unit: 'ratio', rows },
    },
  ];
}

function intervalsTitle(metrics: readonly JudgedMetric[]): string {
  const short = metrics.filter((metric) => metric.zone === 'fail' || metric.zone === 'below target');
  const [first] = short;
  if (first === undefined) return capitalised(targetSummary(metrics));
  const others = short.length - 1;
  return others === 0
    ? `${first.title} misses its target`
    : `${first.title} and ${formatAmount(others, 'more metric')} miss their target`;
}

const SIZE_ORDER: readonly ChangeSize[] = [
  'regression',
  'lost',
  'small regression',
  'improved',
  'unchanged',
  'not comparable',
];

/** What changed, worst first; what did not is one line. */
function changesBlocks(verdict: Verdict): Block[] {
  const { comparison } = verdict;
  if (comparison === undefined) return [];
  const metrics = verdict.metrics
    .map((metric) => {
      const change = Object.hasOwn(comparison.changes, metric.id)
        ? comparison.changes[metric.id]
        : metric.change;
      return change === undefined ? metric : { ...metric, change };
    })
    .filter((metric) => metric.change !== undefined)
    .toSorted((a, b) => rankOf(a.change?.size, SIZE_ORDER) - rankOf(b.change?.size, SIZE_ORDER));
  const { runId, at } = comparison.baseline;
  const changed = metrics.filter(({ change }) => change?.size !== 'unchanged');
  const unchanged = metrics.filter(({ change }) => change?.size === 'unchanged');
  const title = `Since baseline ${shortId(runId)} of ${formatDate(at)}`;
  return [
    ...(changed.length === 0 ? [] : [{ kind: 'changes' as const, title, metrics: changed }]),
    ...(unchanged.length === 0
      ? []
      : [
          {
            kind: 'list' as const,
            title: changed.length === 0 ? `${title}: nothing changed` : 'Unchanged',
            items: [unchangedWords(unchanged)],
          },
        ]),
  ];
}

/** The first eight characters identify a generated id; JSON has all. */
function shortId(id: string): string {
  return /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(id) ? id.slice(0, 8) : id;
}

function unchangedWords(metrics: readonly JudgedMetric[]): string {
  return metrics
    .map((metric) => {
      const misses = metric.zone === 'fail' || metric.zone === 'below target';
      return `${metric.title} ${formatJudged(metric)}${misses ? ` (${zoneMark(metric.zone).text})` : ''}`;
    })
    .join(', ');
}

function attentionBlock(cases: readonly JudgedCase[]): TableBlock[] {
  const rows = cases
    .filter(needsAttention)
    .toSorted((a, b) => severityOf(b) - severityOf(a))
    .map(
      (item): Row => ({
        case: item.id,
        zone: item.error === undefined ? item.zone : ERROR,
        why: whyOf(item),
      }),
    );
  if (rows.length === 0) return [];
  return [
    {
      kind: 'table',
      title: 'Cases that need attention',
      columns: [
        { key: 'case', title: 'case', unit: 'name' },
        { key: 'zone', title: 'zone', unit: 'zone' },
        { key: 'why', title: 'why', unit: 'text' },
      ],
      rows,
      limit: ATTENTION_LIMIT,
    },
  ];
}

/** A case without lines to judge by is not in trouble; a case without any measurement is. */
function needsAttention(item: JudgedCase): boolean {
  if (item.error !== undefined || item.zone === 'fail' || item.zone === 'below target') return true;
  return item.zone === undefined && !item.metrics.some((metric) => metric.measurement.measured);
}

/** The zone first, then how many metrics are in it. A case with an error counts as failed. */
function severityOf(item: JudgedCase): number {
  const count = (zone: Zone) => item.metrics.filter((metric) => metric.zone === zone).length;
  const zone = item.error !== undefined || item.zone === 'fail' ? 2 : item.zone === 'below target' ? 1 : 0;
  return zone * 1e6 + count('fail') * 1e3 + count('below target');
}

function whyOf(item: JudgedCase): Cell {
  if (item.error !== undefined) return item.error;
  const short = (zone: Zone) => item.metrics.filter((metric) => metric.zone === zone);
  const unmeasured = item.metrics.flatMap(({ measurement }) =>
    measurement.measured ? [] : [measurement.reason],
  );
  const why = [...short('fail'), ...short('below target'), ...item.notes];
  return why.length > 0 ? why : [...new Set(unmeasured)];
}

/** Alerts first; a single point is no trend. Next to a comparison a terminal shows only declining trends. */
function trendBlocks(trends: readonly Trend[], isCompared: boolean): ChartBlock[] {
  return trends
    .filter((trend) => trend.points.length > 1)
    .toSorted((a, b) => Number(b.alert) - Number(a.alert) || b.declines - a.declines)
    .map((trend) => ({
      kind: 'chart',
      chart: trendChart(trend),
      ...(isCompared && !trend.alert && trend.declines < 2 && { repeats: true }),
    }));
}

function trendChart(trend: Trend): SeriesChart {
  return {
    kind: 'series',
    title: trendTitle(trend),
    unit: trend.unit,
    series: [{ label: trend.title, points: trend.points.map(({ at, value }) => ({ at, value })) }],
  };
}

function trendTitle(trend: Trend): string {
  const runs = formatAmount(trend.points.length, 'run');
  if (trend.declines > 1) return `${trend.title} got worse ${formatCount(trend.declines)} runs in a row`;
  if (trend.declines === 1) return `${trend.title} got worse in the latest run`;
  return `${trend.title} over ${runs}`;
}

/** Built on demand: with thousands of cases it is large, and a terminal does not show it. */
function allCasesBlock(verdict: Verdict): TableBlock[] {
  if (verdict.cases.length === 0) return [];
  let made: TableBlock | undefined;
  const table = () => {
    made ??= allCases(verdict);
    return made;
  };
  return [
    {
      kind: 'table',
      title: 'All cases',
      folded: true,
      get columns() {
        return table().columns;
      },
      get rows() {
        return table().rows;
      },
    },
  ];
}

/** A coverage of 100% in every case is not shown; CSV and JSONL have it. */
function allCases(verdict: Verdict): TableBlock {
  const table = verdictRows(verdict, zonedValue);
  const columns = table.columns.filter(
    ({ key }) => !key.endsWith('_coverage') || table.rows.some((row) => Number(cellOf(row, key) ?? 1) < 1),
  );
  return { ...table, columns };
}

/** What the numbers rest on, and what they leave out. */
function notesOf(verdict: Verdict): string[] {
  const { validity, comparison } = verdict;
  const unmeasured = verdict.metrics.flatMap(({ title, measurement }) =>
    measurement.measured
      ? [...coverageNote(title, measurement.coverage), ...skippedUnits(title, measurement.skipped)]
      : [`${title} is unmeasured: ${measurement.reason}.`],
  );
  return [
    ...verdict.notes,
    ...unmeasured,
    ...comparisonNotes(comparison),
    `${capitalised(formatAmount(validity.cases, 'case'))} measured${skippedWords(validity.skipped)}.`,
    `Run ${validity.runId} at ${formatDate(validity.at)}, scorer ${validity.scorer}${truthWords(validity.truthHash)}.`,
  ];
}

function comparisonNotes(comparison: Verdict['comparison']): string[] {
  if (comparison === undefined) return [];
  const { differences, insisted, missingCases } = comparison;
  return [
    ...(insisted && differences.length > 0 ? [`Compared on request although ${inWords(differences)}.`] : []),
    ...(missingCases.length > 0
      ? [`${formatAmount(missingCases.length, 'case')} of the baseline missing in this run.`]
      : []),
  ];
}

function coverageNote(title: string, coverage: number | undefined): string[] {
  if (coverage === undefined || coverage > 1 - TOLERANCE) return [];
  return [`${title}: ${formatRatio(coverage).replace('.0%', '%')} of its weight was measured.`];
}

function skippedUnits(title: string, skipped: Readonly<Record<string, number>> | undefined): string[] {
  const words = skippedWords(skipped ?? {});
  return words === '' ? [] : [`${title}:${words.slice(1)}.`];
}

/** `, 3 skipped (unreadable 2, no truth 1)`; empty when nothing was. */
function skippedWords(skipped: Readonly<Record<string, number>>): string {
  const entries = Object.entries(skipped).filter(([, count]) => count > 0);
  if (entries.length === 0) return '';
  const total = entries.reduce((sum, [, count]) => sum + count, 0);
  const reasons = entries
    .toSorted(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${reason}: ${formatCount(count)}`);
  return `, ${formatCount(total)} skipped (${reasons.join(', ')})`;
}

/** The first eight digits distinguish two truths; JSON has the whole hash. */
function truthWords(hash: string | undefined): string {
  return hash === undefined ? '' : `, truth ${hash.replace(/^sha256[:-]/, '').slice(0, 8)}`;
}

function rankOf<T>(item: T | undefined, order: readonly T[]): number {
  const rank = item === undefined ? -1 : order.indexOf(item);
  return rank === -1 ? order.length : rank;
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** One row per case, one column per metric: the table behind CSV and JSONL. */
export function verdictRows(
  verdict: Verdict,
  cellValue: (metric: JudgedMetric) => Cell = plainMetric,
): TableBlock {
  const metrics = metricsOfCases(verdict);
  const composites = new Set<string>();
  for (const { metrics: ofCase } of verdict.cases)
    for (const metric of ofCase) if (coverageOf(metric) !== undefined) composites.add(metric.id);
  const withNotes = verdict.cases.some((item) => item.notes.length > 0);
  const withErrors = verdict.cases.some((item) => item.error !== undefined);
  return {
    kind: 'table',
    title: 'All cases',
    columns: [
      { key: 'case', title: 'case', unit: 'name' },
      { key: 'zone', title: 'zone', unit: 'zone' },
      ...metrics.flatMap(({ id, title, unit }): Column[] => [
        { key: metricKey(id), title: title, unit: styleOf(unit) },
        ...(composites.has(id)
          ? [{ key: coverageKey(id), title: `${title}, coverage`, unit: 'ratio' } as const]
          : []),
      ]),
      ...(withNotes ? [{ key: 'notes', title: 'notes', unit: 'text' } as const] : []),
      ...(withErrors ? [{ key: 'error', title: 'error', unit: 'text' } as const] : []),
    ],
    rows: verdict.cases.map((item) => ({
      ...Object.fromEntries(
        item.metrics.flatMap((metric): [string, Cell][] => [
          [metricKey(metric.id), cellValue(metric)],
          ...(composites.has(metric.id)
            ? [[coverageKey(metric.id), coverageOf(metric)] as [string, Cell]]
            : []),
        ]),
      ),
      case: item.id,
      zone: item.zone,
      // Nothing to note is an empty text; `undefined` would claim that notes could not be measured.
      notes: item.notes.join('; '),
      error: item.error ?? '',
    })),
  };
}

function plainMetric({ measurement }: JudgedMetric): number | undefined {
  return measurement.measured ? measurement.value : undefined;
}

/** As pages show it: with the mark and the colour of its zone. */
function zonedValue(metric: JudgedMetric): Cell {
  const { measurement, unit, zone } = metric;
  return { value: measurement.measured ? measurement.value : measurement, unit: styleOf(unit), zone };
}

/** The column next to a composite: the share of its weight that was measured. */
function coverageKey(id: string): string {
  return `${metricKey(id)}_coverage`;
}

function coverageOf({ measurement }: JudgedMetric): number | undefined {
  return measurement.measured ? measurement.coverage : undefined;
}

/** In the order of the verdict's own metrics, then those that only cases have. */
function metricsOfCases(verdict: Verdict): JudgedMetric[] {
  const ofCases = new Map<string, JudgedMetric>();
  for (const item of verdict.cases) for (const metric of item.metrics) ofCases.set(metric.id, metric);
  const ordered = verdict.metrics.flatMap(({ id }) => ofCases.get(id) ?? []);
  const known = new Set(ordered.map(({ id }) => id));
  return [...ordered, ...[...ofCases.values()].filter(({ id }) => !known.has(id))];
}
