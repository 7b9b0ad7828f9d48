/** In a clone the dashboard is built when it is first wanted, and again when its sources changed; a package brings it along. */
import { spawn } from 'node:child_process';
import { existsSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { underLock } from '../locked-file.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SOURCES = join(ROOT, 'web');
const BUILDER = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');

export const BUILT_WEB = join(ROOT, 'dist', 'web');

/** `say` is called first, because the build takes seconds. */
export async function buildWeb(say: (text: string) => void): Promise<void> {
  if (!existsSync(join(SOURCES, 'vite.config.ts')) || !existsSync(BUILDER) || isFresh()) return;
  await underLock(
    join(SOURCES, '.build'),
    async () => {
      if (isFresh()) return;
      say('Building the dashboard (only the first time) …');
      const problem = await build();
      if (problem !== undefined) say(`The dashboard could not be built: ${problem}`);
    },
    { waitMs: 120_000 },
  );
}

function isFresh(): boolean {
  const built = statSync(join(BUILT_WEB, 'index.html'), { throwIfNoEntry: false });
  if (built === undefined) return false;
  return globSync('{web/{index.html,vite.config.ts,public/**,src/**},src/report/**}', { cwd: ROOT }).every(
    (path) => (statSync(join(ROOT, path), { throwIfNoEntry: false })?.mtimeMs ?? 0) <= built.mtimeMs,
  );
}

function build(): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [BUILDER, 'build', SOURCES, '--logLevel', 'warn'], {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => {
      errors = `${errors}${chunk}`.slice(-2_000);
    });
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code) => resolve(code === 0 ? undefined : errors));
  });
}
