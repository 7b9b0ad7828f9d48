import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { readDocuments } from './list-files.ts';
import { tempFolder } from './testing/temp-folder.ts';

const { write } = tempFolder();

it('reads the texts below a folder, and leaves out hidden folders, links and pictures of any size', () => {
  const design = write('docs/design.md', 'Sessions never expire.');
  const folder = dirname(design);
  mkdirSync(`${folder}/.git`);
  writeFileSync(`${folder}/.git/config`, 'not a document');
  writeFileSync(`${folder}/shot.png`, Buffer.alloc(5 * 1024 * 1024));
  symlinkSync('.', `${folder}/again`);
  expect([...readDocuments(folder)]).toEqual([['design.md', 'Sessions never expire.']]);
});

it('refuses a text that is too large instead of leaving it out', () => {
  const path = write('large/log.md', 'x'.repeat(4 * 1024 * 1024 + 1));
  expect(() => readDocuments(dirname(path))).toThrow(/log\.md has 4194305 bytes; the limit is 4194304/);
});
