import type { AssayError } from '../../errors.ts';
import type { FileReading, SessionFacts } from '../../session/evidence.ts';
import type { Unread } from '../../session/ingest/files/find-files.ts';
import { readAll } from '../../session/ingest/read-all.ts';
import type { LeftOut, Looked } from '../../session/results.ts';
import { yieldToEventLoop } from '../../session/stop-if-aborted.ts';
import type { Ports } from '../ports.ts';
import { findTranscripts } from './find-transcripts.ts';
import type { SessionRequest, TranscriptPlaces } from './session-request.ts';

export type ReadSession = { readonly facts: SessionFacts; readonly file: FileReading };

export type ReadSessions = LeftOut & {
  readonly sessions: readonly ReadSession[];
  readonly files: readonly FileReading[];
  readonly looked: Looked;
};

export function readSessions(from: SessionRequest['from'], ports: Ports): Promise<ReadSessions> {
  return from === 'store' ? readStored(ports) : readTranscripts(from, ports);
}

/** The files that were named, or those of the agents on this machine. */
async function readTranscripts(places: TranscriptPlaces, ports: Ports): Promise<ReadSessions> {
  const { paths } = places;
  const found = findTranscripts(places);
  const { sessions, readings, unreadable } = await readAll(found.files, {
    signal: ports.signal,
    onProgress: ({ files, ofFiles }) =>
      ports.progress({ what: 'Reading', done: files, total: ofFiles, unit: 'files' }),
  });
  const looked: Looked = paths.length > 0 ? { in: 'paths', paths } : { in: 'places of agents' };
  return {
    ...sessionsOf(sessions, readings),
    unreadable: [...found.unreadable, ...unreadable],
    looked,
  };
}

/** The sessions of files that were read, however that was done. */
export function sessionsOf(
  sessions: readonly { readonly path: string; readonly facts: SessionFacts }[],
  readings: readonly FileReading[],
): Pick<ReadSessions, 'sessions' | 'files'> {
  const byPath = new Map(readings.map((reading) => [reading.path, reading]));
  return {
    sessions: sessions.map(({ path, facts }) => ({ facts, file: byPath.get(path) ?? emptyReading(path) })),
    files: readings,
  };
}

/** Whether to go on is asked after so many rows. */
const READ_TOGETHER = 250;

async function readStored(ports: Ports): Promise<ReadSessions> {
  const store = await ports.store('looking');
  const byPath = new Map<string, FileReading>();
  const sessions: ReadSession[] = [];
  const unreadable: Unread[] = [];
  const onDamage = ({ message, remedy }: AssayError): void =>
    void unreadable.push({ path: store.address, why: `${message}. ${remedy}` });
  for await (const row of store.readSessions({ onDamage })) {
    if (sessions.length % READ_TOGETHER === 0) await yieldToEventLoop(ports.signal);
    const { facts, file } = row.facts as unknown as ReadSession;
    if (!byPath.has(file.path)) byPath.set(file.path, file);
    sessions.push({ facts, file: byPath.get(file.path) ?? file });
  }
  return {
    sessions,
    files: [...byPath.values()],
    unreadable,
    looked: { in: 'store', address: store.address },
  };
}

function emptyReading(path: string): FileReading {
  return { path, lines: 0, skipped: {}, unknownRecords: {} };
}
