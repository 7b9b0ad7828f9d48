import type { Outcomes } from '../../../session/results.ts';
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

/** What became of the work of the newest kept sessions, newest first; lines that several wrote count for the last of these. */
export async function keptOutcomes(request: KeptOutcomesRequest, ports: Ports): Promise<Outcomes> {
  const { filter, limit, repositories } = request;
  const store = await ports.store('looking');
  const rows = await store.listSessions({ ...queryOf(filter), order: 'newest', limit });
  const known = [];
  for (const { sessionKey: key } of rows) known.push({ key, facts: (await findKept(store, key)).facts });
  const outcomes = await askAbout(known, repositories, ports);
  return { outcomes: [...outcomes].map(([key, row]) => ({ ...row, key })), unreadable: [] };
}
