import { randomInt } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/**
 * The seed and the folders of a test run.
 *
 *  A test run has a temporary folder and a home of its own, so that it reads none of the user's files and leaves
 * nothing behind. Anything there at the end was written by a process that outlived its test file.
 */
export function setup(): () => void {
  process.env.ASSAY_SEED ??= String(randomInt(2 ** 31));
  const folder = mkdtempSync(join(tmpdir(), 'assay-tests-'));
  const files = join(folder, 'files');
  const home = join(folder, 'home');
  const browser = join(folder, 'browser');
  for (const path of [files, home, browser]) mkdirSync(path);
  // Some tests start a process as another user, who has to get in.
  for (const path of [folder, files]) chmodSync(path, 0o755);
  Object.assign(process.env, {
    ASSAY_TEST_BROWSER: browser,
    ASSAY_TEST_PACKAGE: join(folder, 'package'),
    ASSAY_TEST_SCRATCH: files,
    TMPDIR: files,
    TEMP: files,
    TMP: files,
  });
  Object.assign(process.env, { HOME: home, USERPROFILE: home, NODE_COMPILE_CACHE: join(folder, 'compiled') });
  return () => {
    // A test file whose tests were all skipped runs no hooks, so its folder still exists.
    const used = readdirSync(files).filter((name) => !isUnused(join(files, name)));
    const left = [...used, ...readdirSync(home).map((name) => `~/${name}`)];
    rmSync(folder, { recursive: true, force: true });
    if (left.length > 0) throw new Error(`the tests left behind: ${left.join(', ')}`);
  };
}

function isUnused(path: string): boolean {
  return basename(path).startsWith('file-') && readdirSync(path).length === 0;
}
