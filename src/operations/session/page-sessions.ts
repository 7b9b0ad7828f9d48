import type { Environment } from '../../session/ingest/formats/format.ts';
import type { ListedSession } from '../../session/results.ts';
import type { SessionOrder, SessionPosition, SessionSummary, Store } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { withTitles } from './listed-sessions.ts';
import type { SessionFilter } from './session-request.ts';
import { addRollups } from './stored/add-rollups.ts';
import { queryOf } from './stored/filter-query.ts';
import { detailsIn, listedRow } from './stored/stored-lines.ts';

export type PageRequest = {
  readonly filter: SessionFilter;
  readonly tier?: string | undefined;
  /** A part of a name, an id, or the beginning of a key. */
  readonly search?: string | undefined;
  readonly order: SessionOrder;
  readonly limit: number;
  /** The last session of the page before this one. */
  readonly after?: SessionPosition | undefined;
  /** False: nobody asks how many there are. */
  readonly counted?: boolean;
  /** Say what was asked: transcripts are read again, and keys of this environment masked. */
  readonly titles?: { readonly environment: Environment } | undefined;
};

export type SessionPage = {
  readonly sessions: readonly ListedSession[];
  /** Where the next page goes on; absent on the last one. */
  readonly next?: SessionPosition;
  /** How many fit the filter, where kept sums tell. */
  readonly inAll?: number;
};

/** Kept sessions as they were scored, a page at a time: what a page costs does not grow with how many there are. */
export async function pageSessions(request: PageRequest, ports: Ports): Promise<SessionPage> {
  const { order, limit, after, titles, tier, search, counted = true } = request;
  const store = await ports.store('looking');
  const narrowing = queryOf(request.filter);
  const found = { tier, search };
  const rows = await store.listSessions({
    ...narrowing,
    ...found,
    order,
    limit: limit + 1,
    ...(after && { after }),
  });
  const sessions = await withDetails(rows.slice(0, limit), store);
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  const isSummed = tier === undefined && search === undefined && narrowing.coverageFrom === undefined;
  return {
    sessions: titles === undefined ? sessions : await withTitles(sessions, titles.environment, ports),
    ...(last !== undefined && { next: positionOf(last) }),
    ...(counted && isSummed && { inAll: addRollups(await store.sessionRollup(narrowing)).sessions }),
  };
}

/** Pages are asked for again and again, and a revision never changes: what takes reading its facts is remembered. */
const TOLD = new WeakMap<Store, Map<string, Pick<ListedSession, 'path' | 'why'>>>();
const MOST_TOLD = 5_000;

async function withDetails(rows: readonly SessionSummary[], store: Store): Promise<ListedSession[]> {
  const told = TOLD.get(store) ?? new Map<string, Pick<ListedSession, 'path' | 'why'>>();
  TOLD.set(store, told);
  const details = await detailsIn({ store });
  const sessions: ListedSession[] = [];
  for (const row of rows) {
    const name = `${row.sessionKey} ${row.revision}`;
    const known = told.get(name);
    const one = known === undefined ? await details(listedRow(row)) : { ...listedRow(row), ...known };
    if (known === undefined) told.set(name, { path: one.path, why: one.why });
    const [oldest] = told.keys();
    if (told.size > MOST_TOLD && oldest !== undefined) told.delete(oldest);
    sessions.push(one);
  }
  return sessions;
}

function positionOf(last: SessionPosition): SessionPosition {
  const { startedAt, q, costUsd, turns, concern, sessionKey } = last;
  return {
    sessionKey,
    startedAt,
    q,
    costUsd,
    turns,
    concern,
  };
}
