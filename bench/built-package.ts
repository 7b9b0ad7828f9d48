/** What people install, as `npm pack` would give it, with the dependencies of this clone. */
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** Into a folder that is not there yet. Returns its launcher. */
export function buildPackage(folder: string): string {
  const built = spawnSync('npm', ['run', 'build'], { cwd: ROOT, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`the package cannot be built: ${built.stdout}${built.stderr}`);
  const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { files: string[] };
  for (const name of [...files, 'package.json'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return join(folder, 'bin/assay.js');
}
