import { findRepository } from '../../../session/outcomes/find-repository.ts';
import type { KnownSession } from '../../../session/outcomes/judge-work.ts';
import type { Outcomes } from '../../../session/results.ts';
import type { SessionSummary, Store } from '../../../store/store.ts';
import type { Ports } from '../../ports.ts';
import { askAbout } from '../ask-repositories.ts';
import type { RepositoryChoices, SessionFilter } from '../session-request.ts';
import { queryOf } from './filter-query.ts';
import { findKept } from './kept-session.ts';

export type KeptOutcomesRequest = {
  readonly filter: SessionFilter;
  /** The newest so many. */
  readonly limit: number;
  readonly repositories: RepositoryChoices;
};

/**
 * What became of the work of the newest kept sessions, newest first. A line that several wrote counts for the last of them,
 * whether or not the filter leaves that one out.
 */
export async function keptOutcomes(request: KeptOutcomesRequest, ports: Ports): Promise<Outcomes> {
  const { filter, limit, repositories } = request;
  const store = await ports.store('looking');
  const rows = await store.listSessions({ ...queryOf(filter), order: 'newest', limit });
  const known: KnownSession[] = [];
  for (const { sessionKey: key } of rows) known.push({ key, facts: (await findKept(store, key)).facts });
  const { beside, all } = await sessionsBeside(rows, known, repositories, store);
  const listed = new Set(rows.map(({ sessionKey }) => sessionKey));
  const others = beside.filter(({ sessionKey }) => !listed.has(sessionKey));
  for (const { sessionKey: key } of others) known.push({ key, facts: (await findKept(store, key)).facts });
  const judged = await askAbout(known, repositories, ports);
  const outcomes = [...judged].flatMap(([key, row]) => (listed.has(key) ? [{ ...row, key }] : []));
  return { outcomes, unreadable: [], beside: { sessions: others.length, all } };
}

/** A session that began earlier is hardly still at work. */
const STILL_AT_WORK_MS = 6 * 3_600_000;
/** Their facts are read, each in a fraction of a millisecond. */
const MOST_BESIDE = 200;

/** Sessions of the same projects that may have written a line after one of these did; some of them where they are very many. */
async function sessionsBeside(
  rows: readonly SessionSummary[],
  known: readonly KnownSession[],
  repositories: RepositoryChoices,
  store: Store,
): Promise<{ readonly beside: readonly SessionSummary[]; readonly all: boolean }> {
  const wrote = rows.filter((_, i) => known[i]?.facts.written !== undefined);
  const starts = wrote.flatMap(({ startedAt }) => startedAt ?? []).sort();
  const [first] = starts;
  if (first === undefined) return { beside: [], all: true };
  const projects = known.flatMap(({ facts }) => {
    const { project, written } = facts;
    const isAsked = written !== undefined && !('reason' in findRepository(facts, repositories));
    return isAsked && project !== undefined ? [project] : [];
  });
  const since = new Date(Date.parse(first) - STILL_AT_WORK_MS).toISOString();
  const beside: SessionSummary[] = [];
  let all = true;
  for (const project of new Set(projects)) {
    const limit = wrote.length + MOST_BESIDE;
    const found = await store.listSessions({ project, since, order: 'oldest', limit });
    const later = found.filter(({ startedAt = '', endedAt = startedAt }) => endedAt >= first);
    all &&= found.length < limit && beside.length + later.length <= limit;
    beside.push(...later.slice(0, limit - beside.length));
  }
  return { beside, all };
}
