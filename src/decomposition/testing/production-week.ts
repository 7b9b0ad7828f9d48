/** A week of a decomposition service with a problem in each point of the reviews, for tests. */
import { readGoldenSet } from '../ingest/golden-case.ts';
import type { DecompositionRecord, DecompositionText } from '../production/record.ts';

export type ExampleWeek = {
  readonly records: readonly DecompositionRecord[];
  readonly texts: readonly DecompositionText[];
};

const DAY = 86_400_000;

/** Hourly requests until `until`, with the texts of the golden cases, which are long enough to become cases. */
export function exampleProduction(until: Date, requests: number, golden = 'golden'): ExampleWeek {
  const { cases } = readGoldenSet(golden);
  const records: DecompositionRecord[] = [];
  const texts: DecompositionText[] = [];
  for (let i = 0; i < requests; i++) {
    const one = cases[i % cases.length];
    if (one === undefined) throw new RangeError(`${golden} holds no cases`);
    const at = new Date(until.getTime() - (requests - i) * (DAY / 24)).toISOString();
    const isSampled = i % 2 === 0;
    const isBad = i % 10 === 0;
    const failed = i % 25 === 7;
    const id = `request-${String(i).padStart(4, '0')}`;
    records.push({
      id,
      at,
      status: failed ? 'error' : 'ok',
      ...(failed && { errorKind: 'timeout' }),
      latencyMs: 1000 + 40 * (i % 30),
      costUsd: 0.02,
      model: 'small-1',
      promptVersion: i % 3 === 0 ? 'extract-v1.1' : 'extract-v1.0',
      topic: i % 4 === 0 ? 'Peatland restoration' : one.topic,
      concepts: 18,
      relationships: 32,
      confidence: { n: 18, sum: 14.4, bins: binsAt(16, 18) },
      ...(isSampled &&
        !failed && {
          sample: { probability: 0.5, stratum: 'common' },
          quotes: { given: 18, verified: isBad ? 11 : 18 },
          unmentioned: { concepts: 18, unmentioned: isBad ? 3 : 0 },
        }),
    });
    if (isSampled && !failed) texts.push({ id, at, text: one.sourceText, output: outputOf(one, isBad) });
  }
  return { records, texts };
}

function binsAt(bin: number, count: number): number[] {
  return Array.from({ length: 20 }, (_, i) => (i === bin ? count : 0));
}

function outputOf(
  { expectedConcepts, expectedRelationships }: ReturnType<typeof readGoldenSet>['cases'][number],
  isBad: boolean,
) {
  const labels = expectedConcepts.map(({ label }) => label);
  return {
    concepts: [...labels, ...(isBad ? ['quantum harvesting'] : [])].map((label) => ({
      label,
      confidence: 0.8,
    })),
    relationships: expectedRelationships.map(({ source, target, predicate }) => ({
      source,
      target,
      predicate,
    })),
  };
}
