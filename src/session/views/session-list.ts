import type { ListSort, SessionList } from '../../operations/session/list-sessions.ts';
import { carry } from '../../report/action.ts';
import { formatAmount, formatCount, formatTokens, formatUsd } from '../../report/number.ts';
import { type Block, type TableBlock, tableOf, type View } from '../../report/view.ts';
import {
  isTimeGroup,
  type ListedGroup,
  type ListedSession,
  type ListGroup,
  type SessionTotals,
  timeOf,
} from '../session-groups.ts';
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
  readonly first?: 'where' | 'headline';
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
  const inSight = first === 'headline';
  return tableOf(title, sessions, [
    {
      key: 'id',
      title: 'session',
      unit: 'name',
      min: 16,
      max: 16,
      of: ({ sessionId }) => ids.get(sessionId),
    },
    {
      key: 'day',
      title: timezone === UTC ? 'date (UTC)' : 'date',
      unit: 'day',
      priority: inSight ? 5 : 2,
      of: ({ startedAt }) => dayIn(timeOf(startedAt), timezone),
    },
    differ(({ project }) => project) && {
      key: 'project',
      unit: 'name',
      priority: inSight ? 6 : 3,
      max: 14,
      of: ({ project }) => project && (names.get(project) ?? project),
    },
    hasTitles && { key: 'title', title: 'what was asked', priority: 1, min: 22 },
    differ(({ taskType }) => taskType) && { key: 'task', priority: 5, of: ({ taskType }) => taskType },
    // A day in its name tells a version apart that nobody calls it by.
    {
      key: 'model',
      unit: 'name',
      priority: 7,
      max: 20,
      of: ({ model }) => model?.replace(/[-@]20\d{6}$/, ''),
    },
    { key: 'turns', unit: 'count', priority: sort === 'turns' ? 1 : 6 },
    {
      key: 'q',
      title: 'Q',
      unit: 'score',
      drawn: true,
      priority: 1,
      of: ({ q, tier }) => ({ score: q, tier }),
    },
    { key: 'verified', priority: 3 },
    {
      key: 'cost',
      title: isLower ? 'cost ≥' : 'cost',
      unit: 'cents',
      priority: 1,
      of: ({ costUsd }) => costUsd,
    },
    // There is room only for what somebody asked for.
    sessions.some(({ modelRating }) => modelRating !== undefined) && {
      key: 'rating',
      title: 'judge',
      unit: 'count',
      priority: 3,
      of: ({ modelRating }) => modelRating,
    },
    { key: 'headline', below: true },
  ]);
}

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
  const rows: readonly (SessionTotals & Partial<ListedGroup> & { readonly name: string })[] = [
    ...groups.map((group) => ({ ...group, name: nameOf(group.key) })),
    { ...total, name: 'Total' },
  ];
  return tableOf(`By ${by}${by === 'block' ? ' of five hours' : ''}`, rows, [
    { key: 'key', title: by === 'week' ? 'week of' : by, unit: 'name', min: 16, of: ({ name }) => name },
    { key: 'n', unit: 'count', priority: 1, of: ({ sessions }) => sessions },
    { key: 'q', title: 'mean Q', unit: 'score', priority: 1 },
    { key: 'turns', unit: 'count', priority: 4 },
    { key: 'input', unit: 'count', priority: 6, of: ({ usage }) => usage.input },
    { key: 'output', unit: 'count', priority: 5, of: ({ usage }) => usage.output },
    {
      key: 'cache_write',
      title: 'cache write',
      unit: 'count',
      priority: 8,
      of: ({ usage }) => usage.cacheWrite,
    },
    {
      key: 'cache_read',
      title: 'cache read',
      unit: 'count',
      priority: 7,
      of: ({ usage }) => usage.cacheRead,
    },
    { key: 'tokens', unit: 'count', priority: 3, of: ({ usage }) => tokensOf(usage) },
    {
      key: 'cost',
      title: total.costIsLowerBound ? 'cost ≥' : 'cost',
      unit: 'cents',
      priority: 1,
      of: ({ costUsd }) => costUsd,
    },
    by !== 'model' && { key: 'models', priority: 9, min: 16, of: ({ models = [] }) => models.join(', ') },
  ]);
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
  return tableOf(
    'Sessions',
    [...listed, ...groups.flatMap((group) => group.listed)],
    [
      { key: 'session_id' },
      { key: 'session_key' },
      { key: 'started_at' },
      { key: 'project' },
      { key: 'title' },
      { key: 'task_type' },
      { key: 'source' },
      { key: 'agent' },
      { key: 'model' },
      { key: 'turns' },
      { key: 'q' },
      { key: 'tier' },
      { key: 'verified' },
      { key: 'input_tokens' },
      { key: 'output_tokens' },
      { key: 'cache_write_tokens' },
      { key: 'cache_read_tokens' },
      { key: 'cost_usd' },
      {
        key: 'cost_usd_is_lower_bound',
        of: ({ costUsd, costAtLeast }) => (costUsd === undefined ? undefined : String(costAtLeast === 1)),
      },
      { key: 'headline' },
      { key: 'path' },
    ],
  );
}

/** The same of groups. */
export function listGroupTable({ by = 'day', groups }: SessionList): TableBlock {
  return tableOf(`Sessions by ${by}`, groups, [
    { key: by.replace('-', '_'), of: ({ key }) => key },
    { key: 'sessions' },
    { key: 'mean_q', of: ({ q }) => (q.measured ? q.value : undefined) },
    { key: 'q_low', of: ({ q }) => (q.measured ? q.low : undefined) },
    { key: 'q_high', of: ({ q }) => (q.measured ? q.high : undefined) },
    { key: 'turns' },
    { key: 'input_tokens', of: ({ usage }) => usage.input },
    { key: 'output_tokens', of: ({ usage }) => usage.output },
    { key: 'cache_write_tokens', of: ({ usage }) => usage.cacheWrite },
    { key: 'cache_read_tokens', of: ({ usage }) => usage.cacheRead },
    { key: 'total_tokens', of: ({ usage }) => tokensOf(usage) },
    { key: 'cost_usd' },
    {
      key: 'cost_usd_is_lower_bound',
      of: ({ costUsd, costIsLowerBound }) => (costUsd === undefined ? undefined : String(costIsLowerBound)),
    },
    { key: 'cost_unknown' },
    { key: 'models', of: ({ models }) => models.join(', ') },
  ]);
}
