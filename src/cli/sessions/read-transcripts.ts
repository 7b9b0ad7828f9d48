import { join } from 'node:path';
import { formatCount } from '../../report/number.ts';
import type { FileReading, SessionFacts } from '../../session/evidence.ts';
import { openTranscriptCache } from '../../session/ingest/cache/transcript-cache.ts';
import { filesOf } from '../../session/ingest/files/find-files.ts';
import { findSources } from '../../session/ingest/files/find-sources.ts';
import { scanAll } from '../../session/ingest/read-all.ts';
import { openSpill, type Portion, SpillList, valuesOf } from '../../session/ingest/reading/spill-list.ts';
import { SCORER_VERSION } from '../../session/score.ts';
import type { Arguments, Terminal } from '../command.ts';
import { homeOf } from '../home.ts';

/** A session, and where its facts can be had again. */
export type Found = {
  readonly facts: SessionFacts;
  readonly file: FileReading;
  readonly portion: Portion;
  readonly index: number;
};

export type Transcripts = {
  /** Can be gone through once. */
  readonly sessions: Iterable<Found>;
  readonly files: readonly FileReading[];
  readonly where: string;
};

/** The files that were named, or those of the agents on this machine. */
export async function readTranscripts(args: Arguments, terminal: Terminal): Promise<Transcripts> {
  const named = args.positionals;
  const paths =
    named.length > 0
      ? filesOf(named)
      : findSources(homeOf(terminal), terminal.env).flatMap(({ files }) => files);
  const cache =
    args.values.fresh === true ? undefined : openTranscriptCache(memoryPath(terminal), SCORER_VERSION);
  const { files, readings, unreadable } = await scanAll([...new Set(paths)], {
    cache,
    onProgress: ({ files, ofFiles, bytes, ofBytes }) =>
      terminal.progress(
        `Reading ${bar(ofBytes === 0 ? files / ofFiles : bytes / ofBytes)} ${formatCount(files)} of ${formatCount(ofFiles)} files`,
      ),
  });
  terminal.progress('');
  cache?.close();
  for (const { path, why } of unreadable) terminal.note(`assay: ${path} was left out: ${why}\n`);
  const byPath = new Map(readings.map((reading) => [reading.path, reading]));
  const where = named.length > 0 ? named.join(', ') : 'the places of the known agents';
  const sessions = function* (): Generator<Found> {
    for (const { path, kept } of files) {
      const file = byPath.get(path) ?? emptyReading(path);
      for (const portion of kept.portions) yield* foundIn(portion, () => file);
    }
  };
  return { sessions: sessions(), files: readings, where };
}

/** What the store remembers of them. */
export async function readStored(args: Arguments, terminal: Terminal): Promise<Transcripts> {
  // Not before it is needed: settings bring the checker of configurations with them.
  const { readSettings } = await import('../settings.ts');
  const { address } = (await readSettings(args, terminal)).store;
  const { openStore } = await import('../../store/open.ts');
  const store = await openStore(address);
  try {
    const list = new SpillList<SessionFacts>(openSpill());
    const byPath = new Map<string, FileReading>();
    const fileOf: FileReading[] = [];
    for await (const row of store.readSessions()) {
      const { facts, file } = row.facts as unknown as { facts: SessionFacts; file: FileReading };
      list.add(facts);
      if (!byPath.has(file.path)) byPath.set(file.path, file);
      fileOf.push(byPath.get(file.path) ?? file);
    }
    let place = 0;
    const sessions = function* (): Generator<Found> {
      for (const portion of list.portions()) yield* foundIn(portion, () => fileOf[place++] as FileReading);
    };
    return { sessions: sessions(), files: [...byPath.values()], where: address };
  } finally {
    await store.close();
  }
}

function* foundIn(portion: Portion, fileOf: () => FileReading): Generator<Found> {
  let index = 0;
  for (const facts of valuesOf<SessionFacts>([portion])) {
    yield { facts, file: fileOf(), portion, index };
    index += 1;
  }
}

function emptyReading(path: string): FileReading {
  return { path, lines: 0, skipped: {}, unknownRecords: {} };
}

/** A cache, so that a second run reads only what is new; it may be deleted at any time. */
function memoryPath(terminal: Terminal): string {
  const cache = terminal.env.XDG_CACHE_HOME;
  const folder = cache !== undefined && cache !== '' ? cache : join(homeOf(terminal), '.cache');
  return join(folder, 'assay', 'sessions.db');
}

const BAR_WIDTH = 20;

function bar(share: number): string {
  const full = Math.round(Math.min(1, Math.max(0, share)) * BAR_WIDTH);
  return `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)}`;
}
