/** Which repository a session worked in: the folder it recorded, or the one that somebody names for it. */
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';

/** `from` recorded → `to` here; without `from` for every session. */
export type RepositoryPlace = { readonly from?: string; readonly to: string };

export type FoundRepository =
  | {
      readonly folder: string;
      /** The session's own folder is there: what it wrote in it belongs to the repository. */
      readonly isOwn: boolean;
    }
  | { readonly reason: string };

export function findRepository(
  project: string | undefined,
  places: readonly RepositoryPlace[],
): FoundRepository {
  const place = placeFor(project, places);
  if (place !== undefined) return named(place, project);
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
  const whole = folder.replace(/[\\/]+$/, '');
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
