/** The package as it is released: packed and unpacked. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packClean } from '../build/pack-clean.ts';
import { bareEnv } from './bare-env.ts';

/** The one of this run of the tests: the first test file that asks makes it, the others wait for it. */
export function packedPackage(): string {
  const folder = process.env.ASSAY_TEST_PACKAGE;
  if (folder === undefined) throw new Error('ASSAY_TEST_PACKAGE is set by test/run-setup.ts');
  const ready = join(folder, 'ready');
  const claimed = mkdirSync(folder, { recursive: true }) !== undefined;
  while (!existsSync(ready)) {
    if (claimed) makeReady(folder, ready);
    else if (existsSync(join(folder, 'failed')))
      throw new Error('the package could not be built; the first test file that needed it says why');
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  }
  return ready;
}

function makeReady(folder: string, ready: string): void {
  try {
    renameSync(packInto(folder), ready);
  } catch (error) {
    mkdirSync(join(folder, 'failed'));
    throw error;
  }
}

/** It is in `package` below the folder, with the dependencies installed here; the tarball is next to it. */
function packInto(folder: string): string {
  const unpacked = join(folder, 'package');
  execFileSync('tar', ['-xzf', packClean(folder, bareEnv(folder))], { cwd: folder });
  symlinkSync(resolve('node_modules'), join(unpacked, 'node_modules'));
  return unpacked;
}
