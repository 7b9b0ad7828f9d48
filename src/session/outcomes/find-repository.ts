/** Which repository a session worked in: the folder it recorded, or one that the user names for it. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { isNamedProject } from '../../named-project.ts';
import type { SentBy, SessionFacts } from '../evidence.ts';

/** `from` recorded → `to` here; without `from` for every session. */
type RepositoryPlace = { readonly from?: string; readonly to: string };

export type RepositoryRules = {
  readonly places: readonly RepositoryPlace[];
  /** Project → the local folders below which Assay may read repositories for sessions sent to the server. */
  readonly roots?: Readonly<Record<string, readonly string[]>> | undefined;
};

export type FoundRepository =
  | {
      readonly folder: string;
      /** The session's own folder exists: what it wrote there belongs to the repository. */
      readonly isOwn: boolean;
      /** It must be below one of these, wherever its `.git` points to. */
      readonly within?: readonly string[];
    }
  | { readonly reason: string };

/** The same reason for everything outside the configured folders, so that senders cannot probe which folders exist. */
export const NOT_ALLOWED =
  'it was sent to this server, and its repository is not below the folders of its project (session.repositories) or cannot be read';

export type SessionPlace = { [Key in 'project' | 'sent']?: SessionFacts[Key] | undefined };

export function findRepository(
  { project, sent }: SessionPlace,
  { places, roots = {} }: RepositoryRules,
): FoundRepository {
  const place = placeFor(project, places);
  if (place !== undefined) return named(place, project);
  if (sent === undefined) return recorded(project);
  const allowed = rootsOf(project, sent, roots);
  if (project === undefined || !isBelow(resolve(project), allowed)) return { reason: NOT_ALLOWED };
  const within = allowed.flatMap(realPathOf);
  const { real, rest } = throughLinks(resolve(project));
  const found = isBelow(real, within) ? recorded(join(real, rest)) : undefined;
  if (found === undefined || 'reason' in found || !isBelow(found.folder, within))
    return { reason: NOT_ALLOWED };
  return { ...found, within };
}

/** Resolves the links of a path, and returns the part that does not exist. */
function throughLinks(path: string): { readonly real: string; readonly rest: string } {
  const [real] = realPathOf(path);
  if (real !== undefined || dirname(path) === path) return { real: real ?? path, rest: '' };
  const above = throughLinks(dirname(path));
  return { real: above.real, rest: join(above.rest, basename(path)) };
}

/**
 * The roots of the token's project. A token for all projects gets those of the project that the folder is named after.
 */
function rootsOf(project: string | undefined, sent: SentBy, roots: NonNullable<RepositoryRules['roots']>) {
  return Object.entries(roots).flatMap(([name, folders]) =>
    (sent.project === undefined ? isNamedProject(project, name) : sent.project === name) ? folders : [],
  );
}

export function isBelow(path: string, folders: readonly string[]): boolean {
  return folders.map((one) => resolve(one)).some((one) => path === one || path.startsWith(join(one, sep)));
}

/** The path with links resolved; empty if it does not exist. */
export function realPathOf(path: string): string[] {
  try {
    return [realpathSync.native(path)];
  } catch {
    return [];
  }
}

/** The repository of the folder that the session recorded. */
function recorded(project: string | undefined): FoundRepository {
  if (project === undefined) return { reason: 'the session records no folder' };
  if (!isAbsolute(project)) return { reason: 'its folder is recorded by name only' };
  const folder = nearest(project);
  if (folder === undefined) return { reason: 'its folder does not exist here' };
  const root = rootOf(folder);
  if (root === undefined)
    return {
      reason: folder === project ? 'its folder is in no git repository' : 'its folder does not exist here',
    };
  return { folder: root, isOwn: folder === project };
}

/** The most specific match. */
function placeFor(
  project: string | undefined,
  places: readonly RepositoryPlace[],
): RepositoryPlace | undefined {
  const fits = places.filter(({ from }) => from === undefined || isIn(project, from));
  return fits.sort((a, b) => (b.from?.length ?? 0) - (a.from?.length ?? 0))[0];
}

function isIn(project: string | undefined, folder: string): boolean {
  if (project === undefined) return false;
  const whole = folder.replace(/(?<![\\/])[\\/]+$/, '');
  return project === whole || (project.startsWith(whole) && /[\\/]/.test(project[whole.length] ?? ''));
}

/** The folder belongs to the session when it was named for the recorded folder, or has the same name. */
function named({ from, to }: RepositoryPlace, project: string | undefined): FoundRepository {
  const folder = resolve(to);
  if (!existsSync(folder)) return { reason: 'the named repository does not exist' };
  if (!isFolder(folder)) return { reason: 'the named repository is a file: clone it into a folder first' };
  const isNamesake = project?.split(/[\\/]/).includes(basename(folder)) ?? false;
  return { folder, isOwn: from !== undefined || isNamesake };
}

/** The folder, or the nearest existing one above it: a removed worktree was in its repository. */
function nearest(project: string): string | undefined {
  let folder = project;
  for (let steps = 0; steps < 4; steps += 1) {
    if (isFolder(folder)) return folder;
    const above = dirname(folder);
    if (above === folder || dirname(above) === above) return undefined;
    folder = above;
  }
  return undefined;
}

/** A transcript may record any text as a folder: an impossible or unreadable path counts as missing. */
function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}

/** Looks for `.git`, so that git is not run for folders outside any repository. */
function rootOf(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}
