/** Where the known agents store their sessions, and what is there. */
import { statSync } from 'node:fs';
import type { Environment, Place } from '../formats/format.ts';
import { FORMATS } from '../formats/formats.ts';
import { filesIn, filesUnder, type Unread } from './find-files.ts';

export type SessionSource = {
  /** The format that is looked for. */
  readonly source: string;
  readonly agent: string;
  /** The folder that is looked through. */
  readonly place: string;
  readonly exists: boolean;
  readonly files: readonly string[];
  /** Folders that could not be read. */
  readonly unreadable: readonly Unread[];
};

type Whose = { readonly source: string; readonly agent: string };

export function placesOf(home: string, env: Environment): (Place & Whose)[] {
  return FORMATS.flatMap(({ name, places }) =>
    (places?.(home, env) ?? []).map((place) => ({ source: name, agent: name, ...place })),
  );
}

export function findSources(home: string, env: Environment): SessionSource[] {
  return placesOf(home, env).map(({ source, agent, place, flat, ...wanted }) => {
    const unreadable: Unread[] = [];
    const files = (flat ? filesIn : filesUnder)(place, (unread) => unreadable.push(unread), wanted);
    return {
      source,
      agent,
      place,
      exists: isFolder(place),
      files,
      unreadable,
    };
  });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
