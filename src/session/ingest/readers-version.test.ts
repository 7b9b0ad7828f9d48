import { appendFileSync, cpSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { importsOf } from '../../../test/sources.ts';
import { hashReaders, readerFiles } from './readers-version.ts';
import { tempFolder } from './testing/temp-folder.ts';

const folder = tempFolder();
const hashed = new Set(readerFiles('src/session').map((path) => relative('src', path)));

function copyOfReaders(): string {
  for (const name of ['session', 'archives'])
    cpSync(join('src', name), join(folder.path, name), { recursive: true });
  return join(folder.path, 'session');
}

/** Code that only says what went wrong, or opens a file: no fact depends on it. */
const OF_NO_FACT = ['errors.ts', 'files.ts', 'stop-if-aborted.ts'];

it('covers every module that reading a transcript runs', () => {
  const seen = new Set<string>();
  const open = ['session/ingest/reading/read-file.ts', 'session/ingest/duplicates/read-shared.ts'];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    open.push(...importsOf(path).flatMap(({ to, typeOnly }) => (typeOnly ? [] : [to])));
  }
  expect(seen.size).toBeGreaterThan(100);
  expect([...seen].filter((path) => !hashed.has(path) && !OF_NO_FACT.includes(path))).toEqual([]);
});

it('is another one after any change of a reader, of the fold or of what they use', () => {
  const copy = copyOfReaders();
  const versions = [hashReaders(copy)];
  for (const path of [
    'ingest/formats/claude-code/adapter.ts',
    'ingest/json/scan-json.ts',
    'fold/fold.ts',
    'usage.ts',
    'evidence.ts',
    '../archives/zip-archive.ts',
  ]) {
    appendFileSync(join(copy, path), '\n');
    versions.push(hashReaders(copy));
  }
  expect(new Set(versions).size).toBe(versions.length);
});

it('is the same for the same code, whatever its tests', () => {
  const copy = copyOfReaders();
  appendFileSync(join(copy, 'fold/another.test.ts'), '\n');
  expect(hashReaders(copy)).toBe(hashReaders('src/session'));
});
