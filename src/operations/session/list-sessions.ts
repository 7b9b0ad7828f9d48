import type { Environment } from '../../session/ingest/formats/format.ts';
import { groupSessions, totalsOf } from '../../session/list-totals.ts';
import type { ListedSession, ListGroup, ListSort, SessionList } from '../../session/results.ts';
import { isTimeGroup, SESSION_GROUPS } from '../../session/session-groups.ts';
import { Shortener } from '../../session/session-score.ts';
import { hasWholeHours, UTC } from '../../session/time-zone.ts';
import type { SessionOrder, SessionSummary } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { listedSession, withTitles } from './listed-sessions.ts';
import { type FullSession, type ScoreSessionsRequest, scoreSessions } from './score-sessions.ts';
import { detailsIn, listedRow } from './stored/stored-lines.ts';
import { storedListGroups } from './stored/stored-list-groups.ts';
import { answerStored, type StoredScores } from './stored/stored-scores.ts';
import { totalsOfRollup } from './stored/stored-totals.ts';

export const LIST_GROUPS: readonly ListGroup[] = [...SESSION_GROUPS, 'block'];

export type ListRequest = ScoreSessionsRequest & {
  readonly sort: ListSort;
  readonly by?: ListGroup | undefined;
  /** So many are listed, of each group where they are grouped; all of them without it. */
  readonly limit?: number | undefined;
  /** Say what was asked: transcripts are read again for those that are listed, and keys of this environment masked. */
  readonly titles?: { readonly environment: Environment } | undefined;
};

/** Sessions one by one, and what they come to. */
export async function listSessions(
  request: ListRequest,
  ports: Ports,
  each?: (one: FullSession) => void | Promise<void>,
): Promise<SessionList> {
  const list =
    each === undefined
      ? await answerStored(request, ports, (stored) => listStored(stored, request, ports))
      : undefined;
  if (list !== undefined) return list;
  const short = new Shortener();
  const sessions: ListedSession[] = [];
  const { unreadable, unjoined, weightsDoubts, scoredOtherwise, filteredOut } = await scoreSessions(
    request,
    ports,
    (one) => {
      sessions.push(listedSession(one, short));
      return each?.(one);
    },
  );
  const left = { unreadable, unjoined, weightsDoubts, scoredOtherwise };
  return { ...(await listOf(sessions, request, ports)), ...left, filteredOut };
}

/** Sessions that something else scores, as lines. */
export function sessionLines() {
  const short = new Shortener();
  const sessions: ListedSession[] = [];
  return {
    add: (one: FullSession): void => void sessions.push(listedSession(one, short)),
    newestFirst: async (titles: ListRequest['titles'], ports: Ports): Promise<readonly ListedSession[]> =>
      (await listOf(sessions, { sort: 'date', titles }, ports)).listed,
  };
}

/** From the rows of the store: only what is listed is read and looked at. */
async function listStored(stored: StoredScores, request: ListRequest, ports: Ports): Promise<SessionList> {
  const { sort, by, limit } = request;
  const { timezone } = request;
  const sumsFit = by !== undefined && (!isTimeGroup(by) || hasWholeHours(timezone ?? UTC));
  if (sumsFit && by !== 'block' && limit === 0 && !(await stored.isFew())) {
    const total = totalsOfRollup(await stored.total());
    const groups = await storedListGroups(stored, by, timezone);
    return {
      sort,
      by,
      timezone,
      total,
      groups,
      listed: [],
      unreadable: [],
      filteredOut: 0,
    };
  }
  const first = await firstStored(stored, request);
  const sessions = (first ?? (await stored.list({}))).map(listedRow);
  const withDetails = await detailsIn(stored);
  const list = await listOf(sessions, request, ports, withDetails);
  const total = first === undefined ? list.total : totalsOfRollup(await stored.total());
  return { ...list, total, unreadable: [], filteredOut: 0 };
}

const STORED_ORDERS: Readonly<Record<ListSort, SessionOrder>> = {
  date: 'newest',
  q: 'lowest Q',
  cost: 'costliest',
  turns: 'longest',
};

/** The first of many. */
async function firstStored(
  stored: StoredScores,
  { sort, by, limit }: ListRequest,
): Promise<readonly SessionSummary[] | undefined> {
  if (by !== undefined || limit === undefined || (await stored.isFew())) return undefined;
  const rows = await stored.list({ order: STORED_ORDERS[sort], limit });
  // Sessions without what they are put in order by come last, and are not among these.
  return rows.length < limit ? undefined : rows;
}

type Detail = (one: ListedSession) => Promise<ListedSession>;

async function listOf(
  sessions: readonly ListedSession[],
  { sort, by, limit, titles, timezone }: Pick<ListRequest, 'sort' | 'by' | 'limit' | 'titles' | 'timezone'>,
  ports: Ports,
  detail?: Detail,
): Promise<Omit<SessionList, 'unreadable' | 'filteredOut'>> {
  const pick = (some: readonly ListedSession[]) => some.toSorted(ORDERS[sort]).slice(0, limit);
  const groups = by === undefined ? [] : groupSessions(sessions, by, pick, timezone);
  const chosen = by === undefined ? pick(sessions) : groups.flatMap((group) => group.listed);
  const shown = detail === undefined ? chosen : await oneByOne(chosen, detail);
  const told = new Map(
    (titles === undefined ? shown : await withTitles(shown, titles.environment, ports)).map((one) => [
      one.key,
      one,
    ]),
  );
  const tell = (some: readonly ListedSession[]) => some.map((one) => told.get(one.key) ?? one);
  return {
    sort,
    by,
    timezone,
    total: totalsOf(sessions),
    groups: groups.map((group) => ({ ...group, listed: tell(group.listed) })),
    listed: by === undefined ? tell(chosen) : [],
  };
}

/** There may be very many, and each is read from the store. */
async function oneByOne(chosen: readonly ListedSession[], detail: Detail): Promise<ListedSession[]> {
  const shown: ListedSession[] = [];
  for (const one of chosen) shown.push(await detail(one));
  return shown;
}

type Order = (a: ListedSession, b: ListedSession) => number;

const NEWEST: Order = (a, b) =>
  (b.startedAt ?? -Infinity) - (a.startedAt ?? -Infinity) || (a.key < b.key ? -1 : 1);

function descending(value: (one: ListedSession) => number | undefined): Order {
  return (a, b) => compare(value(b) ?? -Infinity, value(a) ?? -Infinity) || NEWEST(a, b);
}

/** Infinities may stand on both sides. */
function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Newest, lowest, dearest, longest first; what is unknown comes last. */
const ORDERS: Readonly<Record<ListSort, Order>> = {
  date: descending(({ startedAt }) => startedAt),
  q: (a, b) => compare(a.q ?? Infinity, b.q ?? Infinity) || NEWEST(a, b),
  cost: descending(({ costUsd }) => costUsd),
  turns: descending(({ turns }) => turns),
};
