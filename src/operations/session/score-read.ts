/** Scores followed sessions together, because their relations are known only when all are read. */
import type { FileReading, SessionFacts } from '../../session/evidence.ts';
import { delegatedBy, nameOf } from '../../session/families.ts';
import type { KnownSession } from '../../session/outcomes/judge-work.ts';
import type { WorkOutcome } from '../../session/outcomes/work-outcome.ts';
import { keyOfSession } from '../../session/session-key.ts';
import { stopIfAborted, yieldToEventLoop } from '../../session/stop-if-aborted.ts';
import { type FullSession, scoreStored } from '../../session/stored-session.ts';
import type { Verification } from '../../session/verify/verification.ts';
import type { Ports } from '../ports.ts';
import type { readScoringOptions } from './scoring-options.ts';
import type { RepositoryChoices, SessionRequest } from './session-request.ts';

export type ReadSession = {
  readonly facts: SessionFacts;
  readonly file: FileReading;
  /** Index among the sessions of its file, from 0. */
  readonly place?: number | undefined;
};

/** Scoring many sessions takes seconds, so it yields after this many. */
const SCORED_TOGETHER = 250;

export async function scoreRead(
  {
    sessions,
    verifications,
  }: {
    readonly sessions: readonly ReadSession[];
    /** By the key of the session. */
    readonly verifications?: ReadonlyMap<string, Verification>;
  },
  { options }: Pick<Awaited<ReturnType<typeof readScoringOptions>>, 'options'>,
  { repositories }: Pick<SessionRequest, 'repositories'>,
  ports: Pick<Ports, 'signal' | 'progress'>,
  take: (one: FullSession) => void | Promise<void>,
): Promise<void> {
  const { signal } = ports;
  const keyed = sessions.map((one) => ({ ...one, key: keyOfSession(one.facts, one.file) }));
  const work = repositories && (await readOutcomes(keyed, repositories, ports));
  const delegated = delegatedBy(sessions.map(({ facts }) => facts));
  await yieldToEventLoop(signal);
  let scored = 0;
  for (const { key, ...one } of keyed) {
    const { source, sessionId } = one.facts;
    const stored = {
      ...one,
      work: work?.get(key),
      verification: verifications?.get(key),
      delegated: delegated.get(nameOf(source, sessionId)),
    };
    scored += 1;
    if (scored % SCORED_TOGETHER === 0) await yieldToEventLoop(signal);
    else stopIfAborted(signal);
    await take({ ...stored, session: scoreStored(stored, options, key) });
  }
  stopIfAborted(signal);
}

/** The sessions of files that were read in any way. */
export function sessionsOf(
  sessions: readonly { readonly path: string; readonly facts: SessionFacts }[],
  readings: readonly FileReading[],
): { readonly sessions: readonly ReadSession[] } {
  const byPath = new Map(readings.map((reading) => [reading.path, reading]));
  const places = new Map<string, number>();
  return {
    sessions: sessions.map(({ path, facts }) => {
      const place = places.get(path) ?? 0;
      places.set(path, place + 1);
      return { facts, place, file: byPath.get(path) ?? { path, lines: 0, skipped: {}, unknownRecords: {} } };
    }),
  };
}

/** `session_key` → the outcome of its work in its repository. */
export async function readOutcomes(
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
