import { rmSync } from 'node:fs';
import { AssayError } from '../../errors.ts';
import { lockHolder, tryLock } from '../../locked-file.ts';

const STEP_MS = 15;

/**
 * Runs `work` while this process alone holds the lock file. Waits for other processes, but not for ever; the lock of a
 * process of this machine that has ended is taken over.
 */
export function withLock<Result>(path: string, work: () => Result, waitMs = 15_000): Result {
  const until = Date.now() + waitMs;
  while (!tryLock(path)) {
    if (Date.now() >= until) throw busy(path);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STEP_MS);
  }
  try {
    return work();
  } finally {
    rmSync(path, { force: true });
  }
}

function busy(path: string): AssayError {
  const who = lockHolder(path);
  return new AssayError(
    'BLIND_BUSY',
    `${path} is held by another process${who === undefined ? '' : ` (${who})`}`,
  );
}
