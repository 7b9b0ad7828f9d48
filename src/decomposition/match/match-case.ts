import type { CaseEvidence, ExtractedConcept, MatchLevel } from '../evidence.ts';
import type { GoldenCase } from '../ingest/golden-case.ts';
import type { ExtractionOutput } from '../ingest/output.ts';
import { normalise } from './normalise.ts';

/** Holds what was extracted against what should have been. */
export function matchCase(golden: GoldenCase, output: ExtractionOutput): CaseEvidence {
  const concepts = output.concepts.map((concept) => resolveConcept(golden, concept));
  const found = new Set(concepts.flatMap((concept) => (concept.match ? [concept.match.expected] : [])));
  const isCorrect = relationshipCheck(golden);
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

function resolveConcept(
  golden: GoldenCase,
  { label, sourceQuote }: ExtractionOutput['concepts'][number],
): ExtractedConcept {
  const fact = { label, hasQuote: sourceQuote !== undefined && sourceQuote.trim() !== '' };
  // Canaries first: no match may turn a forbidden concept into a correct one.
  const canary = golden.forbiddenConcepts.find((forbidden) => normalise(forbidden) === normalise(label));
  if (canary !== undefined) return { ...fact, canary };
  const match = findExpected(golden, label);
  return match === undefined ? fact : { ...fact, match };
}

function findExpected(
  golden: GoldenCase,
  label: string,
): { expected: string; level: MatchLevel } | undefined {
  const key = normalise(label);
  const by = (level: MatchLevel, test: (concept: GoldenCase['expectedConcepts'][number]) => boolean) => {
    const expected = golden.expectedConcepts.find(test)?.label;
    return expected === undefined ? undefined : { expected, level };
  };
  return (
    by('exact', (concept) => concept.label === label) ??
    by('normalised', (concept) => normalise(concept.label) === key) ??
    by('alias', (concept) => concept.aliases.some((alias) => normalise(alias) === key))
  );
}

type Edge = { readonly source: string; readonly target: string; readonly predicate: string };

/** Direction counts, except for RELATES_TO; each expected relationship is credited to one extracted one. */
function relationshipCheck(golden: GoldenCase): (edge: Edge) => boolean {
  const resolve = (label: string) => findExpected(golden, label)?.expected;
  const keyOf = ({ source, target, predicate }: Edge) => {
    const ends = [resolve(source), resolve(target)];
    if (ends.includes(undefined)) return undefined;
    return JSON.stringify([predicate, ...(predicate === 'RELATES_TO' ? ends.sort() : ends)]);
  };
  const open = new Set(golden.expectedRelationships.map(keyOf));
  return (edge) => {
    const key = keyOf(edge);
    return key !== undefined && open.delete(key);
  };
}
