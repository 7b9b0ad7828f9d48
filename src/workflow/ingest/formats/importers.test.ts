import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { IMPORTERS } from './importers.ts';

const here = import.meta.dirname;
const workflow = join(here, '../..');

const SHARED = ['answers', 'importer', 'importers'];

it('lists every file once, by its name', () => {
  const files = readdirSync(here).flatMap((file) => /^([\w-]+)\.ts$/.exec(file)?.[1] ?? []);
  expect(IMPORTERS.map(({ name }) => name).toSorted()).toEqual(
    files.filter((name) => !SHARED.includes(name)).toSorted(),
  );
});

it('keeps the names of tools inside their files', () => {
  const words = IMPORTERS.filter(({ name }) => name !== 'assay').flatMap(({ name, title }) => [name, title]);
  const files = globSync('{ingest,lint,match,compare,blind,metrics}/**/*.ts', { cwd: workflow }).filter(
    (path) => !path.includes('formats/') && !path.includes('.test.ts'),
  );
  expect(files.length).toBeGreaterThan(40);
  const named = files.filter((path) => {
    const text = readFileSync(join(workflow, path), 'utf8').toLowerCase();
    return words.some((word) => text.includes(word.toLowerCase()));
  });
  expect(named).toEqual([]);
});
