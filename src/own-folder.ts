/**
 * Folders that Assay reads code or cached facts from. Whoever can write there decides what runs and what a score says,
 * so such a folder must belong to the user, and no other account may write to it.
 */
import { chmodSync, lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { makeFolder } from './make-folder.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Used where the user has no home, so that nothing is stored. */
const NOWHERE = '/dev/null';

/** A relative home would be a different folder in each working directory, possibly filled by others. */
export function homeOf({ HOME }: Environment): string {
  if (HOME !== undefined && isAbsolute(HOME)) return HOME;
  try {
    // Unlike `homedir` it does not look at HOME again.
    const { homedir } = userInfo();
    return isAbsolute(homedir) ? homedir : NOWHERE;
  } catch {
    return NOWHERE;
  }
}

/** The user's cache folder. */
export function userCacheFolder(env: Environment): string {
  const { XDG_CACHE_HOME } = env;
  if (XDG_CACHE_HOME !== undefined && isAbsolute(XDG_CACHE_HOME)) return join(XDG_CACHE_HOME, 'assay');
  return join(homeOf(env), '.cache', 'assay');
}

/** The user's configuration folder. */
export function userConfigFolder(env: Environment): string {
  const { XDG_CONFIG_HOME } = env;
  if (XDG_CONFIG_HOME !== undefined && isAbsolute(XDG_CONFIG_HOME)) return join(XDG_CONFIG_HOME, 'assay');
  return join(homeOf(env), '.config', 'assay');
}

/** The user's data folder on this platform. */
export function userDataFolder(env: Environment, platform: string = process.platform): string {
  const { XDG_DATA_HOME, LOCALAPPDATA } = env;
  if (XDG_DATA_HOME !== undefined && isAbsolute(XDG_DATA_HOME)) return join(XDG_DATA_HOME, 'assay');
  const home = homeOf(env);
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'assay');
  if (platform === 'win32') return join(LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'assay');
  return join(home, '.local', 'share', 'assay');
}

/**
 * Like `makeOwnFolder`, and no other account may replace any folder on the path: an unpacked or cloned folder belongs
 * to the user too, but its content does not.
 */
export function makeGuardedFolder(path: string): boolean {
  return makeOwnFolder(path) && isGuarded(path);
}

/** In a folder such as `/tmp` only the owner of an entry may rename it, and the owner of the folder. */
function isGuarded(path: string): boolean {
  try {
    for (let folder = dirname(realpathSync(path)); ; folder = dirname(folder)) {
      const stats = statSync(folder);
      const isSticky = (stats.mode & 0o1000) !== 0;
      const owners = [me(), 0];
      if (isSticky ? !isOwnedBy(stats, owners) : !isOnlyWrittenBy(stats, owners)) return false;
      if (dirname(folder) === folder) return true;
    }
  } catch {
    return false;
  }
}

/** Makes the folder, for its owner alone, where there is none. False: it is not to be read from nor written to. */
export function makeOwnFolder(path: string): boolean {
  try {
    makeFolder(path, 0o700);
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) return false;
  }
  return isOwnFolder(path);
}

/** False for a link: its author chose the target. */
export function isOwnFolder(path: string): boolean {
  try {
    const stats = lstatSync(path);
    return stats.isDirectory() && isOnlyWrittenBy(stats, [me()]);
  } catch {
    return false;
  }
}

/** A folder of one's own that others may look into or write to is closed to them from now on. */
export function keepOthersOut(path: string): void {
  try {
    const stats = lstatSync(path);
    const isOpen = stats.isDirectory() && (stats.mode & 0o077) !== 0;
    if (isOpen && process.geteuid !== undefined && isOwnedBy(stats, [me()])) chmodSync(path, 0o700);
  } catch {
    // There is none yet, or nothing about it can be changed.
  }
}

export function isOwnFile(path: string): boolean {
  try {
    const stats = lstatSync(path);
    return stats.isFile() && isOnlyWrittenBy(stats, [me()]);
  } catch {
    return false;
  }
}

/** Whether a file found on the way up from `folder` can be trusted, judging by who could have put it there. */
export function isTrustedFile(path: string, folder: string): boolean {
  const file = statSync(path, { throwIfNoEntry: false });
  // The target of a link may be the user's own and the link somebody else's.
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (file === undefined || entry === undefined) return true;
  const owners = [me(), 0, statSync(folder).uid];
  return owners.includes(entry.uid) && isOnlyWrittenBy(file, owners);
}

function isOnlyWrittenBy(stats: Stats, owners: readonly number[]): boolean {
  const { mode, uid, gid } = stats;
  // A group that has the number of its only member is that person; a volume of a container is root's, and of such a group.
  const others = gid === uid || gid === me() ? 0o002 : 0o022;
  return process.geteuid === undefined || (isOwnedBy(stats, owners) && (mode & others) === 0);
}

/** Where there are no such owners, the home of a person is their own. */
function isOwnedBy({ uid }: Stats, owners: readonly number[]): boolean {
  return process.geteuid === undefined || owners.includes(uid);
}

function me(): number {
  return process.geteuid?.() ?? 0;
}
