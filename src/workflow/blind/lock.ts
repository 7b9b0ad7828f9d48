import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { AssayError } from '../../errors.ts';

const STEP_MS = 15;

/**
 * Runs `work` while this process alone holds the lock file. Waits for other processes, but not for ever; the lock of a
 * process of this machine that has ended is taken over.
 */
export function withLock<Result>(path: string, work: () => Result, waitMs = 15_000): Result {
  const mine = `${hostname()} ${process.pid}\n`;
  const until = Date.now() + waitMs;
  while (!take(path, mine)) {
    if (Date.now() >= until) throw busy(path);
    removeIfAbandoned(path, mine);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STEP_MS);
  }
  try {
    return work();
  } finally {
    rmSync(path, { force: true });
  }
}

function take(path: string, mine: string): boolean {
  try {
    writeFileSync(path, mine, { flag: 'wx' });
    return true;
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'EEXIST') return false;
    throw new AssayError('OUTPUT_FAILED', `${path} cannot be written: ${String(cause)}`, { cause });
  }
}

/** Two processes must not both remove it: the second would remove the lock that the first has taken since. */
function removeIfAbandoned(path: string, mine: string): void {
  if (!isAbandoned(path)) return;
  const guard = `${path}.takeover`;
  if (!take(guard, mine)) return;
  try {
    if (isAbandoned(path)) rmSync(path, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
}

function isAbandoned(path: string): boolean {
  const [, host, pid] = /^(.*) (\d+)\n$/.exec(holder(path)) ?? [];
  if (pid === undefined || host !== hostname()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && cause.code === 'ESRCH';
  }
}

function holder(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function busy(path: string): AssayError {
  const who = holder(path).trim();
  return new AssayError(
    'BLIND_BUSY',
    `${path} is held by another process${who === '' ? '' : ` (${who}: machine and process id)`}`,
  );
}
