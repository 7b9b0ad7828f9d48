import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readGoldenSet } from './golden-case.ts';

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

it('has the SHA-256 of all cases as one list in JSON for a hash, with nothing in it too', () => {
  const sha = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');
  expect(readGoldenSet(folder)).toEqual({ cases: [], hash: sha([]), doubts: [], drafts: [], faults: [] });
  for (const id of ['moor', 'bog']) write(id);
  const { cases, hash } = readGoldenSet(folder);
  expect(hash).toBe(sha(cases));
});
