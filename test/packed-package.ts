/** The package as it is released: built in a clone, because others serve what is built here, packed and unpacked. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bareEnv } from './bare-env.ts';

const { version, files } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly version: string;
  readonly files: readonly string[];
};

export const BUILT_FROM = [
  'src',
  'web',
  'build',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'README.md',
];

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

/** It is in `package` below the folder, with the dependencies that are installed here. */
export function packInto(folder: string): string {
  const clone = join(folder, 'clone');
  const unpacked = join(folder, 'package');
  for (const name of [...BUILT_FROM, ...files.filter((one) => one !== 'dist')])
    cpSync(name, join(clone, name), { recursive: true });
  symlinkSync(resolve('node_modules'), join(clone, 'node_modules'));
  const env = bareEnv(folder);
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: clone, env, stdio: 'pipe' });
  execFileSync('tar', ['-xzf', join(folder, `assay-${version}.tgz`)], { cwd: folder });
  rmSync(clone, { recursive: true });
  symlinkSync(resolve('node_modules'), join(unpacked, 'node_modules'));
  return unpacked;
}
