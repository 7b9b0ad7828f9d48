import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withLock } from './chain.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-lock-'));
  path = join(folder, 'lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('withLock', () => {
  it('holds the lock while it works and lets go after, also when the work fails', () => {
    expect(withLock(path, () => existsSync(path))).toBe(true);
    expect(existsSync(path)).toBe(false);
    expect(() =>
      withLock(path, () => {
        throw new Error('work failed');
      }),
    ).toThrow('work failed');
    expect(existsSync(path)).toBe(false);
  });

  it('waits only so long for a process that lives, and says which one holds it', () => {
    writeFileSync(path, JSON.stringify({ pid: process.pid, host: hostname() }));
    expect(() => withLock(path, () => 'never', 50)).toThrow(
      expect.objectContaining({ code: 'BLIND_BUSY', message: expect.stringContaining(String(process.pid)) }),
    );
    expect(existsSync(path)).toBe(true);
  });

  it('takes over from a process that has ended', () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    writeFileSync(path, JSON.stringify({ pid, host: hostname() }));
    expect(withLock(path, () => 'worked', 5000)).toBe('worked');
  });

  it('never takes over from another machine', () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    writeFileSync(path, JSON.stringify({ pid, host: 'another-machine' }));
    expect(() => withLock(path, () => 'never', 50)).toThrow(expect.objectContaining({ code: 'BLIND_BUSY' }));
  });
});
