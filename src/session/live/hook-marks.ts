/**
 * Files that hooks write for a follower: one per transcript whose session has ended, and one per following process, so
 * that a hook knows whether it has to score the session itself.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDead, tryLock } from '../../locked-file.ts';
import { makeOwnFolder } from '../../own-folder.ts';

const ENDED = '.ended';
const FOLLOWING = '.following';
/** Longer than any that follows needs to see it. */
const MAX_AGE_MS = 600_000;

type EndMark = { readonly name: string; readonly path: string };

/** False: nothing can be left there. */
export function markEnded(folder: string, path: string): boolean {
  if (!makeOwnFolder(folder)) return false;
  const name = `${createHash('sha256').update(path).digest('hex').slice(0, 24)}${ENDED}`;
  writeFileSync(join(folder, name), path, { mode: 0o600 });
  return true;
}

/** Marks that are there now; old ones are removed. */
export function marksIn(folder: string, now: number): EndMark[] {
  return namesIn(folder, ENDED).flatMap((name) => {
    const file = join(folder, name);
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return [];
    if (now - stats.mtimeMs > MAX_AGE_MS) {
      rmSync(file, { force: true });
      return [];
    }
    return [{ name: `${name} ${stats.mtimeMs}`, path: readFileSync(file, 'utf8') }];
  });
}

/** From now until `stop` hooks leave the work to this process. */
export function noteFollowing(folder: string): { readonly stop: () => void } {
  if (!makeOwnFolder(folder)) return { stop: () => {} };
  const file = join(folder, `${process.pid}${FOLLOWING}`);
  tryLock(file);
  return { stop: () => rmSync(file, { force: true }) };
}

export function isFollowed(folder: string): boolean {
  return namesIn(folder, FOLLOWING).some((name) => {
    const isOver = isDead(join(folder, name));
    if (isOver) rmSync(join(folder, name), { force: true });
    return !isOver;
  });
}

function namesIn(folder: string, end: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(end));
  } catch {
    return [];
  }
}
