import { carry } from '../../report/action.ts';
import { formatAmount, formatCount, formatTokens, formatUsd } from '../../report/number.ts';
import type { Block, Column, Row, TableBlock, View } from '../../report/view.ts';
import type {
  ListedGroup,
  ListedSession,
  ListGroup,
  ListSort,
  SessionList,
  SessionTotals,
} from '../results.ts';
import { isTimeGroup, timeOf } from '../session-groups.ts';
import { dayIn, UTC } from '../time-zone.ts';
import { tokensOf } from '../usage.ts';
import { nextStep, type SessionsGiven } from './next-step.ts';
import { groupChart, timeCharts } from './session-charts.ts';
import {
  agentTitle,
  BLIND_SPOT,
  LOWER_BOUND,
  projectNames,
  sayMeasurement,
  shortIds,
  TIERS,
} from './wording.ts';

/** A screen holds so many lines; a page has room for all. */
export const LISTED_SHOWN = 20;
const GROUPS_SHOWN = 31;

type Shown = SessionsGiven & {
  /** Groups beyond a screen are left out. */
  readonly short?: boolean;
};

/** One line per session, or one per group, and what they come to. */
export function sessionListView(list: SessionList, given?: Shown): View {
  const { total, by } = list;
  const sessions = [...list.listed, ...list.groups.flatMap(({ listed }) => listed)];
  return {
    title:
      by === undefined
        ? 'Sessions'
        : `Sessions by ${by}${isTimeGroup(by) ? ` (${by === 'block' ? UTC : zoneOf(list)})` : ''}`,
    answer: answerOf(list, sessions),
    blocks: total.sessions === 0 ? [] : blocksOf(list, given?.short === true),
    notes: total.sessions === 0 ? [] : notesOn(list, sessions, given?.short === true),
    next: nextOf(list, sessions, given),
  };
}

function zoneOf({ timezone = UTC }: SessionList): string {
  return timezone;
}

function answerOf({ total, filteredOut, timezone }: SessionList, sessions: readonly ListedSession[]): string {
  if (total.sessions === 0)
    return `No session to list.${filteredOut > 0 ? ` ${formatCount(filteredOut)} were left out by the options.` : ''}`;
  const days = sessions.flatMap(({ startedAt }) => dayIn(timeOf(startedAt), timezone) ?? []).sort();
  const [first, last] = [days[0], days.at(-1)];
  // The days of a part say nothing about all.
  const isAll = first !== undefined && sessions.length === total.sessions;
  const when = !isAll ? '' : first === last ? ` on ${first}` : ` from ${first} to ${last}`;
  return `${formatAmount(total.sessions, 'session')}${when}: mean Q ${sayMeasurement(total.q)}, ${costOf(total)}, ${formatTokens(tokensOf(total.usage))}.`;
}

function costOf({ costUsd, costUnknown, costIsLowerBound, sessions }: SessionTotals): string {
  if (costUsd === undefined) return 'cost unknown';
  const unknown =
    costUnknown > 0 ? ` (unknown in ${formatCount(costUnknown)} of ${formatCount(sessions)})` : '';
  return `${costIsLowerBound ? 'at least ' : ''}${formatUsd(costUsd)}${unknown}`;
}

function blocksOf(list: SessionList, short: boolean): Block[] {
  const { by, groups, listed, total } = list;
  const names = projectNames([...listed, ...groups.flatMap((group) => group.listed)]);
  if (by === undefined)
    return [linesTable(SORTED[list.sort], listed, { names, sort: list.sort, timezone: zoneOf(list) })];
  const inOrder = isTimeGroup(by);
  const shown =
    !short || groups.length <= GROUPS_SHOWN
      ? groups
      : inOrder
        ? groups.slice(-GROUPS_SHOWN)
        : groups.slice(0, GROUPS_SHOWN);
  const nameOf = groupNames(by, groups);
  const charts = inOrder
    ? timeCharts(groups, by)
    : [groupChart(groups, by, nameOf)].flatMap((one) => one ?? []);
  return [
    // A terminal has the numbers in the table below; a page has room for the pictures.
    ...charts.map((chart) => ({ kind: 'chart' as const, chart, repeats: true })),
    groupTable(by, shown, total, nameOf),
    ...shown.flatMap((group) =>
      group.listed.length === 0
        ? []
        : [linesTable(groupTitle(group), group.listed, { names, timezone: zoneOf(list) })],
    ),
  ];
}

const SORTED = {
  date: 'Newest first',
  q: 'Lowest Q first',
  cost: 'Most expensive first',
  turns: 'Longest first',
} as const;

function groupTitle(group: ListedGroup): string {
  const { key, sessions } = group;
  return `${keyWords(key)}: ${formatAmount(sessions, 'session')}, ${costOf(group)}`;
}

function keyWords(key: string | undefined): string {
  if (key === undefined) return 'not known';
  return key.includes('T') && key.endsWith('Z') ? key.slice(0, 16).replace('T', ' ') : key;
}

type LineOptions = {
  readonly names?: ReadonlyMap<string, string>;
  readonly first?: 'where' | 'why';
  readonly sort?: ListSort;
  readonly timezone?: string | undefined;
};

/** What everybody has in common is no column. A narrow screen keeps where a session was, or why it is listed. */
export function linesTable(
  title: string,
  sessions: readonly ListedSession[],
  { names = projectNames(sessions), first = 'where', sort = 'date', timezone = UTC }: LineOptions = {},
): TableBlock {
  const ids = shortIds(sessions.map(({ sessionId }) => sessionId));
  const isLower = sessions.some(({ costAtLeast }) => costAtLeast === 1);
  const hasTitles = sessions.some((one) => one.title !== undefined);
  const differ = (value: (one: ListedSession) => unknown) => new Set(sessions.map(value)).size > 1;
  const columns: (Column | false)[] = [
    { key: 'id', title: 'session', unit: 'name', min: 16, max: 16 },
    {
      key: 'day',
      title: timezone === UTC ? 'date (UTC)' : 'date',
      unit: 'day',
      priority: first === 'why' ? 5 : 2,
    },
    differ(({ project }) => project) && {
      key: 'project',
      title: 'project',
      unit: 'name',
      priority: first === 'why' ? 6 : 3,
      max: 14,
    },
    hasTitles && { key: 'title', title: 'what was asked', unit: 'text', priority: 1, min: 22 },
    differ(({ taskType }) => taskType) && { key: 'task', title: 'task', unit: 'text', priority: 5 },
    { key: 'model', title: 'model', unit: 'name', priority: 7, max: 20 },
    { key: 'turns', title: 'turns', unit: 'count', priority: sort === 'turns' ? 1 : 6 },
    { key: 'q', title: 'Q', unit: 'score', drawn: true, priority: 1 },
    { key: 'cost', title: isLower ? 'cost ≥' : 'cost', unit: 'cents', priority: 1 },
    // There is room only for what somebody asked for.
    sessions.some(({ modelRating }) => modelRating !== undefined) && {
      key: 'rating',
      title: 'judge',
      unit: 'count',
      priority: 3,
    },
    { key: 'why', title: 'why', unit: 'text', priority: first === 'why' ? 2 : 4, min: 20 },
  ];
  return {
    kind: 'table',
    title,
    columns: columns.filter((column) => column !== false),
    rows: sessions.map((one) => ({ ...lineOf(one, names, timezone), id: ids.get(one.sessionId) })),
  };
}

function lineOf(one: ListedSession, names: ReadonlyMap<string, string>, timezone: string): Row {
  return {
    day: dayIn(timeOf(one.startedAt), timezone),
    project: one.project === undefined ? undefined : (names.get(one.project) ?? one.project),
    title: one.title,
    task: one.taskType,
    // A day in its name tells a version apart that nobody calls it by.
    model: one.model?.replace(/[-@]20\d{6}$/, ''),
    turns: one.turns,
    q: { score: one.q, tier: one.tier },
    cost: one.costUsd,
    rating: one.modelRating,
    why: one.why,
  };
}

const TOKEN_COLUMNS: readonly Column[] = [
  { key: 'input', title: 'input', unit: 'count', priority: 6 },
  { key: 'output', title: 'output', unit: 'count', priority: 5 },
  { key: 'cache_write', title: 'cache write', unit: 'count', priority: 8 },
  { key: 'cache_read', title: 'cache read', unit: 'count', priority: 7 },
];

/** A folder by its last part, an agent as people call it. */
function groupNames(by: ListGroup, groups: readonly ListedGroup[]): (key: string | undefined) => string {
  const names = projectNames(by === 'project' ? groups.map(({ key }) => ({ project: key })) : []);
  return (key) => {
    if (key !== undefined && by === 'agent') return agentTitle(key);
    return (key !== undefined && names.get(key)) || keyWords(key);
  };
}

function groupTable(
  by: ListGroup,
  groups: readonly ListedGroup[],
  total: SessionTotals,
  nameOf: (key: string | undefined) => string,
): TableBlock {
  const isLower = total.costIsLowerBound;
  return {
    kind: 'table',
    title: `By ${by}${by === 'block' ? ' of five hours' : ''}`,
    columns: [
      { key: 'key', title: by === 'week' ? 'week of' : by, unit: 'name', min: 16 },
      { key: 'n', title: 'n', unit: 'count', priority: 1 },
      { key: 'q', title: 'mean Q', unit: 'score', priority: 1 },
      { key: 'turns', title: 'turns', unit: 'count', priority: 4 },
      ...TOKEN_COLUMNS,
      { key: 'tokens', title: 'tokens', unit: 'count', priority: 3 },
      { key: 'cost', title: isLower ? 'cost ≥' : 'cost', unit: 'cents', priority: 1 },
      ...(by === 'model'
        ? []
        : [{ key: 'models', title: 'models', unit: 'text', priority: 9, min: 16 } as const]),
    ],
    rows: [
      ...groups.map((group) => ({
        ...totalsRow(group),
        key: nameOf(group.key),
        group: group.key,
        models: group.models.join(', '),
      })),
      { ...totalsRow(total), key: 'Total', models: '' },
    ],
  };
}

function totalsRow({ sessions, q, turns, usage, costUsd }: SessionTotals): Row {
  return {
    n: sessions,
    q,
    turns,
    input: usage.input,
    output: usage.output,
    cache_write: usage.cacheWrite,
    cache_read: usage.cacheRead,
    tokens: tokensOf(usage),
    cost: costUsd,
  };
}

function notesOn(list: SessionList, sessions: readonly ListedSession[], short: boolean): string[] {
  const { total, by, groups, filteredOut } = list;
  const more = by === undefined ? total.sessions - sessions.length : 0;
  const shared = commonOf(sessions);
  const left = short ? groups.length - GROUPS_SHOWN : 0;
  return [
    ...(more > 0 ? [`${formatAmount(more, 'more session', 'more sessions')}: --limit N, or --all.`] : []),
    ...(left > 0 ? [`${formatCount(left)} more groups, counted in the total: --all.`] : []),
    ...(sessions.length > 1 && shared !== '' ? [`All of these: ${shared}.`] : []),
    ...(sessions.length > 0 ? [TIERS] : []),
    ...(by !== undefined && isTimeGroup(by)
      ? [`A session counts where it began, and ${sayZone(by === 'block' ? UTC : zoneOf(list))}`]
      : sessions.length > 0 && zoneOf(list) !== UTC
        ? [`Dates are those of ${zoneOf(list)}; --timezone changes that.`]
        : []),
    ...(filteredOut > 0 ? [`${formatAmount(filteredOut, 'session')} left out by the options.`] : []),
    ...(total.costIsLowerBound ? [LOWER_BOUND] : []),
    BLIND_SPOT,
  ];
}

function sayZone(zone: string): string {
  return `days are those of ${zone}; --timezone changes that.`;
}

/** What needs no column, because it is the same for all. */
function commonOf(sessions: readonly ListedSession[]): string {
  const [one] = sessions;
  if (one === undefined) return '';
  const parts = [
    ...(sessions.every(({ taskType }) => taskType === one.taskType) ? [one.taskType] : []),
    ...(one.project !== undefined && sessions.every(({ project }) => project === one.project)
      ? [`in ${one.project}`]
      : []),
  ];
  return parts.join(', ');
}

function nextOf(
  { by, total }: SessionList,
  sessions: readonly ListedSession[],
  given: Shown | undefined,
): View['next'] {
  if (total.sessions === 0) return [{ operation: 'sessions sources' }];
  const lowest = sessions.reduce<ListedSession | undefined>(
    (low, one) => (one.q !== undefined && one.q < (low?.q ?? Infinity) ? one : low),
    undefined,
  );
  return [
    ...(lowest === undefined ? [] : nextStep('explain', given, { id: lowest.sessionId })),
    ...nextStep('list', given, {
      options: by === undefined ? { by: 'day' } : { ...(given && carry(given.options, ['by'])), limit: '5' },
    }),
  ];
}

/** Every session as it is in CSV. */
export function listTable({ listed, groups }: SessionList): TableBlock {
  const sessions = [...listed, ...groups.flatMap((group) => group.listed)];
  return {
    kind: 'table',
    title: 'Sessions',
    columns: CSV_COLUMNS.map((key) => ({ key, title: key, unit: 'text' })),
    rows: sessions.map((one) => ({
      session_id: one.sessionId,
      session_key: one.sessionKey,
      started_at: one.startedAt,
      project: one.project,
      title: one.title,
      task_type: one.taskType,
      source: one.source,
      agent: one.agent,
      model: one.model,
      turns: one.turns,
      q: one.q,
      tier: one.tier,
      input_tokens: one.inputTokens,
      output_tokens: one.outputTokens,
      cache_write_tokens: one.cacheWriteTokens,
      cache_read_tokens: one.cacheReadTokens,
      cost_usd: one.costUsd,
      cost_usd_is_lower_bound: one.costUsd === undefined ? undefined : String(one.costAtLeast === 1),
      why: one.why,
      path: one.path,
    })),
  };
}

const CSV_COLUMNS = [
  'session_id',
  'session_key',
  'started_at',
  'project',
  'title',
  'task_type',
  'source',
  'agent',
  'model',
  'turns',
  'q',
  'tier',
  'input_tokens',
  'output_tokens',
  'cache_write_tokens',
  'cache_read_tokens',
  'cost_usd',
  'cost_usd_is_lower_bound',
  'why',
  'path',
] as const;

/** The same of groups. */
export function listGroupTable({ by = 'day', groups }: SessionList): TableBlock {
  const keys = [
    by.replace('-', '_'),
    'sessions',
    'mean_q',
    'q_low',
    'q_high',
    'turns',
    'input_tokens',
    'output_tokens',
    'cache_write_tokens',
    'cache_read_tokens',
    'total_tokens',
    'cost_usd',
    'cost_usd_is_lower_bound',
    'cost_unknown',
    'models',
  ];
  return {
    kind: 'table',
    title: `Sessions by ${by}`,
    columns: keys.map((key) => ({ key, title: key, unit: 'text' })),
    rows: groups.map((group) => ({
      [by.replace('-', '_')]: group.key,
      sessions: group.sessions,
      mean_q: group.q.measured ? group.q.value : undefined,
      q_low: group.q.measured ? group.q.low : undefined,
      q_high: group.q.measured ? group.q.high : undefined,
      turns: group.turns,
      input_tokens: group.usage.input,
      output_tokens: group.usage.output,
      cache_write_tokens: group.usage.cacheWrite,
      cache_read_tokens: group.usage.cacheRead,
      total_tokens: tokensOf(group.usage),
      cost_usd: group.costUsd,
      cost_usd_is_lower_bound: group.costUsd === undefined ? undefined : String(group.costIsLowerBound),
      cost_unknown: group.costUnknown,
      models: group.models.join(', '),
    })),
  };
}
