/**
 * One hash of everything that decides the facts of a transcript: the code of the readers and of the fold. Facts read by
 * other code are read again, without a version number to maintain.
 */
import { createHash } from 'node:crypto';
import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const SESSION = fileURLToPath(new URL('..', import.meta.url));
/** Written by the build (stamp-readers.ts); the sources have none. */
export const STAMP = join(SESSION, 'readers.sha256');
/** Folders with code that facts depend on, relative to `session/`; the files of `session/` itself are included. */
const FOLDERS = ['ingest', 'fold', 'profiles', '../archives'];

let known: string | undefined;

export function readersVersion(): string {
  known ??= readStamp() ?? hashReaders(SESSION);
  return known;
}

function readStamp(): string | undefined {
  try {
    return readFileSync(STAMP, 'utf8');
  } catch {
    return undefined;
  }
}

/** `session` is the folder of that name, with the readers in it. */
export function hashReaders(session: string): string {
  const hash = createHash('sha256');
  for (const path of readerFiles(session))
    hash.update(`${relative(session, path)}\n`).update(readFileSync(path));
  return hash.digest('hex');
}

/** All modules that are hashed, by path. */
export function readerFiles(session: string): string[] {
  const own = readdirSync(session, { withFileTypes: true });
  return [...modulesAmong(own), ...FOLDERS.flatMap((folder) => modulesIn(join(session, folder)))].sort();
}

function modulesIn(folder: string): string[] {
  return modulesAmong(readdirSync(folder, { withFileTypes: true, recursive: true })).sort();
}

function modulesAmong(entries: readonly Dirent[]): string[] {
  return entries
    .filter((entry) => entry.isFile() && isModule(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name));
}

function isModule(name: string): boolean {
  return /\.[jt]s$/.test(name) && !/\.(test|d)\.[jt]s$/.test(name);
}
