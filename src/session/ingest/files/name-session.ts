/** A session that its transcript gives no name is called like its file; if that says nothing, with its folder. */
import { basename } from 'node:path';
import { withFolder } from './file-stem.ts';
import { STANDARD_INPUT } from './open-input.ts';

export function nameOfFile(path: string): string {
  if (path === STANDARD_INPUT) return 'stdin';
  const stem = basename(path).replace(/(?:\.(?:jsonl|ndjson|json|traj))?(?:\.(?:gz|zst))?$/i, '');
  return withFolder(stem || basename(path), path);
}
