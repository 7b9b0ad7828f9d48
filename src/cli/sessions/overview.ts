import type { HistogramChart, ScatterChart } from '../../report/chart.ts';
import type { Block, Document, TableBlock } from '../../report/document.ts';
import { formatCount, formatDuration, formatScore, formatUsd } from '../../report/number.ts';
import { sparkline } from '../../report/sparkline.ts';
import { frontier } from '../../session/pricing/frontier.ts';
import { roiBy } from '../../session/pricing/roi.ts';
import { wordOfRoi } from '../../session/pricing/session-roi.ts';
import { isWorthIt } from '../../session/pricing/worth.ts';
import { TASK_TYPES } from '../../session/profiles/task-type.ts';
import type { SessionScore } from '../../session/session-score.ts';
import { NO_TRANSCRIPT, skippedLines } from '../../session/skipped-lines.ts';
import { summarise } from '../../session/summary.ts';
import { type Loaded, type LoadedSessions, WORTH_A_LOOK } from './load.ts';

/** Said wherever Q is shown. */
export const BLIND_SPOT = 'Q measures how a session went, not whether its answer was right.';

/** What a person sees first: how many, how good, for how much, and which to look at. */
export function overviewDocument(loaded: LoadedSessions): Document {
  const { sessions } = loaded;
  if (sessions.length === 0) return emptyDocument(loaded);
  const worst = worthALook(sessions);
  return {
    title: 'Sessions',
    answer: answerOf(loaded),
    blocks: [
      summaryList(sessions),
      ...worstTable(worst),
      byTaskType(sessions),
      ...modelList(sessions),
      ...charts(sessions),
    ],
    notes: [BLIND_SPOT, ...notesOn(loaded)],
    next: [
      ...(worst[0] === undefined ? [] : [`assay sessions explain ${shortId(worst[0].session.sessionId)}`]),
      'assay sessions score --format html > sessions.html',
      'assay sessions roi',
    ],
  };
}

function emptyDocument({ where, files, filteredOut }: LoadedSessions): Document {
  const left = filteredOut > 0 ? ` ${formatCount(filteredOut)} sessions were left out by the options.` : '';
  return {
    title: 'Sessions',
    answer: `No session could be scored: ${formatCount(files.length)} files read in ${where}.${left}`,
    blocks: [],
    notes: [],
    next: ['assay sessions sources', 'assay sessions score PATH'],
  };
}

function answerOf({ sessions, files, elapsedMs }: LoadedSessions): string {
  const counts = new Map<string, number>();
  for (const { session } of sessions) counts.set(session.source, (counts.get(session.source) ?? 0) + 1);
  const from = [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([source, n]) => `${source} (${formatCount(n)})`)
    .join(', ');
  const bad = files.filter((file) => skippedLines(file) > 0);
  const lines = bad.reduce((sum, file) => sum + skippedLines(file), 0);
  const unreadable =
    lines === 0
      ? ''
      : ` ${counted(lines, 'line')} unreadable in ${counted(bad.length, 'file')} (assay sessions skipped).`;
  const other = files.filter((file) => Object.hasOwn(file.skipped, NO_TRANSCRIPT)).length;
  const noTranscript = other === 0 ? '' : ` ${counted(other, 'file')} held no transcript.`;
  return `Scored ${counted(sessions.length, 'session')} from ${from} in ${formatDuration(elapsedMs)}.${unreadable}${noTranscript}`;
}

function summaryList(sessions: readonly Loaded[]): Block {
  const summary = summarise(sessions.map(({ session }) => session));
  const share = (value: number) => `${Math.round(value * 100)}%`;
  const { q, cost, coverage } = summary;
  return {
    kind: 'list',
    title: 'Summary',
    items: [
      q === undefined
        ? 'Q unmeasured in every session'
        : `Q median ${formatScore(q.median)}  ${sparkline(q.histogram)}  good or better ${share(q.goodShare)} · poor or failed ${share(q.poorShare)}`,
      cost === undefined
        ? 'Cost unknown: no model with a known price'
        : `Cost ${formatUsd(cost.totalUsd)} · per session ${formatUsd(cost.meanUsd)}${cost.roi === undefined ? '' : ` · Q per dollar ${cost.roi.toFixed(1)}`}${cost.unknown > 0 ? ` · unknown in ${formatCount(cost.unknown)}` : ''}`,
      `Coverage median ${formatScore(coverage.median)} · outcome unmeasured in ${share(coverage.withoutOutcome)} · low confidence in ${share(coverage.lowShare)}`,
    ],
  };
}

/** Lowest Q first; idle runs are fine as they are. */
export function worthALook(sessions: readonly Loaded[]): Loaded[] {
  return sessions
    .filter(({ session }) => session.q !== undefined && session.q < WORTH_A_LOOK)
    .toSorted(
      (a, b) =>
        (a.session.q ?? 0) - (b.session.q ?? 0) || (b.session.costUsd ?? 0) - (a.session.costUsd ?? 0),
    );
}

function worstTable(worst: readonly Loaded[]): TableBlock[] {
  if (worst.length === 0) return [];
  return [
    {
      kind: 'table',
      title: 'Worth a look',
      limit: 10,
      columns: [
        { key: 'id', header: 'session', style: 'text' },
        { key: 'type', header: 'task', style: 'text' },
        { key: 'q', header: 'Q', style: 'score' },
        { key: 'cost', header: 'cost', style: 'usd' },
        { key: 'why', header: 'why', style: 'text' },
      ],
      rows: worst.map(({ session, why }) => ({
        id: shortId(session.sessionId),
        type: session.taskType,
        q: session.q,
        cost: session.costUsd,
        why,
      })),
    },
  ];
}

function byTaskType(sessions: readonly Loaded[]): TableBlock {
  const rows = roiBy(
    sessions.map(({ session }) => session),
    (session) => session.taskType,
  );
  return {
    kind: 'table',
    title: 'By task type',
    columns: [
      { key: 'type', header: 'task', style: 'text' },
      { key: 'n', header: 'n', style: 'count' },
      { key: 'q', header: 'mean Q', style: 'score' },
      { key: 'interval', header: '95% interval', style: 'text' },
      { key: 'cost', header: 'mean cost', style: 'usd' },
      { key: 'roi', header: 'Q per $', style: 'text' },
    ],
    rows: rows.map((row) => ({
      type: row.key,
      n: row.n,
      q: row.meanQ,
      interval: row.interval && `[${formatScore(row.interval.low)}, ${formatScore(row.interval.high)}]`,
      cost: row.meanCostUsd,
      roi: row.roi.measured ? formatScore(row.roi.value) : wordOfRoi(row.roi),
    })),
  };
}

/** Is the dearer model worth it, per task type with two models or more. */
function modelList(sessions: readonly Loaded[]): Block[] {
  const items = TASK_TYPES.flatMap((taskType) => {
    const own = sessions.map(({ session }) => session).filter((session) => session.taskType === taskType);
    const [first, second] = roiBy(own, (session) => session.model)
      .filter((row) => row.meanCostUsd !== undefined)
      .toSorted((a, b) => b.n - a.n);
    if (first === undefined || second === undefined) return [];
    const worth = isWorthIt(
      own.filter((session) => session.model === first.key),
      own.filter((session) => session.model === second.key),
    );
    if (worth === undefined) return [];
    const { value, interval } = worth.quality;
    const range =
      interval === undefined ? '' : ` [${formatScore(interval.low)}, ${formatScore(interval.high)}]`;
    const say = ({ key, meanQ, meanCostUsd }: typeof first) =>
      `${key} ${formatScore(meanQ)} at ${formatUsd(meanCostUsd ?? 0)}`;
    return [
      `${taskType}: ${say(first)} · ${say(second)}, difference ${formatScore(value)}${range}: ${worth.verdict}`,
    ];
  });
  return items.length === 0 ? [] : [{ kind: 'list', title: 'Models', items }];
}

function charts(sessions: readonly Loaded[]): Block[] {
  const qs = sessions.flatMap(({ session }) => session.q ?? []);
  const bins = Array.from({ length: 10 }, (_, i) => ({
    from: i / 10,
    to: (i + 1) / 10,
    count: qs.filter((q) => q >= i / 10 && (q < (i + 1) / 10 || i === 9)).length,
  }));
  const histogram: HistogramChart = {
    kind: 'histogram',
    title: `Half of the sessions score above ${formatScore(qs.toSorted((a, b) => a - b)[Math.floor(qs.length / 2)] ?? 0)}`,
    unit: 'score',
    label: 'Q',
    bins,
  };
  // A terminal has the numbers in the tables above; a page has room for the pictures.
  return [
    ...(qs.length > 1 ? [{ kind: 'chart' as const, chart: histogram, repeats: true }] : []),
    ...frontierCharts(sessions).map((chart) => ({ kind: 'chart' as const, chart, repeats: true })),
  ];
}

/** One picture per task type with two models or more: what is dear for chat may be cheap for coding. */
export function frontierCharts(sessions: readonly Loaded[]): ScatterChart[] {
  return TASK_TYPES.flatMap((taskType) => {
    const own = sessions.map(({ session }) => session).filter((session) => session.taskType === taskType);
    return frontierChart(taskType, own) ?? [];
  });
}

/** Models by mean cost and mean Q, with the line through those nothing beats. */
function frontierChart(taskType: string, sessions: readonly SessionScore[]): ScatterChart | undefined {
  const rows = roiBy(sessions, (session) => session.model).flatMap((row) =>
    row.meanCostUsd === undefined ? [] : [{ ...row, meanCostUsd: row.meanCostUsd }],
  );
  if (rows.length < 2) return undefined;
  const placed = frontier(rows);
  const best = placed.filter((point) => point.place === 'frontier');
  return {
    kind: 'scatter',
    title: `${taskType}: nothing is better for less than ${best.map((point) => point.key).join(', ')}`,
    x: { label: 'mean cost per session', unit: 'usd', scale: 'log' },
    y: { label: 'mean Q', unit: 'score' },
    points: placed
      .filter((point) => point.meanCostUsd > 0)
      .map((point) => ({
        label: point.key,
        x: point.meanCostUsd,
        y: point.meanQ,
        ...(point.interval && { low: point.interval.low, high: point.interval.high }),
        group: point.place,
      })),
    frontier: best
      .filter((point) => point.meanCostUsd > 0)
      .map((point) => ({ x: point.meanCostUsd, y: point.meanQ })),
  };
}

function notesOn({ sessions, elapsedMs, filteredOut, options }: LoadedSessions): string[] {
  const cost = sessions.reduce((sum, { session }) => sum + (session.costUsd ?? 0), 0);
  // A core of a rented machine costs a few cents an hour; a dime is a generous figure for two of them.
  const scoring = (elapsedMs / 3_600_000) * 0.1;
  return [
    `Scoring made no model call; ${formatDuration(elapsedMs)} of this machine at $0.10 an hour is ${formatUsd(scoring)}${
      cost > 0 ? `, ${((scoring / cost) * 100).toPrecision(2)}% of what the sessions cost` : ''
    }.`,
    ...(filteredOut > 0 ? [`${formatCount(filteredOut)} sessions were left out by the options.`] : []),
    `Baselines ${options.baselines?.name ?? sessions[0]?.session.baselineSet ?? ''}, weights ${sessions[0]?.session.weights ?? ''}, prices ${options.prices?.name ?? 'none'}.`,
  ];
}

function counted(n: number, what: string): string {
  return `${formatCount(n)} ${what}${n === 1 ? '' : 's'}`;
}

/** The beginning of an id, as far as a person needs it. */
export function shortId(id: string): string {
  return id.length <= 12 ? id : id.slice(0, 8);
}
