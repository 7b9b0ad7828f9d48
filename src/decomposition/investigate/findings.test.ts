import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type CaseEvidence, evidenceAt, MATCH_LEVELS } from '../evidence.ts';
import { PREDICATES } from '../golden-rules.ts';
import { examineTrials } from '../ingest/collect-cases.ts';
import type { ExtractionOutput } from '../ingest/output.ts';
import { countByKind, findingsOn, isClean } from './findings.ts';
import { EXTRA_KINDS } from './precision.ts';
import { QUOTE_KINDS } from './provenance.ts';
import { MISSED_KINDS } from './recall.ts';
import { MISSED_RELATIONSHIP_KINDS, WRONG_KINDS } from './relationships.ts';
import { goldenWith, outputOf, TEXT } from './testing/sample.ts';

const NAMES = [
  'tidal marsh',
  'Tidal Marshes',
  'salt marsh',
  'TM',
  'coastal wetland',
  'wetland',
  'halophytes',
  'sediment trapping',
  'marsh restoration',
  'salinity memory',
  'tidal flow',
  'SLR',
  'ocean mining',
  '__proto__',
  'constructor',
  '—',
  'water',
];
const QUOTES = [
  undefined,
  'mud',
  TEXT.slice(20, 60),
  'Salt-tolerant … trapping',
  'the marsh raises sediments',
  '…',
  'zzz '.repeat(9),
];

const outputs: fc.Arbitrary<ExtractionOutput> = fc
  .array(
    fc.record({
      label: fc.constantFrom(...NAMES),
      aliases: fc.array(fc.constantFrom(...NAMES), { maxLength: 2 }),
      quote: fc.constantFrom(...QUOTES),
    }),
    { maxLength: 14 },
  )
  .chain((concepts) => {
    const names = concepts.flatMap(({ label, aliases }) => [label, ...aliases]);
    const end = fc.constantFrom(...(names.length === 0 ? ['none'] : names));
    const edge = fc.record({ source: end, target: end, predicate: fc.constantFrom(...PREDICATES) });
    return fc.array(edge, { maxLength: names.length === 0 ? 0 : 25 }).map((relationships) => ({
      concepts: concepts.map(({ label, aliases, quote }) => ({
        label,
        aliases,
        sourceQuote: quote,
      })),
      relationships,
    }));
  });

const total = (items: readonly { kind: string; count?: number; runs?: number }[]) =>
  [...countByKind(items).values()].reduce((sum, count) => sum + count, 0);

/** What says again what another one says counts for nothing. */
const once = <T extends { readonly duplicate?: true }>(edges: readonly T[]) =>
  edges.filter(({ duplicate }) => !duplicate);

/** The numbers that the metrics divide, counted straight from the evidence. */
function countsOf({ trials }: CaseEvidence) {
  const sum = (of: (trial: CaseEvidence['trials'][number]) => number) =>
    trials.reduce((all, one) => all + of(one), 0);
  return {
    missed: sum(({ expected }) => expected.filter(({ found }) => found === undefined).length),
    unmatched: sum(({ concepts }) => concepts.filter(({ match }) => match === undefined).length),
    canaries: sum(({ concepts }) => concepts.filter(({ canary }) => canary !== undefined).length),
    duplicates: sum(({ concepts }) => concepts.filter(({ match }) => match?.duplicate).length),
    wrong: sum(({ relationships }) => once(relationships).filter((one) => one.correct === undefined).length),
    forbidden: sum(({ relationships }) => once(relationships).filter(({ forbidden }) => forbidden).length),
    unfound: sum(({ expectedRelationships }) => expectedRelationships.filter(({ found }) => !found).length),
    unquoted: sum(({ concepts }) => concepts.filter(({ quote }) => quote.state === 'none').length),
    unverified: sum(
      ({ concepts }) =>
        concepts.filter(({ quote }) => quote.state !== 'verified' || quote.unnamed !== undefined).length,
    ),
  };
}

it('explains everything once: every miss and fault has one kind, and they add up to what the metrics count', async () => {
  const golden = goldenWith();
  await fc.assert(
    fc.asyncProperty(
      fc.array(outputs, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(...MATCH_LEVELS),
      async (some, level) => {
        const examined = await examineTrials(golden, some);
        if ('error' in examined) throw new Error(examined.error);
        const found = findingsOn(golden, examined.evidence, some, level);
        const { wrong, missed } = found.relationships;
        expect({
          missed: total(found.missed.map(({ kind, runs }) => ({ kind, runs }))),
          unmatched: total(found.extras),
          canaries: countByKind(found.extras).get('canary') ?? 0,
          duplicates: found.duplicates.reduce((sum, { count }) => sum + count, 0),
          wrong: total(wrong),
          forbidden: countByKind(wrong).get('forbidden') ?? 0,
          unfound: total(missed),
          unquoted: countByKind(found.quotes).get('missing') ?? 0,
          unverified: total(found.quotes),
        }).toEqual(countsOf(evidenceAt(examined.evidence, level)));
        for (const [items, kinds] of [
          [found.missed, MISSED_KINDS],
          [found.extras, EXTRA_KINDS],
          [wrong, WRONG_KINDS],
          [missed, MISSED_RELATIONSHIP_KINDS],
          [found.quotes, QUOTE_KINDS],
        ] as const) {
          for (const { kind } of items) expect(kinds).toContain(kind);
        }
        expect(new Set(found.missed.map(({ label }) => label)).size).toBe(found.missed.length);
      },
    ),
    { numRuns: 200 },
  );
});

/** Where the text speaks of each expected concept. */
const RIGHT_QUOTES: Readonly<Record<string, string>> = {
  'tidal marsh': 'A tidal marsh is a coastal wetland.',
  'coastal wetland': 'A tidal marsh is a coastal wetland.',
  halophytes: 'Salt-tolerant grasses slow the water',
  'sediment trapping': 'slow water causes sediment trapping',
  'marsh restoration': 'Restoration of a marsh requires tidal flow.',
};

it('has nothing to say about a perfect output', async () => {
  const golden = goldenWith();
  const perfect: ExtractionOutput = {
    concepts: golden.expectedConcepts.map(({ label }) => ({ label, sourceQuote: RIGHT_QUOTES[label] })),
    relationships: golden.expectedRelationships.map(({ source, target, predicate }) => ({
      source,
      target,
      predicate,
    })),
  };
  const examined = await examineTrials(golden, [perfect]);
  if ('error' in examined) throw new Error(examined.error);
  expect(isClean(findingsOn(golden, examined.evidence, [perfect], 'alias'))).toBe(true);
  const empty = await examineTrials(golden, [outputOf([])]);
  if ('error' in empty) throw new Error(empty.error);
  expect(isClean(findingsOn(golden, empty.evidence, [outputOf([])], 'alias'))).toBe(false);
});

it('takes an output of ten thousand concepts and fifty thousand relationships', async () => {
  const labels = Array.from({ length: 10_000 }, (_, i) => `marsh ${'water '.repeat(i % 12)}${i}`);
  const output = {
    concepts: labels.map((label, i) => ({ label, sourceQuote: `the marsh water ${i} grows and grows` })),
    relationships: Array.from({ length: 50_000 }, (_, i) => ({
      source: labels[i % 10_000] ?? '',
      // Another pair each time.
      target: labels[(i * 7 + Math.floor(i / 10_000)) % 10_000] ?? '',
      predicate: 'CAUSES' as const,
    })),
  };
  const golden = goldenWith();
  const examined = await examineTrials(golden, [output]);
  if ('error' in examined) throw new Error(examined.error);
  const found = findingsOn(golden, examined.evidence, [output], 'alias');
  expect(total(found.extras)).toBe(10_000);
  expect(total(found.relationships.wrong)).toBe(50_000);
});
