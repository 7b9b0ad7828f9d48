import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeFolder } from './make-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-make-folder-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('makes every folder on the way, and leaves what is there', () => {
  const deep = join(folder, 'a', 'b', 'c');
  makeFolder(deep, 0o700);
  makeFolder(deep);
  expect(statSync(deep).mode & 0o777).toBe(0o700);
});

it('says what is in the way', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(() => makeFolder(join(folder, 'file', 'below'))).toThrow(/EEXIST.*file'/);
});

it.runIf(process.platform === 'linux')('ends where no folder can be made', () => {
  expect(() => makeFolder('/proc/assay/below')).toThrow(/ENOENT.*\/proc\/assay'/);
});
