/**
 * The key of a server that only this machine reaches. A connection from this machine says nothing about who asks: a proxy makes
 * everybody look like it. Whoever has the key can read a file that only its owner can read.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isOwnFile, makeGuardedFolder, userConfigFolder } from '../../own-folder.ts';

export function localKeyPath(environment: Readonly<Record<string, string | undefined>>): string {
  return join(userConfigFolder(environment), 'serve-key');
}

const KEY = /^[\w-]{43}$/;

/** The same at every start, so that open pages go on after a restart; a new one where the file is gone or others can read it. */
export function localKey(path: string): string {
  const stored = readKey(path);
  if (stored !== undefined) return stored;
  const key = randomBytes(32).toString('base64url');
  const written = `${path}.${process.pid}`;
  try {
    if (!makeGuardedFolder(dirname(path))) return key;
    writeFileSync(written, `${key}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(written, path);
  } catch {
    // Nothing can be stored: the key is good until this server stops.
  }
  return key;
}

function readKey(path: string): string | undefined {
  try {
    if (!isOwnFile(path) || (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0))
      return undefined;
    const key = readFileSync(path, 'utf8').trim();
    return KEY.test(key) ? key : undefined;
  } catch {
    return undefined;
  }
}

/** In constant time. */
export function isKey(secret: string, key: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(secret), hash(key));
}
