/** What a session is called that only its file names. */
import { basename, dirname, resolve } from 'node:path';
import { stemOf } from '../json/json-fields.ts';

/** Names that every run of a benchmark gives its file; the folder is what tells two of them apart. */
const GENERIC = /^(?:results?|outputs?|trajector(?:y|ies)|traj|runs?|data|simulations?|logs?)$/i;

/** `gpt/results.json` → `gpt/results`; a name that says something itself stands alone: `gpt-4o-airline`. */
export function tellingStem(path: string): string {
  return withFolder(stemOf(path).replace(/\.traj$/i, ''), path);
}

export function withFolder(stem: string, path: string): string {
  if (!GENERIC.test(stem)) return stem;
  const folder = basename(dirname(resolve(path)));
  return folder === '' ? stem : `${folder}/${stem}`;
}
