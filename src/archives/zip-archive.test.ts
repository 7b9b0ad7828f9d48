import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../session/ingest/testing/temp-folder.ts';
import { makeZip } from './testing/make-zip.ts';
import { ZipArchive } from './zip-archive.ts';

const folder = tempFolder();
const MB = 1024 * 1024;

function open(zip: Buffer): ZipArchive {
  const path = join(folder.path, 'log.eval');
  writeFileSync(path, zip);
  return new ZipArchive(path);
}

it.each(['deflate', 'zstd'] as const)('unpacks members of %s together no further than its bound', (how) => {
  const names = Array.from({ length: 12 }, (_, i) => `samples/${i}.json`);
  const archive = open(makeZip(Object.fromEntries(names.map((name) => [name, ' '.repeat(10 * MB)])), how));
  const read = () => archive.members.map((member) => archive.text(member)?.length ?? 0);
  const unpacked = read().reduce((sum, length) => sum + length, 0);
  const bound = 64 * MB;
  expect(unpacked).toBeGreaterThanOrEqual(how === 'zstd' ? bound : 12 * 10 * MB);
  expect(unpacked).toBeLessThanOrEqual(how === 'zstd' ? bound + 10 * MB : 12 * 10 * MB);
  // What was unpacked once may be again.
  expect(read().reduce((sum, length) => sum + length, 0)).toBe(unpacked);
  archive.close();
});

it('refuses a directory whose members lie over each other', () => {
  const zip = makeZip({ 'samples/a.json': JSON.stringify('a'.repeat(5000)) }, 'stored');
  const [start, end] = [zip.readUInt32LE(zip.length - 6), zip.length - 22];
  const entry = zip.subarray(start, end);
  const tail = Buffer.from(zip.subarray(end));
  const times = 40;
  tail.writeUInt16LE(times, 10);
  tail.writeUInt32LE(entry.length * times, 12);
  expect(open(zip).members).toHaveLength(1);
  const bomb = Buffer.concat([zip.subarray(0, start), ...Array<Buffer>(times).fill(entry), tail]);
  expect(() => open(bomb)).toThrow('bad directory');
});
