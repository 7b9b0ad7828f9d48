import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { looksLike } from './file-kind.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-looks-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['', 'an empty file'],
  ['Dear reader,\nthis is a letter.\n', 'a plain text'],
  [
    '"id","timestamp","name","input","output","sessionId","my score (API)"\n',
    'a table (CSV) of traces or observations; export the observations as JSON or JSON lines instead, which are read',
  ],
  ['Dear timestamp, dear input.\n', 'a plain text'],
  ['{"a": 1, "b": 2}', 'a JSON object with a, b: none that an agent is known to write'],
  ['[{"name": "x"}]', 'a JSON list with name: no list of messages that is known'],
  ['{"foo": 1}\n{"foo": 2}\n', 'JSON lines with foo: none that an agent is known to write'],
  ['{"a": ', 'JSON that breaks off or is not valid'],
  ['<!DOCTYPE html><p>', 'a web page'],
  ['\x89PNG\r\n', 'a picture (PNG)'],
  ['ab\0cd', 'a file of bytes that are no text'],
])('%j looks like %s', (text, expected) => {
  const path = join(folder, 'file');
  writeFileSync(path, Buffer.from(text, 'latin1'));
  expect(looksLike(path)).toBe(expected);
});

test('names no more of a file than a few of its fields, however long', () => {
  const path = join(folder, 'file');
  writeFileSync(path, JSON.stringify({ ['k'.repeat(500)]: 'secret', b: 1, c: 1, d: 1, e: 1 }));
  expect(looksLike(path)).toBe(
    `a JSON object with ${'k'.repeat(29)}…, b, c, d …: none that an agent is known to write`,
  );
});

test('a file that is gone is said to be unreadable', () => {
  expect(looksLike(join(folder, 'nowhere'))).toBe('a file that cannot be read');
});
