/** Golden cases and outputs to measure them with, as many as wanted, made from the bundled suite. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GoldenCase, readGoldenSet } from '../src/decomposition/ingest/golden-case.ts';
import { type Random, random } from '../src/stats/random.ts';

/** What a fair extractor would give: most of the case, a few things of its own, every concept with a quote. */
function outputFor(golden: GoldenCase, { below }: Random) {
  const often = (tenths: number) => below(10) < tenths;
  const sentences = golden.sourceText.split(/(?<=\.)\s+/);
  const concepts = golden.expectedConcepts
    .filter(() => often(8))
    .map(({ label }) => ({
      label,
      sourceQuote: sentences.find((one) => one.includes(label)) ?? sentences[0],
    }));
  const extra = ['side issue', 'other matter', 'open question'].map((label) => ({ label }));
  const names = new Set(concepts.map(({ label }) => label));
  const relationships = golden.expectedRelationships
    .filter(({ source, target }) => names.has(source) && names.has(target) && often(7))
    .map(({ source, target, predicate }) => ({ source, target, predicate }));
  return { concepts: [...concepts, ...extra.filter(() => often(5))], relationships };
}

export type Corpus = { readonly folder: string; readonly golden: string; readonly outputs: string };

/**
 * The same outputs twice: as files for Assay, as one test file for promptfoo. Either many repeats of the golden suite,
 * or as many golden cases as outputs.
 */
export function buildCorpus(folder: string, count: number, layout: 'repeats' | 'cases'): Corpus {
  const set = readGoldenSet(join(import.meta.dirname, '..', 'golden'));
  const [golden, outputs] = ['golden', 'outputs'].map((name) => join(folder, `${name}-${layout}-${count}`));
  if (golden === undefined || outputs === undefined) throw new Error('no folders');
  for (const path of [golden, outputs]) mkdirSync(path, { recursive: true });
  const stream = random(7);
  const tests = Array.from({ length: count }, (_, i) => {
    const model = set.cases[i % set.cases.length] as GoldenCase;
    const output = JSON.stringify(outputFor(model, stream));
    const turn = Math.floor(i / set.cases.length) + 1;
    const id = layout === 'cases' ? `${model.id}-${turn}` : model.id;
    if (layout === 'cases' || turn === 1)
      writeFileSync(join(golden, `${id}.gold.json`), JSON.stringify({ ...model, id }));
    writeFileSync(join(outputs, layout === 'cases' ? `${id}.json` : `${id}.${turn}.json`), output);
    return {
      vars: { output, expected: model.expectedConcepts.map(({ label, aliases }) => [label, ...aliases]) },
    };
  });
  writeFileSync(join(folder, `tests-${count}.json`), JSON.stringify(tests));
  writeFileSync(join(folder, 'f1.cjs'), F1_ASSERTION);
  writeFileSync(
    join(folder, `promptfoo-${count}.json`),
    JSON.stringify({
      prompts: ['{{output | safe}}'],
      providers: ['echo'],
      tests: `file://tests-${count}.json`,
      defaultTest: { assert: [{ type: 'javascript', value: 'file://f1.cjs' }] },
    }),
  );
  return { folder, golden, outputs };
}

const F1_ASSERTION = `module.exports = (output, { vars }) => {
  const got = JSON.parse(output).concepts.map((concept) => concept.label.toLowerCase());
  const expected = vars.expected.map((names) => names.map((name) => name.toLowerCase()));
  const correct = got.filter((label) => expected.some((names) => names.includes(label))).length;
  const found = expected.filter((names) => names.some((name) => got.includes(name))).length;
  const [precision, recall] = [correct / got.length, found / expected.length];
  const score = (2 * precision * recall) / (precision + recall);
  return { pass: score >= 0.5, score, reason: 'F1 ' + score };
};
`;
