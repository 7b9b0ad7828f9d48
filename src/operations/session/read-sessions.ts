import type { AssayError } from '../../errors.ts';
import type { FileReading, SessionFacts } from '../../session/evidence.ts';
import type { FileStamp } from '../../session/ingest/cache/plan-file.ts';
import { readersVersion } from '../../session/ingest/cache/readers-version.ts';
import { openTranscriptCache } from '../../session/ingest/cache/transcript-cache.ts';
import type { Unread } from '../../session/ingest/files/find-files.ts';
import { scanAll } from '../../session/ingest/read-all.ts';
import type { KeptSessions } from '../../session/ingest/reading/kept-sessions.ts';
import {
  closeSpill,
  openSpill,
  type Portion,
  SpillList,
  valuesOf,
} from '../../session/ingest/reading/spill-list.ts';
import type { LeftOut, Looked } from '../../session/results.ts';
import { takeTurns } from '../../session/stop-if-aborted.ts';
import type { Ports } from '../ports.ts';
import { findTranscripts } from './find-transcripts.ts';
import type { SessionRequest, TranscriptPlaces } from './session-request.ts';

/** A session, and where its facts can be had again. */
export type ReadSession = {
  readonly facts: SessionFacts;
  readonly file: FileReading;
  readonly portion: Portion;
  readonly index: number;
};

export type ReadSessions = LeftOut & {
  /** Not after `close`. */
  readonly sessions: () => Iterable<ReadSession>;
  /** The same as text, in portions. */
  readonly portions: () => Iterable<Portion>;
  readonly files: readonly FileReading[];
  readonly looked: Looked;
  /** What they were read from, where every later change of it can be told. */
  readonly stamps?: readonly FileStamp[] | undefined;
  readonly close: () => void;
};

export function readSessions(from: SessionRequest['from'], ports: Ports): Promise<ReadSessions> {
  return from === 'store' ? readStored(ports) : readTranscripts(from, ports);
}

/** The files that were named, or those of the agents on this machine. */
async function readTranscripts(places: TranscriptPlaces, ports: Ports): Promise<ReadSessions> {
  const { paths } = places;
  const found = findTranscripts(places);
  const cache = places.cache === undefined ? undefined : openTranscriptCache(places.cache, readersVersion());
  const { files, readings, unreadable, stamps, close } = await scanAll([...new Set(found.files)], {
    cache,
    fresh: places.fresh,
    signal: ports.signal,
    onProgress: (done) => ports.progress(readingProgress(done)),
  }).finally(() => cache?.close());
  const looked: Looked = paths.length > 0 ? { in: 'paths', paths } : { in: 'places of agents' };
  const left = { unreadable: [...found.unreadable, ...unreadable], looked, stamps, close };
  return { ...sessionsOf(files, readings), ...left };
}

/** The sessions of files that were read, however that was done. */
export function sessionsOf(
  files: readonly { readonly path: string; readonly kept: KeptSessions }[],
  readings: readonly FileReading[],
): Pick<ReadSessions, 'sessions' | 'portions' | 'files'> {
  const byPath = new Map(readings.map((reading) => [reading.path, reading]));
  return {
    sessions: function* (): Generator<ReadSession> {
      for (const { path, kept } of files) {
        const file = byPath.get(path) ?? emptyReading(path);
        for (const portion of kept.portions) yield* sessionsIn(portion, () => file);
      }
    },
    portions: () => files.flatMap(({ kept }) => kept.portions),
    files: readings,
  };
}

/** Whether to go on is asked after so many rows. */
const READ_TOGETHER = 250;

/** What the store remembers of them. */
async function readStored(ports: Ports): Promise<ReadSessions> {
  const store = await ports.store('looking');
  const { signal } = ports;
  const spill = openSpill();
  const list = new SpillList<SessionFacts>(spill);
  const byPath = new Map<string, FileReading>();
  const fileOf: FileReading[] = [];
  const unreadable: Unread[] = [];
  const onDamage = ({ message, remedy }: AssayError): void =>
    void unreadable.push({ path: store.address, why: `${message}. ${remedy}` });
  try {
    for await (const row of store.readSessions({ onDamage })) {
      if (fileOf.length % READ_TOGETHER === 0) await takeTurns(signal);
      const { facts, file } = row.facts as unknown as { facts: SessionFacts; file: FileReading };
      list.add(facts);
      if (!byPath.has(file.path)) byPath.set(file.path, file);
      fileOf.push(byPath.get(file.path) ?? file);
    }
  } catch (error) {
    closeSpill(spill);
    throw error;
  }
  const sessions = function* (): Generator<ReadSession> {
    let place = 0;
    for (const portion of list.portions()) yield* sessionsIn(portion, () => fileOf[place++] as FileReading);
  };
  return {
    sessions,
    portions: () => list.portions(),
    files: [...byPath.values()],
    unreadable,
    looked: { in: 'store', address: store.address },
    close: () => closeSpill(spill),
  };
}

function* sessionsIn(portion: Portion, fileOf: () => FileReading): Generator<ReadSession> {
  let index = 0;
  for (const facts of valuesOf<SessionFacts>([portion])) {
    yield { facts, file: fileOf(), portion, index };
    index += 1;
  }
}

function emptyReading(path: string): FileReading {
  return { path, lines: 0, skipped: {}, unknownRecords: {} };
}

const MEGABYTE = 1_000_000;

/** Few large files are told by their size, many small ones by their number. */
function readingProgress(read: { files: number; ofFiles: number; bytes: number; ofBytes: number }) {
  const what = 'Reading';
  if (read.ofBytes < MEGABYTE * read.ofFiles)
    return { what, done: read.files, total: read.ofFiles, unit: 'files' };
  const [done, total] = [read.bytes, read.ofBytes].map((bytes) => Math.round(bytes / MEGABYTE));
  return { what, done: done ?? 0, total: total ?? 0, unit: 'MB' };
}
