/** The package as it is released: packed and unpacked. */
import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packClean } from '../build/pack-clean.ts';
import { bareEnv } from './bare-env.ts';

/** It is in `package` below the folder, with the dependencies that are installed here; the tarball lies beside it. */
export function packInto(folder: string): string {
  const unpacked = join(folder, 'package');
  execFileSync('tar', ['-xzf', packClean(folder, bareEnv(folder))], { cwd: folder });
  symlinkSync(resolve('node_modules'), join(unpacked, 'node_modules'));
  return unpacked;
}
