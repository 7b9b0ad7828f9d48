/**
 * Many files → all their sessions in memory, each counted once, in a stable order: by path, then by place in the file.
 * The store is filled file by file instead (src/sync.ts).
 *
 * The way of a line, from the disk to the facts of its session:
 *
 *     files/find-sources, find-files    which files there are
 *     reading/read-files                by which thread
 *     reading/read-file                 lines, one document or a database; files/open-input gives its bytes
 *     reading/read-lines                bytes → records (json/record-reader), whose format is detected
 *     reading/transcript                records → events (formats/<name>/adapter) → fold/ → facts, one per session
 *     duplicates/resolve-duplicates     which file owns an entry that several files have
 *
 * and back from the facts of a session to its messages: replay/.
 */
import type { FileReading, SessionFacts } from '../evidence.ts';
import { stopIfAborted } from '../stop-if-aborted.ts';
import { withoutPrinted } from './duplicates/printed-sessions.ts';
import { readShared } from './duplicates/read-shared.ts';
import { type FileEntries, foundSession, resolveDuplicates } from './duplicates/resolve-duplicates.ts';
import { bytesOf } from './files/file-identity.ts';
import type { OpenInput } from './files/open-input.ts';
import type { LoadedFormat } from './formats/format.ts';
import type { FileResult } from './reading/read-file.ts';
import { type ReadFilesOptions, readFiles } from './reading/read-files.ts';

type FoundFacts = { readonly path: string; readonly facts: SessionFacts };

export type AllRead = {
  readonly sessions: readonly FoundFacts[];
  readonly readings: readonly FileReading[];
  /** Files that could not be read at all. */
  readonly unreadable: readonly { readonly path: string; readonly why: string }[];
};

export type ReadAllOptions = ReadFilesOptions & {
  readonly onProgress?: ((done: { files: number; ofFiles: number }) => void) | undefined;
};

export async function readAll(files: readonly string[], options: ReadAllOptions = {}): Promise<AllRead> {
  const { signal, onProgress, formats } = options;
  const jobs = [...new Set(files)].sort().map((path) => ({ path, bytes: bytesOf(path) }));
  const results = new Map<string, FileResult>();
  const problems = new Map<string, string>();
  await readFiles(
    jobs,
    ({ path }, { result, problem = 'it could not be read' }) => {
      if (result === undefined) problems.set(path, problem);
      else results.set(path, result);
      onProgress?.({ files: results.size + problems.size, ofFiles: jobs.length });
    },
    options,
  );
  stopIfAborted(signal);
  const read = jobs.flatMap(({ path }) => results.get(path) ?? []);
  const sessions = await withoutDuplicates(read, formats);
  return {
    sessions: read.flatMap(({ path }) => (sessions.get(path) ?? []).map((facts) => ({ path, facts }))),
    readings: read.map(({ reading }) => reading),
    unreadable: jobs.flatMap(({ path }) => {
      const why = problems.get(path);
      return why === undefined ? [] : [{ path, why }];
    }),
  };
}

/** The sessions of each file without what counts for another one of them. */
export async function withoutDuplicates(
  files: readonly Pick<FileResult, 'path' | 'sessions' | 'keys'>[],
  formats?: readonly LoadedFormat[],
  open?: OpenInput,
): Promise<Map<string, readonly SessionFacts[]>> {
  const left = new Map<string, readonly SessionFacts[]>(files.map(({ path, sessions }) => [path, sessions]));
  const entries = files.map(
    ({ path, keys, sessions }): FileEntries => ({ path, keys, sessions: sessions.map(foundSession) }),
  );
  for (const group of resolveDuplicates(entries))
    for (const [path, sessions] of await readShared(group, formats, open)) left.set(path, sessions);
  const unprinted = withoutPrinted([...left].map(([path, sessions]) => ({ path, sessions })));
  for (const [path, sessions] of unprinted) left.set(path, sessions);
  return left;
}
