import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

it.skipIf(process.platform === 'win32')('leaves no lock behind where the disk has no room for it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-lock-'));
  try {
    // No file may grow, as on a full disk.
    const script = `const { underLock } = await import(${JSON.stringify(resolve('src/locked-file.ts'))});
      await underLock(${JSON.stringify(join(folder, 'file'))}, async () => {}).catch((error) => console.log(error.code));`;
    const words = ['-c', 'trap "" XFSZ; ulimit -f 0; exec "$@"', 'bash', process.execPath];
    const { stdout } = spawnSync('bash', [...words, '--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    expect(stdout.trim()).toBe('OUTPUT_FAILED');
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
