import { spawn, spawnSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { replaceFile, tryLock } from './locked-file.ts';

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

it.skipIf(process.platform === 'win32')(
  'writes to a pipe instead of putting a file in its place',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-pipe-'));
    try {
      const pipe = join(folder, 'pipe');
      spawnSync('mkfifo', [pipe]);
      const reader = spawn('cat', [pipe]);
      const ended = new Promise((done) => reader.on('close', done));
      replaceFile(pipe, 'a result');
      await ended;
      expect(lstatSync(pipe).isFIFO()).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

it.skipIf(process.platform !== 'linux')(
  'takes over the lock of a dead process whose number another one has now',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-lock-'));
    try {
      const lock = join(folder, 'lock');
      expect([tryLock(lock), tryLock(lock)]).toEqual([true, false]);
      const owner = JSON.parse(readFileSync(lock, 'utf8'));
      // As in a container that was started again: the same number on the same host, at another time.
      writeFileSync(lock, JSON.stringify({ ...owner, started: '1' }));
      expect([tryLock(lock), tryLock(lock)]).toEqual([true, false]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
