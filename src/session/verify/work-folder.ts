/** The temporary folder of a verification. A killed verification leaves its folder; the next one removes it. */
import { spawnSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NAME = /^assay-verify-(\d{1,10})-/;
/** Set for every process of a check, so that leftover processes can be found. */
export const MARK = 'ASSAY_VERIFY';

export function makeWorkFolder(): string {
  const place = realpathSync(tmpdir());
  removeAbandoned(place);
  return mkdtempSync(join(place, `assay-verify-${process.pid}-`));
}

function removeAbandoned(place: string): void {
  for (const name of readdirSync(place)) {
    const pid = Number(NAME.exec(name)?.[1] ?? Number.NaN);
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    const path = join(place, name);
    // A folder of that name with another owner is not removed.
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory() !== true || stats.uid !== process.getuid?.()) continue;
    endLeftovers(path);
    removeFolder(path);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Tools leave folders that even their owner may not write to. */
export function removeFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    spawnSync('chmod', ['-R', 'u+rwX', path], { stdio: 'ignore' });
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Ends processes that left their process group. Only Linux shows which they are. */
export function endLeftovers(folder: string): void {
  if (process.platform !== 'linux') return;
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) continue;
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
      if (environment.some((one) => one.startsWith(`${MARK}=${folder}`)))
        process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has ended, or belongs to somebody else.
    }
  }
}
