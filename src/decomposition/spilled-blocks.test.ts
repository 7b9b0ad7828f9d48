import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SpilledBlocks } from './spilled-blocks.ts';

const { TMPDIR } = process.env;
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-spill-'));
  process.env.TMPDIR = folder;
});

afterEach(() => {
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  rmSync(folder, { recursive: true, force: true });
});

const filled = (length: number, byte: number) => new Uint8Array(length).fill(byte);

test('gives back every block as it was added, in any order', () => {
  const blocks = new SpilledBlocks();
  const added = [filled(3, 1), filled(0, 0), filled(70_000, 2), filled(5, 3)];
  for (const block of added) blocks.add(block);
  expect(blocks.length).toBe(4);
  for (const index of [2, 0, 3, 1]) expect(blocks.read(index)).toEqual(added[index]);
  expect(() => blocks.read(4)).toThrow(RangeError);
});

test('leaves no name in the folder for temporary files, also while it is in use', () => {
  const blocks = new SpilledBlocks();
  blocks.add(filled(10, 1));
  expect(readdirSync(folder)).toEqual([]);
  expect(blocks.read(0)).toEqual(filled(10, 1));
});

test('keeps blocks in memory where the disk takes none of them', () => {
  rmSync(folder, { recursive: true });
  const blocks = new SpilledBlocks();
  blocks.add(filled(10, 4));
  expect(blocks.read(0)).toEqual(filled(10, 4));
});
