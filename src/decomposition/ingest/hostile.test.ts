import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { measureCases } from '../../measure/measure.ts';
import { decompositionMetrics } from '../catalog.ts';
import { examineOutputs } from './collect-cases.ts';
import { readGoldenSet } from './golden-case.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-'));
  mkdirSync(join(folder, 'golden'));
  mkdirSync(join(folder, 'outputs'));
  writeFileSync(join(folder, 'golden/marsh.gold.json'), JSON.stringify(golden));
});
afterEach(() => rmSync(folder, { recursive: true }));

const golden = {
  id: 'marsh',
  topic: 'Marshes',
  domain: 'ecological',
  version: '1.0',
  created: '2026-01-29',
  sourceText: 'A marsh is a wetland.',
  expectedConcepts: [
    { label: 'marsh', aliases: ['bog'] },
    { label: 'constructor', aliases: ['__proto__'] },
  ],
  expectedRelationships: [{ source: 'marsh', target: 'constructor', predicate: 'IS_A' }],
  forbiddenConcepts: ['peat resonance', 'hasOwnProperty'],
};

async function examine(output: string) {
  writeFileSync(join(folder, 'outputs/marsh.json'), output);
  const { cases } = await examineOutputs(readGoldenSet(join(folder, 'golden')), join(folder, 'outputs'));
  const { suite } = measureCases(decompositionMetrics(), cases);
  return { case: cases[0], suite };
}
const concepts = (labels: readonly string[]) =>
  JSON.stringify({ concepts: labels.map((label) => ({ label, sourceQuote: label })) });

it('reads 10,000 concepts, all of them the same or none', async () => {
  const same = await examine(concepts(Array.from({ length: 10_000 }, () => 'bog')));
  expect(same.suite['decomposition/duplicate-rate']).toMatchObject({ value: 0.9999 });
  expect(same.suite['decomposition/concept-recall']).toMatchObject({ value: 0.5 });
  const other = await examine(concepts(Array.from({ length: 10_000 }, (_, i) => `x${i}`)));
  expect(other.suite['decomposition/concept-precision']).toMatchObject({ value: 0 });
});

it.each([
  [
    'more concepts than it reads',
    concepts(Array.from({ length: 20_001 }, () => 'a')),
    /concepts: has 20001 items; at most 20000 are read$/,
  ],
  [
    'a list of millions of faults',
    `{"concepts":[${'1,'.repeat(2_000_000)}1]}`,
    /concepts: has 2000001 items/,
  ],
  ['a list for an object', '[]', /the whole document/],
])('counts a case with %s as errored, with the place', async (_, output, message) => {
  expect((await examine(output)).case).toMatchObject({ id: 'marsh', error: expect.stringMatching(message) });
});

it.each([
  ['a label of 1 MB', concepts(['marsh', 'x'.repeat(1_000_000)]), /^label: .*1000/],
  ['deep nesting', `{"concepts":[{"label":"marsh"},${'['.repeat(100_000)}${']'.repeat(100_000)}]}`, /./],
  [
    'a name of many aliases',
    JSON.stringify({ concepts: [{ label: 'marsh' }, { label: 'a', aliases: Array(51).fill('b') }] }),
    /^aliases: /,
  ],
])(
  'counts %s as a wrong concept, with what is wrong, and the other one as right',
  async (_, output, flaw) => {
    const { case: one, suite } = await examine(output);
    expect(one).toMatchObject({
      evidence: { trials: [{ concepts: [{ match: {} }, { flaw: expect.stringMatching(flaw) }] }] },
    });
    expect(suite['decomposition/concept-precision']).toMatchObject({ value: 0.5 });
    expect(JSON.stringify(one).length).toBeLessThan(5000);
  },
);

it('takes keys and labels such as __proto__ for what they are', async () => {
  const { case: one } = await examine(
    '{"concepts":[{"label":"__proto__","__proto__":{"polluted":true}},{"label":"toString"},{"label":"hasOwnProperty"}],' +
      '"relationships":[{"source":"toString","target":"__proto__","predicate":"IS_A","constructor":{"prototype":1}}],"__proto__":{"polluted":true}}',
  );
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  expect(one).toMatchObject({
    evidence: {
      trials: [
        {
          concepts: [
            { label: '__proto__', match: { expected: 'constructor', level: 'alias' } },
            { label: 'toString' },
            { label: 'hasOwnProperty', canary: 'hasOwnProperty' },
          ],
        },
      ],
    },
  });
});

it('sees a canary through letters that look alike and characters that nobody sees', async () => {
  // Cyrillic р, е, а; a zero-width joiner; a soft hyphen; full-width letters
  const disguises = [
    'рeаt rеsonance',
    'peat\u200d resonance',
    'pe\u00adat resonance',
    '\uff50\uff45\uff41\uff54 resonance',
  ];
  const { suite } = await examine(concepts(disguises));
  expect(suite['decomposition/hallucination-rate']).toMatchObject({ value: 1 });
  expect(suite['decomposition/concept-precision']).toMatchObject({ value: 0 });
});
