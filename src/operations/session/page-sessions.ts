import type { ListedSession } from '../../session/session-groups.ts';
import type { SessionOrder, SessionPosition } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { listedRow, type Wording, withWords } from './list-sessions.ts';
import { addRollups, queryOf } from './selected-sessions.ts';
import type { SessionFilter } from './session-request.ts';

export type PageRequest = {
  readonly filter: SessionFilter;
  readonly tier?: string | undefined;
  /** A part of a name, an id, or the beginning of a key. */
  readonly search?: string | undefined;
  readonly order: SessionOrder;
  readonly limit: number;
  /** The last session of the previous page. */
  readonly after?: SessionPosition | undefined;
  /** False: the total is not needed. */
  readonly counted?: boolean;
  /** Include the request: transcripts are read again, and keys of this environment masked. */
  readonly titles?: Wording | undefined;
};

export type SessionPage = {
  readonly sessions: readonly ListedSession[];
  /** The position of the next page; absent on the last one. */
  readonly next?: SessionPosition;
  /** How many sessions match the filter, if the rollup shows it. */
  readonly inAll?: number;
};

/** Stored sessions as they were scored, page by page: the cost of a page does not depend on their number. */
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
  const sessions = rows.slice(0, limit).map((row) => listedRow(row));
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  const isSummed = tier === undefined && search === undefined && narrowing.coverageFrom === undefined;
  return {
    sessions: titles === undefined ? sessions : await withWords(sessions, titles, ports),
    ...(last !== undefined && { next: positionOf(last) }),
    ...(counted && isSummed && { inAll: addRollups(await store.sessionRollup(narrowing)).sessions }),
  };
}

function positionOf(last: SessionPosition): SessionPosition {
  const { startedAt, q, costUsd, turns, attention, sessionKey } = last;
  return { sessionKey, startedAt, q, costUsd, turns, attention };
}

export type NamesRequest = {
  readonly keys: readonly string[];
  /** Include the request: transcripts are read again, and keys of this environment masked. */
  readonly titles?: Wording | undefined;
};

/** The names of stored sessions; unknown keys are omitted. */
export async function nameSessions({ keys, titles }: NamesRequest, ports: Ports): Promise<ListedSession[]> {
  const store = await ports.store('looking');
  const named: ListedSession[] = [];
  for (const key of new Set(keys)) {
    ports.signal.throwIfAborted();
    const row = await store.readSession(key);
    if (row !== undefined) named.push(listedRow(row));
  }
  return titles === undefined ? named : withWords(named, { ...titles, withoutQuotes: true }, ports);
}
