import { execFileSync, spawn } from 'node:child_process';
import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startFile } from './write-result.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-result-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('writes to a pipe or a device instead of replacing it', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const reader = spawn('cat', [pipe]);
  let read = '';
  reader.stdout.on('data', (bytes: Buffer) => {
    read += bytes.toString('utf8');
  });
  const ended = new Promise((resolve) => reader.on('close', resolve));
  const file = startFile(pipe);
  file.print('a result\n');
  file.keep();
  await ended;
  expect(read).toBe('a result\n');
  expect(lstatSync(pipe).isFIFO()).toBe(true);
  expect(readdirSync(folder)).toEqual(['pipe']);
});

it('leaves a link a link', () => {
  writeFileSync(join(folder, 'real.txt'), 'old');
  symlinkSync('real.txt', join(folder, 'link.txt'));
  const file = startFile(join(folder, 'link.txt'));
  file.print('new');
  file.keep();
  expect(lstatSync(join(folder, 'link.txt')).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(folder, 'real.txt'), 'utf8')).toBe('new');
});

it('does not replace a broken link', () => {
  const link = join(folder, 'link');
  symlinkSync(join(folder, 'gone'), link);
  expect(() => startFile(link)).toThrow(/a broken link/);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
});
