import type { Environment } from '../../session/ingest/formats/format.ts';
import { groupSessions, totalsOf } from '../../session/list-totals.ts';
import type { ListedSession, ListGroup, ListSort, SessionList } from '../../session/results.ts';
import { isTimeGroup, SESSION_GROUPS } from '../../session/session-groups.ts';
import { hasWholeHours, UTC } from '../../session/time-zone.ts';
import type { SessionOrder } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { type AskedSessions, type AskRequest, askSessions } from './ask-sessions.ts';
import { listedRow, withTitles } from './listed-sessions.ts';
import { storedListGroups, totalsOfRollup } from './stored-list-groups.ts';

export const LIST_GROUPS: readonly ListGroup[] = [...SESSION_GROUPS, 'block'];

export type ListRequest = AskRequest & {
  readonly sort: ListSort;
  readonly by?: ListGroup | undefined;
  /** So many are listed, of each group where they are grouped; all of them without it. */
  readonly limit?: number | undefined;
  /** Say what was asked: transcripts are read again for those that are listed, and keys of this environment masked. */
  readonly titles?: { readonly environment: Environment } | undefined;
};

/** Sessions one by one, and what they come to. */
export function listSessions(request: ListRequest, ports: Ports): Promise<SessionList> {
  return askSessions(request, ports, (asked) => listAsked(asked, request, ports));
}

export async function listAsked(
  asked: AskedSessions,
  { sort, by, limit, titles, timezone }: Omit<ListRequest, 'from'>,
  ports: Ports,
): Promise<Omit<SessionList, 'unreadable'>> {
  const { sessions: inAll } = await asked.total();
  const filteredOut = (await asked.store.countSessions()) - inAll;
  const about = { sort, by, timezone, filteredOut };
  const few = await asked.isFew();
  const sumsFit = by !== undefined && (!isTimeGroup(by) || hasWholeHours(timezone ?? UTC));
  if (sumsFit && by !== 'block' && limit === 0 && !few) {
    const groups = await storedListGroups(asked, by, timezone);
    return { ...about, total: totalsOfRollup(await asked.total()), groups, listed: [] };
  }
  // Sessions without what they are put in order by come last, and are not among the first of the store.
  const first =
    by !== undefined || limit === undefined || few
      ? undefined
      : await asked.list({ order: STORED_ORDERS[sort], limit });
  const isFirst = first !== undefined && first.length === limit;
  const sessions = (isFirst ? first : await asked.list({})).map((row) => listedRow(row, asked.opinions));
  const pick = (some: readonly ListedSession[]) => some.toSorted(ORDERS[sort]).slice(0, limit);
  const groups = by === undefined ? [] : groupSessions(sessions, by, pick, timezone);
  const chosen = by === undefined ? pick(sessions) : groups.flatMap((group) => group.listed);
  const shown = titles === undefined ? chosen : await withTitles(chosen, titles.environment, ports);
  const told = new Map(shown.map((one) => [one.key, one]));
  const tell = (some: readonly ListedSession[]) => some.map((one) => told.get(one.key) ?? one);
  return {
    ...about,
    total: isFirst ? totalsOfRollup(await asked.total()) : totalsOf(sessions),
    groups: groups.map((group) => ({ ...group, listed: tell(group.listed) })),
    listed: by === undefined ? tell(chosen) : [],
  };
}

const STORED_ORDERS: Readonly<Record<ListSort, SessionOrder>> = {
  date: 'newest',
  q: 'lowest Q',
  cost: 'costliest',
  turns: 'longest',
};

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

/** Newest, lowest, most expensive, longest first; what is unknown comes last. */
const ORDERS: Readonly<Record<ListSort, Order>> = {
  date: descending(({ startedAt }) => startedAt),
  q: (a, b) => compare(a.q ?? Infinity, b.q ?? Infinity) || NEWEST(a, b),
  cost: descending(({ costUsd }) => costUsd),
  turns: descending(({ turns }) => turns),
};
