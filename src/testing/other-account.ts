/** Processes of an account that may do less than the one that runs the tests. */
import { spawnSync } from 'node:child_process';

/** No account has it. */
export const OTHER_ACCOUNT = 54_321;

/**
 * Why that account cannot run these sources with this Node, or undefined where it can: a clone may be in a private
 * folder.
 */
export function whyOtherCannotRun(paths: readonly string[]): string | undefined {
  if (process.platform === 'win32') return 'there are no such permissions on Windows';
  const look = `${JSON.stringify(paths)}.forEach((path) => require('node:fs').accessSync(path))`;
  const { status } = spawnSync(process.execPath, ['-e', look], { ...asOther(), cwd: '/' });
  return status === 0
    ? undefined
    : `another account cannot start ${process.execPath} or reach ${paths.join(' and ')}`;
}

/** For root, who may do everything; any other account is already one that may not. */
export function asOther(): { readonly uid?: number; readonly gid?: number } {
  return process.getuid?.() === 0 ? { uid: OTHER_ACCOUNT, gid: OTHER_ACCOUNT } : {};
}
