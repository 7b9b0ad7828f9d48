import type { CaseEvidence, ExtractedConcept, MatchLevel } from '../evidence.ts';
import type { GoldenCase } from '../ingest/golden-case.ts';
import type { ExtractionOutput } from '../ingest/output.ts';
import { normalise } from './normalise.ts';

/** Holds what was extracted against what should have been. */
export function matchCase(golden: GoldenCase, output: ExtractionOutput): CaseEvidence {
  const resolve = resolverOf(golden);
  const concepts = output.concepts.map(
    ({ label, sourceQuote }): ExtractedConcept => ({
      label,
      hasQuote: sourceQuote !== undefined && sourceQuote.trim() !== '',
      ...resolve(label),
    }),
  );
  const found = new Set(concepts.flatMap((concept) => (concept.match ? [concept.match.expected] : [])));
  const isCorrect = relationshipCheck(golden, resolve);
  return {
    caseId: golden.id,
    concepts,
    expected: golden.expectedConcepts.map(({ label, required }) => ({
      label,
      required,
      found: found.has(label),
    })),
    relationships: output.relationships.map(({ source, target, predicate }) => ({
      source,
      target,
      predicate,
      correct: isCorrect({ source, target, predicate }),
    })),
  };
}

type Resolve = (label: string) => Pick<ExtractedConcept, 'canary' | 'match'>;

/** Looks a label up among the canaries, then level by level among the expected concepts. */
function resolverOf({ expectedConcepts, forbiddenConcepts }: GoldenCase): Resolve {
  const canaries = firstOf(forbiddenConcepts.map((label) => [normalise(label), label]));
  const exact = firstOf(expectedConcepts.map(({ label }) => [label, label]));
  const normalised = firstOf(expectedConcepts.map(({ label }) => [normalise(label), label]));
  const aliases = firstOf(
    expectedConcepts.flatMap(({ label, aliases }) =>
      aliases.map((alias) => [normalise(alias), label] as const),
    ),
  );
  return (label) => {
    const key = normalise(label);
    // Canaries first: no match may turn a forbidden concept into a correct one.
    const canary = canaries.get(key);
    if (canary !== undefined) return { canary };
    const levels: readonly (readonly [MatchLevel, string | undefined])[] = [
      ['exact', exact.get(label)],
      ['normalised', normalised.get(key)],
      ['alias', aliases.get(key)],
    ];
    const [level, expected] = levels.find(([, one]) => one !== undefined) ?? [];
    return level === undefined || expected === undefined ? {} : { match: { expected, level } };
  };
}

/** The first of several equal keys wins. */
function firstOf(entries: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  return new Map(entries.toReversed());
}

type Edge = { readonly source: string; readonly target: string; readonly predicate: string };

/** Direction counts, except for RELATES_TO; each expected relationship is credited to one extracted one. */
function relationshipCheck(golden: GoldenCase, resolve: Resolve): (edge: Edge) => boolean {
  const keyOf = ({ source, target, predicate }: Edge) => {
    const ends = [resolve(source).match?.expected, resolve(target).match?.expected];
    if (ends.includes(undefined)) return undefined;
    return JSON.stringify([predicate, ...(predicate === 'RELATES_TO' ? ends.sort() : ends)]);
  };
  const open = new Set(golden.expectedRelationships.map(keyOf));
  return (edge) => {
    const key = keyOf(edge);
    return key !== undefined && open.delete(key);
  };
}
