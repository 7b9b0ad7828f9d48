/** Files under git that several processes add to at once: one at a time, and never seen half written. */
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AssayError } from './errors.ts';
import { makeFolder } from './make-folder.ts';

/** Writing takes milliseconds; a lock held for longer than this hangs. */
const WAIT_MS = 30_000;
/** A lock without an owner is being written, or its writer died. */
const NAMELESS_MS = 10_000;

/** Runs `work` while it holds the lock of `path`, a file next to it. */
export async function underLock<T>(
  path: string,
  work: () => T | Promise<T>,
  options: { readonly waitMs?: number } = {},
): Promise<T> {
  const lock = `${path}.lock`;
  const until = performance.now() + (options.waitMs ?? WAIT_MS);
  while (!tryLock(lock)) {
    if (performance.now() > until) throw busy(path, lock);
    await sleep(5 + Math.random() * 20);
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Takes the lock if it is free or its owner is dead; the caller removes it. */
export function tryLock(lock: string): boolean {
  return take(lock) || (releaseDead(lock) && take(lock));
}

/** Who holds it, for messages. */
export function lockHolder(lock: string): string | undefined {
  try {
    const owner = ownerOf(lock);
    return owner && `process ${owner.pid} of ${owner.host}`;
  } catch {
    return undefined;
  }
}

type Owner = {
  readonly pid: number;
  readonly host: string;
  /** Tells a process from a later one with its number: in a container every server has the same. */
  readonly started?: string | undefined;
};

/** When a process started, in ticks since the system did; undefined where the system does not tell. */
function startOf(pid: number): string | undefined {
  try {
    // Its name may hold anything, a bracket too.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

function take(lock: string): boolean {
  let file: number;
  try {
    makeFolder(dirname(lock));
    file = openSync(lock, 'wx');
  } catch (cause) {
    // Whatever is there, it is not ours.
    if (codeOf(cause) === 'EEXIST') return false;
    throw failed(lock, cause);
  }
  try {
    const owner: Owner = { pid: process.pid, host: hostname(), started: startOf(process.pid) };
    writeFileSync(file, JSON.stringify(owner));
    return true;
  } catch (cause) {
    // Created, but the disk was too full to write the owner: nobody holds it.
    rmSync(lock, { force: true });
    throw failed(lock, cause);
  } finally {
    closeSync(file);
  }
}

/**
 * Removes the lock of a dead process. One process at a time may do so, and it checks again first: otherwise the second
 * would remove a lock taken in between.
 */
function releaseDead(lock: string): boolean {
  if (!isDead(lock)) return false;
  const breaking = `${lock}.breaking`;
  try {
    writeFileSync(breaking, '', { flag: 'wx' });
  } catch {
    // So does one that died while it removed a lock.
    if (isDead(breaking)) rmSync(breaking, { force: true });
    return false;
  }
  try {
    if (isDead(lock)) rmSync(lock, { force: true });
    return true;
  } finally {
    rmSync(breaking, { force: true });
  }
}

/** Whether its process has ended. Processes of another machine cannot be checked; their lock counts as held. */
export function isDead(lock: string): boolean {
  try {
    const owner = ownerOf(lock);
    if (owner === undefined) return Date.now() - statSync(lock).mtimeMs > NAMELESS_MS;
    if (owner.host !== hostname()) return false;
    const started = startOf(owner.pid);
    const isOther = owner.started !== undefined && started !== undefined && owner.started !== started;
    return isOther || !isRunning(owner.pid);
  } catch {
    // It is gone by now.
    return false;
  }
}

function ownerOf(lock: string): Owner | undefined {
  const text = readFileSync(lock, 'utf8');
  try {
    const { pid, host, started } = JSON.parse(text) as Partial<Owner>;
    return Number.isInteger(pid) && typeof host === 'string'
      ? { pid: pid as number, host, started }
      : undefined;
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return codeOf(cause) !== 'ESRCH';
  }
}

/**
 * Written to a temp file next to it, then renamed. A link stays a link: its target is replaced. A device or a pipe is
 * written to.
 */
export function replaceFile(path: string, text: string): void {
  const target = leadsTo(path);
  const temporary = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`);
  try {
    if (isDevice(target)) {
      writeFileSync(target, text);
      return;
    }
    makeFolder(dirname(target));
    const file = openSync(temporary, 'wx');
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, target);
  } catch (cause) {
    if (existsSync(temporary)) rmSync(temporary);
    throw failed(path, cause);
  }
}

function isDevice(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && !stats.isFile() && !stats.isDirectory();
}

function leadsTo(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function busy(path: string, lock: string): AssayError {
  return new AssayError('FILE_BUSY', `${path} is locked by another process (${lock}); nothing was written`);
}

function failed(path: string, cause: unknown): AssayError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new AssayError('OUTPUT_FAILED', `${path} cannot be written: ${why}`, {
    cause,
    remedy: 'Free space, or see that its folder may be written.',
  });
}

function codeOf(cause: unknown): unknown {
  return cause instanceof Error && 'code' in cause ? cause.code : undefined;
}
