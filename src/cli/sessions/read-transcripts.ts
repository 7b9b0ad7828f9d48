import { join } from 'node:path';
import { formatCount } from '../../report/number.ts';
import type { FileReading, SessionFacts } from '../../session/evidence.ts';
import { openMemory } from '../../session/ingest/memory.ts';
import { readAll } from '../../session/ingest/read-all.ts';
import { findSources } from '../../session/ingest/sources.ts';
import { filesOf } from '../../session/ingest/walk.ts';
import { SCORER_VERSION } from '../../session/score.ts';
import type { Arguments, Terminal } from '../command.ts';
import { homeOf } from '../home.ts';

export type Transcripts = {
  readonly entries: readonly { readonly facts: SessionFacts; readonly file: FileReading }[];
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
  const memory = args.values.fresh === true ? undefined : openMemory(memoryPath(terminal), SCORER_VERSION);
  const { sessions, readings, unreadable } = await readAll([...new Set(paths)], {
    memory,
    onProgress: ({ files, ofFiles, bytes, ofBytes }) =>
      terminal.progress(
        `Reading ${bar(ofBytes === 0 ? files / ofFiles : bytes / ofBytes)} ${formatCount(files)} of ${formatCount(ofFiles)} files`,
      ),
  });
  terminal.progress('');
  memory?.close();
  for (const { path, why } of unreadable) terminal.note(`assay: ${path} was left out: ${why}\n`);
  const byPath = new Map(readings.map((reading) => [reading.path, reading]));
  return {
    entries: sessions.map(({ path, facts }) => ({ facts, file: byPath.get(path) ?? emptyReading(path) })),
    files: readings,
    where: named.length > 0 ? named.join(', ') : 'the places of the known agents',
  };
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
