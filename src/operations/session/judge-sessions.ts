import type { WorkOutcome } from '../../session/outcomes/work-outcome.ts';
import type { Ports } from '../ports.ts';
import type { ReadSessions } from './read-sessions.ts';
import type { SessionRequest } from './session-request.ts';

/** Session → what its repository says became of its work; undefined when nobody asks. */
export async function judgeSessions(
  { facts }: Pick<ReadSessions, 'facts'>,
  { repositories }: Pick<SessionRequest, 'repositories'>,
  ports: Ports,
): Promise<ReadonlyMap<string, WorkOutcome> | undefined> {
  if (repositories === undefined) return undefined;
  const { places, environment, cache } = repositories;
  const { judgeWork } = await import('../../session/outcomes/judge-work.ts');
  const { openOutcomeCache } = await import('../../session/outcomes/outcome-cache.ts');
  return judgeWork(facts(), {
    places,
    environment,
    signal: ports.signal,
    cache: cache === undefined ? undefined : openOutcomeCache(cache),
    onRepository: (done, total) =>
      ports.progress({ what: 'Asking repositories', done, total, unit: 'repositories' }),
  });
}
