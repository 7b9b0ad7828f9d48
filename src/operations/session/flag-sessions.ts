import type { FileReading } from '../../session/evidence.ts';
import { type LowSession, lowSessions } from '../../session/low-session.ts';
import type { Flags } from '../../session/results.ts';
import { truncations } from '../../session/skipped-lines.ts';
import type { Ports } from '../ports.ts';
import { collectSessions } from './collect-sessions.ts';
import type { SessionRequest } from './session-request.ts';
import { storedLowSessions } from './stored/stored-low-sessions.ts';
import { answerStored, type StoredScores } from './stored/stored-scores.ts';

export type FlagRequest = SessionRequest & {
  readonly below: number;
  /** How many of the lowest are shown; all of them without it. */
  readonly most?: number | undefined;
  /** False: nobody asks what of stored files was not read, which takes reading their facts. */
  readonly withUnread?: boolean;
};

/** The sessions that scored too low to ignore. */
export async function flagSessions(request: FlagRequest, ports: Ports): Promise<Flags> {
  const { below } = request;
  const flags = await answerStored(request, ports, (stored) => flagStored(stored, request));
  if (flags !== undefined) return flags;
  return collectSessions(
    request,
    ports,
    ({ sessions, files, unreadable }) => ({
      below,
      ...allFlagged(lowSessions(sessions, below)),
      sessions: sessions.length,
      scored: sessions.filter(({ session }) => session.q !== undefined).length,
      unread: [...unreadable, ...files.flatMap(truncations)],
    }),
    { whyBelow: below },
  );
}

function allFlagged(flagged: readonly LowSession[]): Pick<Flags, 'flagged' | 'flaggedInAll'> {
  return { flagged, flaggedInAll: flagged.length };
}

async function flagStored(stored: StoredScores, request: FlagRequest): Promise<Flags> {
  const { below, most, withUnread = true } = request;
  const { lowest: flagged, inAll: flaggedInAll } = await storedLowSessions(stored, below, { most });
  const { sessions, q } = await stored.total();
  const unread = withUnread ? await unreadOf(stored) : [];
  return { below, flagged, flaggedInAll, sessions, scored: q.n, unread, unreadable: [] };
}

/** Only what could not be read of a file hides sessions; the files of all others are not asked. */
async function unreadOf({ store }: StoredScores): Promise<Flags['unread']> {
  const unread = new Map<string, Flags['unread'][number]>();
  for await (const row of store.readSessions({ withSkippedLines: true })) {
    const { file } = row.facts as unknown as { readonly file: FileReading };
    for (const one of truncations(file)) unread.set(`${one.path} ${one.why}`, one);
  }
  return [...unread.values()];
}
