import { judgeMetrics } from '../../judge/verdict.ts';
import type { SessionOverview } from '../../operations/session/survey-sessions.ts';
import type { HistogramChart } from '../../report/chart.ts';
import {
  formatAmount,
  formatCount,
  formatDuration,
  formatPerUsd,
  formatScore,
  formatUsd,
} from '../../report/number.ts';
import { sparkline } from '../../report/text.ts';
import { type Block, type Row, type TableBlock, type Tile, tableOf, type View } from '../../report/view.ts';
import { type PrintedRow, SESSION_COLUMNS } from '../columns.ts';
import { type RoiRow, wordOfRoi } from '../pricing/roi.ts';
import { NO_TRANSCRIPT, skippedLines } from '../skipped-lines.ts';
import type { QualitySummary } from '../summary.ts';
import { attentionBlock } from './attention.ts';
import { frontierCharts, worthList } from './frontier.ts';
import { nextStep, type SessionsGiven, serveStep } from './next-step.ts';
import { linesTable } from './session-list.ts';
import { agentTitle, BLIND_SPOT, LOWER_BOUND, meanQOf, sayOwnWeights, TIERS } from './wording.ts';

/** What a person sees first: how many, how good, for how much, and which to look at. */
export function overviewView(overview: SessionOverview, given?: SessionsGiven): View {
  const { summary, attention, newest, byTaskType, frontiers } = overview;
  if (summary.n === 0) return emptyView(overview);
  const [worst] = attention.listed;
  return {
    title: 'Sessions',
    answer: answerOf(overview),
    tiles: summaryTiles(summary),
    blocks: [
      summaryList(summary),
      attentionBlock(attention, overview.timezone),
      ...(newest.length === 0 ? [] : [linesTable('Newest', newest, { timezone: overview.timezone })]),
      ...worthList(frontiers),
      metricsBlock(summary),
      taskTypeTable(byTaskType),
      scoredWith(overview),
      ...charts(overview),
    ],
    notes: [
      ...(newest.length === 0 ? [] : [TIERS]),
      BLIND_SPOT,
      ...(summary.cost?.isLowerBound ? [LOWER_BOUND] : []),
      ...notesOn(overview),
    ],
    next: [
      ...(worst === undefined ? [] : nextStep('explain', given, { id: worst.sessionId })),
      ...nextStep('list', given),
      ...nextStep('list', given, { options: { by: 'day' } }),
      ...nextStep('score', given, { options: { format: 'html' }, into: 'sessions.html' }),
      ...serveStep(given),
      ...(unreadableFiles(overview).length === 0 ? [] : nextStep('skipped', given)),
    ],
  };
}

function emptyView({ looked, files, filteredOut, unrecognised = [] }: SessionOverview): View {
  const left = filteredOut > 0 ? ` ${formatCount(filteredOut)} sessions were left out by the options.` : '';
  return {
    title: 'Sessions',
    answer: `No session could be scored: ${formatAmount(files.length, 'file')} read in ${whereOf(looked)}.${left}`,
    blocks:
      unrecognised.length === 0
        ? []
        : [
            tableOf('No transcript of an agent', unrecognised, [
              { key: 'path', title: 'file', unit: 'name' },
              { key: 'looks', title: 'looks like', of: ({ looksLike }) => looksLike },
            ]),
          ],
    notes: [],
    next: [{ operation: 'sessions sources' }],
  };
}

function whereOf(looked: SessionOverview['looked']): string {
  if (looked.in === 'paths') return looked.paths.join(', ');
  return looked.in === 'store' ? looked.address : 'the places of the known agents';
}

function unreadableFiles({ files }: SessionOverview): SessionOverview['files'] {
  return files.filter((file) => skippedLines(file) > 0);
}

function answerOf(overview: SessionOverview): string {
  const { summary, sources, files, elapsedMs } = overview;
  const from = sources.map(([source, n]) => `${agentTitle(source)} (${formatCount(n)})`).join(', ');
  const bad = unreadableFiles(overview);
  const lines = bad.reduce((sum, file) => sum + skippedLines(file), 0);
  const unreadable =
    lines === 0 ? '' : ` ${formatAmount(lines, 'line')} unreadable in ${formatAmount(bad.length, 'file')}.`;
  const other = files.filter((file) => Object.hasOwn(file.skipped, NO_TRANSCRIPT)).length;
  const noTranscript = other === 0 ? '' : ` ${formatAmount(other, 'file')} held no transcript.`;
  return `Scored ${formatAmount(summary.n, 'session')} from ${from} in ${formatDuration(elapsedMs)}.${unreadable}${noTranscript}`;
}

function summaryList({ q, cost, coverage }: QualitySummary): Block {
  const share = (value: number) => `${Math.round(value * 100)}%`;
  return {
    kind: 'list',
    title: 'Q says how well a session went, from 0 to 1',
    tiled: true,
    items: [
      q === undefined
        ? 'Q unmeasured in every session'
        : `Q median ${formatScore(q.median)}  ${sparkline(q.histogram)}  0.9 and above ${share(q.topShare)} · good or better ${share(q.goodShare)} · poor or failed ${share(q.poorShare)} · verified ${share(q.verifiedShare)}`,
      cost === undefined
        ? 'Cost unknown: no model with a known price'
        : `Cost ${cost.isLowerBound ? 'at least ' : ''}${formatUsd(cost.totalUsd)} · per session ${formatUsd(cost.meanUsd)}${cost.roi === undefined ? '' : ` · Q per dollar ${cost.isLowerBound ? 'at most ' : ''}${formatPerUsd(cost.roi)}`}${cost.unknown > 0 ? ` · unknown in ${formatCount(cost.unknown)}` : ''}`,
      coverage === undefined
        ? 'Coverage unmeasured: there is no session'
        : `Coverage median ${formatScore(coverage.median)} · outcome unmeasured in ${share(coverage.withoutOutcome)} · low confidence in ${share(coverage.lowShare)}`,
    ],
  };
}

/** Every metric that is declared for sessions, over all of them. */
function metricsBlock({ metrics }: QualitySummary): Block {
  return {
    kind: 'metrics',
    folded: true,
    title: 'Mean over the sessions',
    metrics: judgeMetrics(
      metrics.map(({ metric }) => metric),
      Object.fromEntries(metrics.map(({ metric, measurement }) => [metric.id, measurement])),
    ),
  };
}

function taskTypeTable(rows: readonly RoiRow[]): TableBlock {
  return tableOf(
    'By task type',
    rows,
    [
      { key: 'type', title: 'task', of: ({ key }) => key },
      { key: 'n', unit: 'count' },
      { key: 'q', title: 'mean Q', unit: 'score', drawn: true, of: meanQOf },
      { key: 'cost', title: 'mean cost', unit: 'usd', of: ({ meanCostUsd }) => meanCostUsd },
      { key: 'roi', title: 'Q per $', unit: 'per-usd', of: ({ roi }) => wordOfRoi(roi) },
    ],
    { folded: true },
  );
}

/** A terminal has the numbers in the tables above; a page has room for the pictures. */
function charts({ summary: { q, n }, frontiers }: SessionOverview): Block[] {
  const pictures = [...(q !== undefined && n > 1 ? [histogramOf(q)] : []), ...frontierCharts(frontiers)];
  return pictures.map((chart) => ({ kind: 'chart' as const, chart, repeats: true }));
}

function histogramOf({ histogram, median }: NonNullable<QualitySummary['q']>): HistogramChart {
  return {
    kind: 'histogram',
    title: `Half of the sessions score above ${formatScore(median)}`,
    unit: 'score',
    label: 'Q',
    bins: histogram.map((count, i) => ({ from: i / 10, to: (i + 1) / 10, count })),
  };
}

/** A core of a rented machine costs a few cents an hour; a dime is a generous figure for two of them. */
const USD_PER_HOUR = 0.1;

/** To look up: what the scores rest on, and what scoring took. */
function scoredWith({ summary, elapsedMs, sets }: SessionOverview): TableBlock {
  const cost = summary.cost?.totalUsd ?? 0;
  const scoring = (elapsedMs / 3_600_000) * USD_PER_HOUR;
  const share = cost > 0 ? `, ${((scoring / cost) * 100).toPrecision(2)}% of what the sessions cost` : '';
  const rows = [
    { what: 'baselines', value: sets.baselines },
    { what: 'weights', value: sets.weights },
    { what: 'prices', value: sets.prices },
    { what: 'time', value: `${formatDuration(elapsedMs)}, without a model call` },
    { what: 'cost', value: `${formatUsd(scoring)} at $0.10 an hour of this machine${share}` },
  ];
  const columns = [
    { key: 'what', title: '' },
    { key: 'value', title: '' },
  ];
  return tableOf('Scored with', rows, columns, { folded: true });
}

function notesOn({ filteredOut, repositoryTrouble: trouble, sets }: SessionOverview): string[] {
  return [
    ...(filteredOut > 0 ? [`${formatCount(filteredOut)} sessions were left out by the options.`] : []),
    ...(trouble === undefined
      ? []
      : [
          `What became of the work is not known of ${formatCount(trouble.sessions)} sessions: ${trouble.reason}.`,
        ]),
    // The usual ones need no word.
    ...(sets.weights === 'documented' || sets.ownWeights ? [] : [`Scored with the weights ${sets.weights}.`]),
    ...sayOwnWeights(sets.ownWeights),
  ];
}

/** Many sessions in four numbers. */
function summaryTiles({ n, q, cost, coverage }: QualitySummary): Tile[] {
  return [
    ...(q === undefined
      ? []
      : [
          {
            label: 'Q, median',
            value: q.median,
            unit: 'score',
            madeOf: ALL_SESSIONS,
            ...sharesOf(q),
          } as const,
        ]),
    ...(cost === undefined
      ? []
      : [
          {
            label: cost.isLowerBound ? 'Cost, at least' : 'Cost',
            value: cost.totalUsd,
            unit: 'usd',
            madeOf: ALL_SESSIONS,
            aside: `${formatUsd(cost.meanUsd)} a session${cost.unknown > 0 ? ` · unknown in ${formatCount(cost.unknown)}` : ''}`,
          } as const,
        ]),
    ...(coverage === undefined
      ? []
      : [
          {
            label: 'Outcome known',
            value: 1 - coverage.withoutOutcome,
            unit: 'ratio',
            madeOf: ALL_SESSIONS,
            aside: `median coverage ${formatScore(coverage.median)} · low confidence in ${whole(coverage.lowShare)}`,
          } as const,
        ]),
    { label: 'Sessions', value: n, unit: 'count', madeOf: ALL_SESSIONS },
  ];
}

function whole(share: number): string {
  return `${Math.round(share * 100)}%`;
}

function sharesOf(q: NonNullable<QualitySummary['q']>): Pick<Tile, 'parts' | 'aside'> {
  const { goodShare, poorShare, verifiedShare } = q;
  const between = Math.max(0, 1 - goodShare - poorShare);
  return {
    parts: [
      { label: 'good or better', share: goodShare, tone: 'good' },
      { label: 'acceptable', share: between, tone: 'caution' },
      { label: 'poor or failed', share: poorShare, tone: 'bad' },
    ],
    aside: `good or better ${whole(goodShare)} · poor or failed ${whole(poorShare)} · verified ${whole(verifiedShare)}`,
  };
}

const COLUMNS = SESSION_COLUMNS.map(({ key, style }) => ({ key, title: key, unit: style }));

const ALL_SESSIONS = 'All sessions';

/** Every column of these sessions. */
export function sessionTable(rows: readonly PrintedRow[]): TableBlock {
  const signals = Object.keys(rows[0] ?? {}).filter((key) => key.startsWith('signal_'));
  const columns = [...COLUMNS, ...signals.map((key) => ({ key, title: key, unit: 'score' as const }))];
  return { kind: 'table', title: ALL_SESSIONS, columns, rows: rows.map(cellsOf) };
}

function cellsOf(row: PrintedRow): Row {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, typeof value === 'boolean' ? String(value) : value]),
  );
}
