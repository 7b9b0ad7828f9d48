/** What a session is called that only its file names. */
import { basename, dirname, resolve } from 'node:path';
import { STANDARD_INPUT } from './open-input.ts';

/** Names a session without a name after its file, and after its folder where the file name is generic. */
export function nameOfFile(path: string): string {
  if (path === STANDARD_INPUT) return 'stdin';
  const stem = basename(path).replace(/(?:\.(?:jsonl|ndjson|json|traj))?(?:\.(?:gz|zst))?$/i, '');
  return withFolder(stem || basename(path), path);
}

/** File names that every run of a benchmark uses; the folder distinguishes them. */
const GENERIC = /^(?:results?|outputs?|trajector(?:y|ies)|traj|runs?|data|simulations?|logs?)$/i;

/** `gpt/results.json` → `gpt/results`; a distinctive name is used alone: `gpt-4o-airline`. */
export function uniqueStem(path: string): string {
  return withFolder(stemOf(path).replace(/\.traj$/i, ''), path);
}

function withFolder(stem: string, path: string): string {
  if (!GENERIC.test(stem)) return stem;
  const folder = basename(dirname(resolve(path)));
  return folder === '' ? stem : `${folder}/${stem}`;
}

/** Name of a file without folders, compression and extension. */
export function stemOf(path: string): string {
  const name = basename(path).replace(/\.(gz|zst)$/i, '');
  const stem = name.replace(/\.[A-Za-z0-9]{1,8}$/, '');
  return stem === '' ? name : stem;
}
