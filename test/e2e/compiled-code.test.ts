import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-compiled-'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** As on a machine where nobody has set anything: Node would keep compiled code below the temporary folder. */
function assay(): void {
  const env = { PATH: process.env.PATH, HOME: root, TMPDIR: join(root, 'tmp') };
  mkdirSync(env.TMPDIR, { recursive: true });
  const { status } = spawnSync(process.execPath, [resolve('bin/assay.js'), 'config'], { cwd: root, env });
  expect(status).toBe(0);
}

describe('compiled code', () => {
  it('is kept in a folder that only its owner may enter, and not in the one all share', () => {
    assay();
    const folder = join(root, '.cache', 'assay', 'compiled');
    expect(readdirSync(folder)).not.toEqual([]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(root, 'tmp'))).toEqual([]);
  });

  it.each(['.cache/assay', '.cache/assay/compiled'])('is not kept where others may write: %s', (name) => {
    const folder = join(root, name);
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o777);
    assay();
    expect(readdirSync(folder).filter((one) => one !== 'compiled')).toEqual([]);
    expect(readdirSync(join(root, 'tmp'))).toEqual([]);
  });

  it('is not kept below a folder in which others may put another in its place', () => {
    mkdirSync(join(root, '.cache'));
    chmodSync(join(root, '.cache'), 0o777);
    assay();
    expect(readdirSync(join(root, '.cache', 'assay', 'compiled'))).toEqual([]);
    chmodSync(join(root, '.cache'), 0o1777);
    assay();
    expect(readdirSync(join(root, '.cache', 'assay', 'compiled'))).not.toEqual([]);
  });

  it.skipIf(process.geteuid?.() !== 0)('is not kept below a folder of somebody else', () => {
    mkdirSync(join(root, '.cache'));
    chownSync(join(root, '.cache'), 54_321, 54_321);
    assay();
    expect(readdirSync(join(root, '.cache', 'assay', 'compiled'))).toEqual([]);
  });
});
