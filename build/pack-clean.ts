/**
 * The package as it is released: built and packed in a folder that has only its sources, so that nothing else gets in.
 * The same sources give the same bytes, anywhere and at any time.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

const { version, files } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly version: string;
  readonly files: readonly string[];
};

/** In addition to the files that are packed unchanged. */
export const BUILT_FROM = [
  'src',
  'web',
  'build',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'README.md',
  'LICENSE',
];

/** Into `folder`, where it is built and from where it is removed again. Gives the path of the tarball. */
export function packClean(folder: string, env: NodeJS.ProcessEnv = process.env): string {
  const clone = join(folder, 'clone');
  mkdirSync(clone, { recursive: true });
  for (const name of [...BUILT_FROM, ...files.filter((one) => one !== 'dist')])
    cpSync(name, join(clone, name), { recursive: true });
  symlinkSync(resolve('node_modules'), join(clone, 'node_modules'));
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: clone,
    env,
    stdio: 'pipe',
  });
  rmSync(clone, { recursive: true });
  return join(folder, `assay-${version}.tgz`);
}
