import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AssayError } from '../../errors.ts';
import { type Examined, measureCases } from '../../measure/measure.ts';
import { decompositionMetrics } from '../catalog.ts';
import type { CaseEvidence } from '../evidence.ts';
import { evidenceWith } from '../example-evidence.ts';
import { collectCases, examineOutputs, examineTrials } from './collect-cases.ts';
import { readGoldenSet } from './golden-case.ts';

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
const examine = async () => examineOutputs(readGoldenSet(join(folder, 'golden')), join(folder, 'outputs'));

it('reads golden cases of the documented schema and their outputs', async () => {
  write('golden/marsh.gold.json', golden);
  write('outputs/marsh.json', {
    concepts: [{ label: 'Bog', sourceQuote: 'A marsh' }, { label: 'peat' }],
    relationships: [],
  });
  expect((await examine()).cases).toMatchObject([
    { id: 'marsh', notes: ['missed: wetland', 'not expected: peat'], evidence: { caseId: 'marsh' } },
  ]);
});

it('has another hash when a golden case changes', async () => {
  write('golden/marsh.gold.json', golden);
  const before = (await examine()).truthHash;
  write('golden/marsh.gold.json', { ...golden, topic: 'Bogs' });
  expect((await examine()).truthHash).not.toBe(before);
});

it.each([
  ['is missing', undefined, /marsh\.json does not exist/],
  ['is not JSON', '{"concepts": [', /marsh\.json.* is not JSON/],
  ['is no output', { concepts: 'none' }, /marsh\.json: concepts: /],
])('has nothing to measure when the only output %s', async (_, value, message) => {
  write('golden/marsh.gold.json', golden);
  if (value !== undefined) write('outputs/marsh.json', value);
  expect((await examine()).cases).toEqual([{ id: 'marsh', error: expect.stringMatching(message) }]);
});

it('counts a case without an answer as an empty one, and as an error, beside one that was answered', async () => {
  write('golden/marsh.gold.json', golden);
  write('golden/moor.gold.json', { ...golden, id: 'moor' });
  write('outputs/marsh.json', { concepts: [{ label: 'marsh' }] });
  const { cases } = await examine();
  expect(cases).toMatchObject([
    { id: 'marsh' },
    {
      id: 'moor',
      fault: expect.stringMatching(/moor\.json does not exist/),
      evidence: { trials: [{ concepts: [], failed: expect.any(String) }] },
    },
  ]);
  expect(cases[0]).not.toHaveProperty('fault');
  const { suite, perCase } = measureCases(decompositionMetrics(), cases);
  // (1/2 + 0) / 2
  expect(suite['decomposition/concept-recall']).toMatchObject({ value: 0.25, n: 2 });
  for (const key of ['concept-recall', 'concept-precision', 'concept-f1', 'relationship-accuracy'])
    expect(perCase.moor?.[`decomposition/${key}`]).toMatchObject({ value: 0 });
});

it.each([
  ['an unknown predicate', { relationships: [{ source: 'marsh', target: 'wetland', predicate: 'EATS' }] }],
  ['an end that is no concept', { relationships: [{ source: 'marsh', target: 'pub', predicate: 'IS_A' }] }],
  ['a confidence of 95', { concepts: [{ label: 'marsh' }, { label: 'wetland', confidence: 95 }] }],
  ['a concept without a label', { concepts: [{ label: 'marsh' }, { name: 'wetland' }] }],
])('takes %s as one wrong answer, and the others as they are', async (_, flawed) => {
  write('golden/marsh.gold.json', golden);
  write('outputs/marsh.json', { concepts: [{ label: 'marsh' }, { label: 'wetland' }], ...flawed });
  const [one] = (await examine()).cases;
  if (one === undefined || !('evidence' in one)) throw new Error('unreachable');
  expect(one.notes).toEqual(expect.arrayContaining([expect.stringMatching(/^not readable, so wrong: /)]));
  const [trial] = one.evidence.trials;
  expect(trial?.concepts[0]).toMatchObject({ match: { level: 'exact' } });
  const wrong = [...(trial?.concepts ?? []), ...(trial?.relationships ?? [])].filter(({ flaw }) => flaw);
  expect(wrong).toHaveLength(1);
});

it('takes predicates of another name for what the configuration says they mean', async () => {
  write('golden/marsh.gold.json', golden);
  const edge = { source: 'marsh', target: 'wetland', predicate: 'kind of' };
  write('outputs/marsh.json', { concepts: [{ label: 'marsh' }], relationships: [edge] });
  const set = readGoldenSet(join(folder, 'golden'));
  const options = { predicateMap: { KIND_OF: 'IS_A' } } as const;
  expect((await examineOutputs(set, join(folder, 'outputs'), options)).cases).toMatchObject([
    { evidence: { trials: [{ relationships: [{ predicate: 'IS_A', correct: 'exact' }] }] } },
  ]);
});

it('refuses a golden case that breaks the schema, with the place', async () => {
  write('golden/marsh.gold.json', { ...golden, domain: 'culinary' });
  await expect(examine()).rejects.toThrow(AssayError);
  await expect(examine()).rejects.toThrow(/marsh\.gold\.json: domain/);
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
    [
      /marsh\.gold\.json: expectedConcepts\.3\.label: "WETLAND" is expected twice$/,
      /"Marsh" is expected twice$/,
    ],
  ],
  [
    'has a relationship that ends nowhere',
    { expectedRelationships: [{ source: 'marsh', target: 'moor', predicate: 'IS_A' }] },
    [
      /marsh\.gold\.json: expectedRelationships\.0\.target: "moor" is no expected concept and no alias of one$/,
    ],
  ],
  [
    'forbids what it expects',
    { forbiddenConcepts: ['peat resonance', 'BOG'] },
    [/marsh\.gold\.json: forbiddenConcepts\.1: "BOG" is expected as well$/],
  ],
])('measures a golden case that keeps the schema but %s, and says so', async (_, part, messages) => {
  write('golden/marsh.gold.json', { ...golden, ...part });
  write('outputs/marsh.json', { concepts: [{ label: 'marsh' }] });
  const { cases, notes } = await examine();
  expect(cases).toMatchObject([{ id: 'marsh', evidence: {} }]);
  expect(notes).toEqual(messages.map((message) => expect.stringMatching(message)));
});

it('reads null as what an output does not have, and a wrong type as a fault', async () => {
  write('golden/marsh.gold.json', golden);
  const concept = { label: 'marsh', aliases: null, sourceQuote: null, confidence: null };
  write('outputs/marsh.json', { concepts: [concept], relationships: null, latencyMs: null, model: null });
  expect((await examine()).cases).toMatchObject([
    { evidence: { trials: [{ concepts: [{ label: 'marsh', quote: { state: 'none' } }] }] } },
  ]);
  write('outputs/marsh.json', { concepts: [{ ...concept, confidence: 'high' }] });
  expect((await examine()).cases).toMatchObject([
    { evidence: { trials: [{ concepts: [{ flaw: expect.stringMatching(/^confidence: /) }] }] } },
  ]);
});

it('lets a relationship end at an alias', async () => {
  write('golden/marsh.gold.json', {
    ...golden,
    expectedRelationships: [{ source: 'bog', target: 'wetland', predicate: 'IS_A' }],
  });
  expect((await examine()).cases).toHaveLength(1);
});

it('refuses two golden cases with one id, and names both files', async () => {
  write('golden/a.gold.json', golden);
  write('golden/b.gold.json', golden);
  await expect(examine()).rejects.toThrow(/b\.gold\.json: id: .*a\.gold\.json has the id "marsh" as well$/);
});

it('takes an end that the golden case knows for what it means, also when it was not extracted', async () => {
  write('golden/marsh.gold.json', golden);
  write('outputs/marsh.json', {
    concepts: [{ label: 'marsh' }],
    relationships: [{ source: 'marsh', target: 'wetland', predicate: 'IS_A' }],
  });
  const [only] = (await examine()).cases;
  expect(only).toMatchObject({ evidence: { trials: [{ relationships: [{ correct: 'exact' }] }] } });
});

it('reads repeats in the order of their numbers', async () => {
  write('golden/marsh.gold.json', golden);
  for (const n of [10, 0, 2, 1]) write(`outputs/marsh.${n}.json`, { concepts: [{ label: `bog ${n}` }] });
  const [one] = (await examine()).cases;
  if (one === undefined || !('evidence' in one)) throw new Error('unreachable');
  expect(one.evidence.trials.map(({ concepts }) => concepts[0]?.label)).toEqual([
    ...['bog 0', 'bog 1', 'bog 2', 'bog 10'],
  ]);
  expect(one.notes).toEqual(['missed: marsh, wetland', 'not expected: bog 0, bog 1, bog 2, bog 10']);
});

it('counts a repeat that cannot be read as one without an answer, and names it', async () => {
  write('golden/marsh.gold.json', golden);
  write('outputs/marsh.1.json', { concepts: [{ label: 'marsh' }, { label: 'wetland' }] });
  write('outputs/marsh.2.json', { concepts: 'none' });
  const { cases } = await examine();
  expect(cases).toMatchObject([
    { fault: expect.stringMatching(/^trial 2 of 2: .*marsh\.2\.json: concepts/) },
  ]);
  const { suite } = measureCases(decompositionMetrics(), cases);
  expect(suite['decomposition/concept-recall']).toMatchObject({ value: 0.5 });
});

it('does not guess between one output and repeats', async () => {
  write('golden/marsh.gold.json', golden);
  write('outputs/marsh.json', { concepts: [] });
  write('outputs/marsh.1.json', { concepts: [] });
  expect((await examine()).cases).toMatchObject([
    { error: expect.stringMatching(/marsh\.json: there are numbered outputs of this case as well/) },
  ]);
});

it('names the files that belong to no case', async () => {
  write('golden/marsh.gold.json', golden);
  for (const name of ['marsh', 'bog', 'bog.1', 'marsh.01', 'moor.final'])
    write(`outputs/${name}.json`, { concepts: [] });
  expect((await examine()).notes).toEqual([
    expect.stringMatching(/bog\.1\.json, bog\.json, marsh\.01\.json and 1 more belong to no golden case/),
  ]);
});

it('names a single such file as one', async () => {
  write('golden/marsh.gold.json', golden);
  for (const name of ['marsh', 'bog']) write(`outputs/${name}.json`, { concepts: [] });
  expect((await examine()).notes).toEqual([
    expect.stringMatching(/bog\.json belongs to no golden case and was not read$/),
  ]);
});

it('says what a case showed: canaries, forbidden relationships, quotes with their places', async () => {
  write('golden/marsh.gold.json', golden);
  write('outputs/marsh.json', {
    concepts: [
      { label: 'marsh', sourceQuote: 'A marsh is a\n wetland', confidence: 0.9 },
      { label: 'wetland', sourceQuote: 'wetlands everywhere' },
      { label: 'Peat Resonance' },
    ],
    relationships: [{ source: 'wetland', target: 'marsh', predicate: 'CAUSES' }],
    latencyMs: 12,
    costUsd: 0.01,
    model: 'm',
    promptVersion: 'v1.0',
  });
  expect((await examine()).cases).toMatchObject([
    {
      notes: ['canaries: peat resonance', 'forbidden relationships (a warning): wetland CAUSES marsh'],
      evidence: {
        trials: [
          {
            concepts: [
              { quote: { state: 'verified', at: [0, 20] }, confidence: 0.9 },
              { quote: { state: 'not in the text' } },
              { quote: { state: 'none' }, canary: 'peat resonance' },
            ],
            latencyMs: 12,
            costUsd: 0.01,
            model: 'm',
            promptVersion: 'v1.0',
          },
        ],
      },
    },
  ]);
});

it('examines outputs at hand like recorded ones', async () => {
  write('golden/marsh.gold.json', golden);
  const [one] = readGoldenSet(join(folder, 'golden')).cases;
  if (one === undefined) throw new Error('unreachable');
  const output = { concepts: [{ label: 'Bog' }], relationships: [] };
  expect(await examineTrials(one, [output, output])).toMatchObject({
    id: 'marsh',
    evidence: { trials: [{}, {}] },
  });
  expect(await examineTrials(one, [])).toEqual({ id: 'marsh', error: 'there is no output of this case' });
  expect(await examineTrials(one, [output, { error: 'the model refused' }])).toMatchObject({
    fault: 'trial 2 of 2: the model refused',
    notes: ['missed: wetland'],
  });
});

const caseOf = (i: number): Examined<CaseEvidence> => ({
  id: `case-${i}`,
  evidence: {
    ...evidenceWith({ extracted: 4, correct: i % 4, expected: 4, found: i % 4 }),
    caseId: `case-${i}`,
  },
  notes: [],
});

it('gives the cases at the level of the gate, and the same at the other levels a report shows', () => {
  const { cases, otherLevels } = collectCases([0, 1, 2].map(caseOf), 'alias', true);
  expect(cases.map(({ id }) => id)).toEqual(['case-0', 'case-1', 'case-2']);
  expect([...otherLevels].map(([level, some]) => [level, some.length])).toEqual([['semantic', 3]]);
});
