import type { KnownSession } from '../../session/outcomes/judge-work.ts';
import type { WorkOutcome } from '../../session/outcomes/work-outcome.ts';
import type { Ports } from '../ports.ts';
import type { RepositoryChoices } from './session-request.ts';

/** `session_key` → what its repository says became of its work. */
export async function askAbout(
  sessions: Iterable<KnownSession>,
  { places, roots, environment }: RepositoryChoices,
  ports: Pick<Ports, 'signal' | 'progress'>,
): Promise<ReadonlyMap<string, WorkOutcome>> {
  const { judgeWork } = await import('../../session/outcomes/judge-work.ts');
  return judgeWork(sessions, {
    places,
    roots,
    environment,
    signal: ports.signal,
    onRepository: (done, total) =>
      ports.progress({ what: 'Asking repositories', done, total, unit: 'repositories' }),
  });
}
