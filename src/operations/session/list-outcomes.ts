import type { Outcomes } from '../../session/results.ts';
import type { Ports } from '../ports.ts';
import { askRepositories } from './ask-repositories.ts';
import { readSessions } from './read-sessions.ts';
import type { RepositoryChoices, SessionRequest } from './session-request.ts';

export type OutcomesRequest = Pick<SessionRequest, 'from'> & {
  readonly repositories: RepositoryChoices;
};

/** What became of the work of each session, in the order in which they were read. */
export async function listOutcomes(request: OutcomesRequest, ports: Ports): Promise<Outcomes> {
  const read = await readSessions(request.from, ports);
  const rows = await askRepositories(read, request, ports);
  const outcomes = [...(rows ?? [])].map(([key, row]) => ({ ...row, key }));
  return { outcomes, unreadable: read.unreadable };
}
