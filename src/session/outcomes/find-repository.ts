/** Which repository a session worked in: the folder it recorded, or the one that somebody names for it. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { isNamedProject } from '../../named-project.ts';
import type { SentBy, SessionFacts } from '../evidence.ts';

/** `from` recorded → `to` here; without `from` for every session. */
type RepositoryPlace = { readonly from?: string; readonly to: string };

export type RepositoryRules = {
  readonly places: readonly RepositoryPlace[];
  /** Project → the folders of this machine below which repositories are asked for its sessions that were sent. */
  readonly roots?: Readonly<Record<string, readonly string[]>> | undefined;
};

export type FoundRepository =
  | {
      readonly folder: string;
      /** The session's own folder is there: what it wrote in it belongs to the repository. */
      readonly isOwn: boolean;
      /** It must lie below one of these, wherever its `.git` points to. */
      readonly within?: readonly string[];
    }
  | { readonly reason: string };

/** Said of everything that is not below a configured folder, whatever is there: that is not for the sender to learn. */
export const NOT_ALLOWED =
  'it was sent to this server, and its repository is not below the folders of its project (session.repositories) or cannot be read';

export type WhereItWorked = { [Key in 'project' | 'sent']?: SessionFacts[Key] | undefined };

export function findRepository(
  { project, sent }: WhereItWorked,
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

/** Where links lead on the way to it, and what of the way is not there. */
function throughLinks(path: string): { readonly real: string; readonly rest: string } {
  const [real] = realPathOf(path);
  if (real !== undefined || dirname(path) === path) return { real: real ?? path, rest: '' };
  const above = throughLinks(dirname(path));
  return { real: above.real, rest: join(above.rest, basename(path)) };
}

/** Of the project that the token is for, or, with a token for all, of those that its folder is named for. */
function rootsOf(project: string | undefined, sent: SentBy, roots: NonNullable<RepositoryRules['roots']>) {
  return Object.entries(roots).flatMap(([name, folders]) =>
    (sent.project === undefined ? isNamedProject(project, name) : sent.project === name) ? folders : [],
  );
}

export function isBelow(path: string, folders: readonly string[]): boolean {
  return folders.map((one) => resolve(one)).some((one) => path === one || path.startsWith(join(one, sep)));
}

/** Where the links on the way to it lead; nothing where it is not there. */
export function realPathOf(path: string): string[] {
  try {
    return [realpathSync.native(path)];
  } catch {
    return [];
  }
}

/** As the session recorded it. */
function recorded(project: string | undefined): FoundRepository {
  if (project === undefined) return { reason: 'it does not say in which folder it worked' };
  if (!isAbsolute(project)) return { reason: 'its folder is recorded by name only' };
  const folder = nearest(project);
  if (folder === undefined) return { reason: 'the folder it worked in is not here' };
  const root = rootOf(folder);
  if (root === undefined)
    return {
      reason:
        folder === project ? 'its folder is in no git repository' : 'the folder it worked in is not here',
    };
  return { folder: root, isOwn: folder === project };
}

/** The most particular one. */
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

/** Named for the folder that it recorded, or of the same name: then it is the session's own. */
function named({ from, to }: RepositoryPlace, project: string | undefined): FoundRepository {
  const folder = resolve(to);
  if (!existsSync(folder)) return { reason: 'the repository that was named does not exist' };
  if (!isFolder(folder))
    return { reason: 'the repository that was named is a file: clone it into a folder first' };
  const isNamesake = project?.split(/[\\/]/).includes(basename(folder)) ?? false;
  return { folder, isOwn: from !== undefined || isNamesake };
}

/** The folder, or the nearest one above it: a worktree that was removed stood in its repository. */
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

/** Any text may be recorded as a folder: one that no path can be, or that is not for us to see, is not here. */
function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}

/** Seen by its `.git`, so that git need not be asked for folders that are in none. */
function rootOf(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}
