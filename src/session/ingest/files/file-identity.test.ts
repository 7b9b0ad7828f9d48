import { statSync, utimesSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { tempFolder } from '../testing/temp-folder.ts';
import { stampsOf } from './file-identity.ts';

const folder = tempFolder();

it('tells a file that was edited and given its size and time back', () => {
  const path = folder.write('sessions.json', '{"status":"done"}');
  const { atimeMs, mtimeMs } = statSync(path);
  const before = stampsOf([path]);
  expect(stampsOf([path])).toBe(before);
  writeFileSync(path, '{"status":"lost"}');
  utimesSync(path, atimeMs / 1000, mtimeMs / 1000);
  expect(stampsOf([path])).not.toBe(before);
});

it('tells a file that is not there from one that is', () => {
  const path = folder.write('there.json', '');
  expect(stampsOf([path])).not.toBe(stampsOf([`${path}.none`]));
});
