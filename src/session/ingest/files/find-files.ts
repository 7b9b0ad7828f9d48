/** Named paths (files, folders, globs) → the files to read, in a stable order. */
import { type Dirent, existsSync, globSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import { AssayError } from '../../../errors.ts';
import { fileError } from '../../../files.ts';
import type { Place } from '../formats/format.ts';
import { FORMATS } from '../formats/formats.ts';
import { STANDARD_INPUT } from './open-input.ts';

const PLAUSIBLE = /\.(?:jsonl|ndjson|json|traj|sqlite|db)(?:\.(?:gz|zst))?$/i;
const INCLUDED = FORMATS.flatMap(({ includes }) => includes ?? []);
const IGNORED = FORMATS.flatMap(({ ignores }) => ignores ?? []);
const PATTERN = /[*?[\]{}]/;

/** Called for everything that cannot be opened: its content is unknown, not empty. */
export type OnUnreadable = (unread: Unread) => void;
export type Unread = { readonly path: string; readonly why: string };

/** Every file once, however often it was named, by path. A file that is named outright is always among them. */
export function filesOf(paths: readonly string[], onUnreadable: OnUnreadable): string[] {
  const files = new Set<string>();
  const unread: Unread[] = [];
  for (const path of paths) for (const file of filesNamed(path, (one) => unread.push(one))) files.add(file);
  for (const one of unread) if (!isReadAnyway(one.path, files, paths)) onUnreadable(one);
  return [...files].sort();
}

/** A link to a file, or into a folder, that was named as well. */
function isReadAnyway(path: string, files: ReadonlySet<string>, named: readonly string[]): boolean {
  try {
    if (!lstatSync(path).isSymbolicLink()) return false;
    const target = realpathSync(path);
    const isNamed = (one: string): boolean => {
      const folder = realpathSync(one);
      return target === folder || target.startsWith(folder + sep);
    };
    return files.has(target) || named.some((one) => existsSync(one) && isNamed(one));
  } catch {
    return false;
  }
}

function filesNamed(path: string, onUnreadable: OnUnreadable): string[] {
  if (path === STANDARD_INPUT) return [path];
  try {
    return statSync(path).isDirectory() ? filesUnder(resolve(path), onUnreadable) : [resolve(path)];
  } catch (cause) {
    if (PATTERN.test(path)) return filesMatching(path, onUnreadable);
    throw fileError(path, cause);
  }
}

function filesMatching(pattern: string, onUnreadable: OnUnreadable): string[] {
  const found = globSync(pattern).flatMap((path) =>
    statSync(path, { throwIfNoEntry: false })?.isDirectory()
      ? filesUnder(resolve(path), onUnreadable)
      : [resolve(path)],
  );
  if (found.length === 0) throw new AssayError('FILE_NOT_FOUND', `no file matches ${pattern}`);
  return found;
}

/** Which files of a folder to read; by default all plausible ones. */
type Wanted = Pick<Place, 'only' | 'holds'>;

/**
 * Links are not followed: they may lead out of the folder, or in a circle; those that lead out are reported. A missing
 * folder is empty.
 */
export function filesUnder(folder: string, onUnreadable: OnUnreadable, wanted: Wanted = {}): string[] {
  const { holds } = wanted;
  const files: string[] = [];
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of entriesOf(next, onUnreadable)) {
      const path = within(next, entry.name);
      if (entry.isFile()) {
        if (isWanted(path, wanted)) files.push(path);
      } else if (entry.isDirectory()) {
        if (holds !== undefined && hasOwn(path, holds)) files.push(within(path, holds));
        else waiting.push(path);
      } else noteSkipped(entry, path, folder, wanted, onUnreadable);
    }
  }
  return files.sort();
}

/** Of the folder itself only. */
export function filesIn(folder: string, onUnreadable: OnUnreadable, wanted: Wanted = {}): string[] {
  return entriesOf(folder, onUnreadable)
    .filter((entry) => {
      const isFile = entry.isFile();
      if (!isFile && !entry.isDirectory())
        noteSkipped(entry, within(folder, entry.name), folder, wanted, onUnreadable);
      return isFile;
    })
    .map(({ name }) => within(folder, name))
    .filter((path) => isWanted(path, wanted))
    .sort();
}

function noteSkipped(
  entry: Dirent,
  path: string,
  root: string,
  wanted: Wanted,
  onUnreadable: OnUnreadable,
): void {
  const why = whySkipped(entry, path, { root, isWanted: (one) => isWanted(one, wanted) });
  if (why !== undefined) onUnreadable({ path, why });
}

/** A fast join, because it runs for every file; the names contain no dots to resolve. */
function within(folder: string, name: string): string {
  return folder.endsWith(sep) ? folder + name : folder + sep + name;
}

/** No part of the way to it is a link. */
function hasOwn(folder: string, file: string): boolean {
  let path = folder;
  let isFile = false;
  for (const part of file.split(sep)) {
    path = within(path, part);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined || stats.isSymbolicLink()) return false;
    isFile = stats.isFile();
  }
  return isFile;
}

function isWanted(path: string, { only }: Wanted): boolean {
  return (only === undefined || only.test(path)) && isPlausible(path);
}

function isPlausible(path: string): boolean {
  const isNamed = PLAUSIBLE.test(path) || INCLUDED.some((includes) => includes(path));
  return isNamed && !IGNORED.some((ignores) => ignores(path));
}

/** Bytes that are not UTF-8 in a name appear as replacement characters, so the path cannot be opened. */
function isGarbled(name: string): boolean {
  return name.includes('\uFFFD');
}

function entriesOf(folder: string, onUnreadable: OnUnreadable): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter((entry) => {
      const isThere = !isGarbled(entry.name) || existsSync(join(folder, entry.name));
      if (!isThere) onUnreadable({ path: join(folder, entry.name), why: 'its name is not UTF-8: rename it' });
      return isThere;
    });
  } catch (cause) {
    const error = fileError(folder, cause);
    if (error.code !== 'FILE_NOT_FOUND') onUnreadable({ path: folder, why: error.message });
    return [];
  }
}

/** Locks of editors and browsers: links that are meant to lead nowhere. */
const LOCK = /^(?:\.#|Singleton)/;

/**
 * Why an entry that is neither a file nor a folder is skipped, where it could be a transcript; undefined where nothing
 * is missed. A link into `root` leads to a file that is read anyway.
 */
function whySkipped(
  entry: Dirent,
  path: string,
  { root, isWanted }: { readonly root: string; readonly isWanted: (path: string) => boolean },
): string | undefined {
  if (!entry.isSymbolicLink()) return isWanted(path) ? `it is ${kindOf(entry)}, not a file` : undefined;
  try {
    const target = realpathSync(path);
    const home = realpathSync(root);
    if (target === home || target.startsWith(home.endsWith(sep) ? home : home + sep)) return undefined;
    const isFolder = statSync(target).isDirectory();
    if (!isFolder && !isWanted(path)) return undefined;
    return `it is a link to a ${isFolder ? 'folder' : 'file'} elsewhere and is not followed: name ${target} as well`;
  } catch {
    return LOCK.test(basename(path)) ? undefined : 'it is a link that leads nowhere';
  }
}

function kindOf(entry: Dirent): string {
  if (entry.isFIFO()) return 'a pipe';
  return entry.isSocket() ? 'a socket' : 'a device';
}
