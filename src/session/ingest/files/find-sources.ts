/** Where the known agents keep their sessions, and what is there: everybody can see what is looked at (R60). */
import { statSync } from 'node:fs';
import type { Environment, Place } from '../formats/format.ts';
import { FORMATS } from '../formats/formats.ts';
import { filesIn, filesUnder } from './find-files.ts';

export type SessionSource = {
  readonly agent: string;
  /** The folder that is looked through. */
  readonly place: string;
  readonly exists: boolean;
  readonly files: readonly string[];
};

export function placesOf(home: string, env: Environment): (Place & { readonly agent: string })[] {
  return FORMATS.flatMap(({ name, places }) =>
    (places?.(home, env) ?? []).map((place) => ({ agent: name, ...place })),
  );
}

export function findSources(home: string, env: Environment): SessionSource[] {
  return placesOf(home, env).map(({ agent, place, only, flat }) => {
    const files = flat ? filesIn(place) : filesUnder(place);
    return {
      agent,
      place,
      exists: isFolder(place),
      files: only ? files.filter((path) => only.test(path)) : files,
    };
  });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
