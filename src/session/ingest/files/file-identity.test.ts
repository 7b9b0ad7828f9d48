import { statSync, utimesSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { tempFolder } from '../testing/temp-folder.ts';
import { boundedSum, stampsOf } from './file-identity.ts';

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

it('tells changes at the ends of a very long file and in long stretches of it, without reading it all', () => {
  const bytes = Buffer.alloc(40 * 1024 * 1024, 'a line\n');
  const sumOf = (): number => boundedSum(path, bytes.length);
  const path = folder.write('long.jsonl', '');
  writeFileSync(path, bytes);
  const before = sumOf();
  for (const [from, to] of [
    [10, 11],
    [bytes.length - 20, bytes.length - 19],
    [20_000_000, 20_050_000],
  ] as const) {
    writeFileSync(path, Buffer.from(bytes).fill('x', from, to));
    expect([from, sumOf() === before]).toEqual([from, false]);
  }
  writeFileSync(path, Buffer.concat([bytes, Buffer.from('more')]));
  expect(sumOf()).toBe(before);
});
