import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readGoldenSet, streamGoldenSet } from './golden-case.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (id: string, part: object = {}) =>
  writeFileSync(
    join(folder, `${id}.gold.json`),
    JSON.stringify({
      id,
      topic: 'Wetlands',
      domain: 'ecological',
      version: '1.0',
      created: '2026-01-31',
      sourceText: 'A marsh is a wetland. „Grün“',
      expectedConcepts: [{ label: 'marsh' }, { label: 'wetland', required: false }],
      expectedRelationships: [{ source: 'marsh', target: 'wetland', predicate: 'IS_A' }],
      ...part,
    }),
  );

it('gives the same cases and the same hash, whether they are read one by one or all at once', () => {
  for (const id of ['moor', 'bog', 'fen']) write(id);
  const stream = streamGoldenSet(folder);
  const [cases, whole] = [[...stream.cases], readGoldenSet(folder)];
  expect(cases.map(({ id }) => id)).toEqual(['bog', 'fen', 'moor']);
  expect(whole.cases).toEqual(cases);
  expect(stream.hash).toBe(whole.hash);
  expect(stream.hash).toBe(whole.hash);
});

it('has the SHA-256 of all cases as one list in JSON for a hash, with nothing in it too', () => {
  const sha = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');
  expect(readGoldenSet(folder)).toEqual({ cases: [], hash: sha([]), doubts: [], drafts: [] });
  for (const id of ['moor', 'bog']) write(id);
  const { cases, hash } = readGoldenSet(folder);
  expect(hash).toBe(sha(cases));
});

it('reads a file when its turn comes', () => {
  write('bog');
  write('moor', { domain: 'culinary' });
  const read = streamGoldenSet(folder).cases[Symbol.iterator]();
  expect(read.next().value).toMatchObject({ id: 'bog' });
  expect(() => read.next()).toThrow(/moor\.gold\.json: domain/);
});
