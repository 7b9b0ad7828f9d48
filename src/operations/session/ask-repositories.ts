import type { KnownSession } from '../../session/outcomes/judge-work.ts';
import type { WorkOutcome } from '../../session/outcomes/work-outcome.ts';
import { keyOfSession } from '../../session/session-key.ts';
import type { Ports } from '../ports.ts';
import type { ReadSession, ReadSessions } from './read-sessions.ts';
import type { RepositoryChoices, SessionRequest } from './session-request.ts';

/** `session_key` → what its repository says became of its work; undefined when nobody asks. */
export async function askRepositories(
  { sessions }: Pick<ReadSessions, 'sessions'>,
  { repositories }: Pick<SessionRequest, 'repositories'>,
  ports: Ports,
): Promise<ReadonlyMap<string, WorkOutcome> | undefined> {
  return repositories && askAbout(withKeys(sessions), repositories, ports);
}

export async function askAbout(
  sessions: Iterable<KnownSession>,
  { places, roots, environment, cache, fresh }: RepositoryChoices,
  ports: Ports,
): Promise<ReadonlyMap<string, WorkOutcome>> {
  const { judgeWork } = await import('../../session/outcomes/judge-work.ts');
  const { openOutcomeCache } = await import('../../session/outcomes/outcome-cache.ts');
  return judgeWork(sessions, {
    places,
    roots,
    environment,
    signal: ports.signal,
    cache: cache === undefined ? undefined : openOutcomeCache(cache, fresh),
    onRepository: (done, total) =>
      ports.progress({ what: 'Asking repositories', done, total, unit: 'repositories' }),
  });
}

function* withKeys(sessions: Iterable<ReadSession>): Generator<KnownSession> {
  for (const { facts, file } of sessions) yield { key: keyOfSession(facts, file), facts };
}
