import { type Dirent, realpathSync, statSync } from 'node:fs';
import { basename, sep } from 'node:path';

/** Locks of editors and browsers: links that are meant to lead nowhere. */
const LOCK = /^(?:\.#|Singleton)/;

/**
 * Why an entry that is neither a file nor a folder is not read, where it could stand for a transcript; undefined where
 * nothing is missed by it. A link into `root` leads to what is read anyway.
 */
export function whyPassedOver(
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
