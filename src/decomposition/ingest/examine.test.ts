import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AssayError } from '../../errors.ts';
import { examineOutputs } from './examine.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-'));
  mkdirSync(join(folder, 'golden'));
  mkdirSync(join(folder, 'outputs'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const golden = {
  id: 'marsh',
  topic: 'Marshes',
  domain: 'ecological',
  version: '1.0',
  created: '2026-01-29',
  sourceText: 'A marsh is a wetland.',
  expectedConcepts: [{ label: 'marsh', aliases: ['bog'], required: true }, { label: 'wetland' }],
  expectedRelationships: [{ source: 'marsh', target: 'wetland', predicate: 'IS_A', required: true }],
  forbiddenConcepts: ['peat resonance'],
  forbiddenRelationships: [{ source: 'wetland', target: 'marsh', predicate: 'CAUSES' }],
};
const write = (path: string, value: unknown) =>
  writeFileSync(join(folder, path), typeof value === 'string' ? value : JSON.stringify(value));
const examine = () => examineOutputs(join(folder, 'golden'), join(folder, 'outputs'));

it('reads golden cases of the documented schema and their outputs', () => {
  write('golden/marsh.gold.json', golden);
  write('outputs/marsh.json', {
    concepts: [{ label: 'Bog', sourceQuote: 'A marsh' }, { label: 'peat' }],
    relationships: [],
  });
  expect(examine().cases).toMatchObject([
    { id: 'marsh', notes: ['missed: wetland', 'not expected: peat'], evidence: { caseId: 'marsh' } },
  ]);
});

it('has another hash when a golden case changes', () => {
  write('golden/marsh.gold.json', golden);
  const before = examine().truthHash;
  write('golden/marsh.gold.json', { ...golden, topic: 'Bogs' });
  expect(examine().truthHash).not.toBe(before);
});

it.each([
  ['is missing', undefined, /marsh\.json does not exist/],
  ['is not JSON', '{"concepts": [', /marsh\.json.* is not JSON/],
  [
    'has an unknown predicate',
    { concepts: [], relationships: [{ source: 'a', target: 'b', predicate: 'EATS' }] },
    /relationships\.0\.predicate/,
  ],
  ['has a concept without label', { concepts: [{ name: 'a' }] }, /concepts\.0\.label/],
])('counts a case as errored when its output %s', (_, value, message) => {
  write('golden/marsh.gold.json', golden);
  if (value !== undefined) write('outputs/marsh.json', value);
  const [one] = examine().cases;
  expect(one).toMatchObject({ id: 'marsh', error: expect.stringMatching(message) });
});

it('refuses a golden case that breaks the schema, with the place', () => {
  write('golden/marsh.gold.json', { ...golden, domain: 'culinary' });
  expect(examine).toThrow(AssayError);
  expect(examine).toThrow(/marsh\.gold\.json: domain/);
});

it.each([
  [
    'expects a concept twice',
    {
      expectedConcepts: [
        ...golden.expectedConcepts,
        { label: 'bank' },
        { label: 'WETLAND' },
        { label: 'Marsh' },
      ],
    },
    /marsh\.gold\.json: expectedConcepts\.3\.label: "WETLAND" is expected twice \(and 1 more\)$/,
  ],
  [
    'has a relationship that ends nowhere',
    { expectedRelationships: [{ source: 'marsh', target: 'moor', predicate: 'IS_A' }] },
    /marsh\.gold\.json: expectedRelationships\.0\.target: "moor" is no expected concept and no alias of one$/,
  ],
  [
    'forbids what it expects',
    { forbiddenConcepts: ['peat resonance', 'BOG'] },
    /marsh\.gold\.json: forbiddenConcepts\.1: "BOG" is expected as well$/,
  ],
])('refuses a golden case that %s', (_, part, message) => {
  write('golden/marsh.gold.json', { ...golden, ...part });
  expect(examine).toThrow(expect.objectContaining({ code: 'INPUT_INVALID' }));
  expect(examine).toThrow(message);
});

it('lets a relationship end at an alias', () => {
  write('golden/marsh.gold.json', {
    ...golden,
    expectedRelationships: [{ source: 'bog', target: 'wetland', predicate: 'IS_A' }],
  });
  expect(examine).not.toThrow();
});

it('refuses two golden cases with one id, and names both files', () => {
  write('golden/a.gold.json', golden);
  write('golden/b.gold.json', golden);
  expect(examine).toThrow(/b\.gold\.json: id: .*a\.gold\.json has the id "marsh" as well$/);
});

it('keeps keys such as __proto__ in an output from reaching any prototype', () => {
  write('golden/marsh.gold.json', golden);
  write(
    'outputs/marsh.json',
    '{"concepts":[{"label":"marsh","__proto__":{"polluted":true}}],"relationships":[]}',
  );
  examine();
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});
