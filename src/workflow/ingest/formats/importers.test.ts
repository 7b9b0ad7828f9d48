import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { IMPORTERS } from './importers.ts';

const here = import.meta.dirname;
const workflow = join(here, '../..');

it('lists every folder once, by its name', () => {
  const folders = readdirSync(here, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(IMPORTERS.map(({ name }) => name).toSorted()).toEqual(folders.map(({ name }) => name).toSorted());
});

it('keeps the names of tools inside their folders', () => {
  const words = IMPORTERS.filter(({ name }) => name !== 'assay').flatMap(({ name, title }) => [name, title]);
  const files = globSync('{ingest,lint,match,compare,blind,metrics}/**/*.ts', { cwd: workflow }).filter(
    (path) => !path.includes('formats/') && !path.includes('.test.ts'),
  );
  expect(files.length).toBeGreaterThan(50);
  const named = files.filter((path) => {
    const text = readFileSync(join(workflow, path), 'utf8').toLowerCase();
    return words.some((word) => text.includes(word.toLowerCase()));
  });
  expect(named).toEqual([]);
});
