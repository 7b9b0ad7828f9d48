/**
 * What a case showed, after matching: compact facts, immutable, enough to measure again with another metric. Labels
 * are kept because they name what was found and missed; the source text is not.
 */

/** How an extracted concept was recognised, from strictest to loosest. */
export type MatchLevel = 'exact' | 'normalised' | 'alias';

export type ExtractedConcept = {
  readonly label: string;
  /** The expected concept it resolves to, and how. */
  readonly match?: { readonly expected: string; readonly level: MatchLevel };
  /** The forbidden concept it resolves to; a canary is never also a match. */
  readonly canary?: string;
  readonly hasQuote: boolean;
};

export type ExpectedConcept = { readonly label: string; readonly required: boolean; readonly found: boolean };

export type ExtractedRelationship = {
  readonly source: string;
  readonly target: string;
  readonly predicate: string;
  readonly correct: boolean;
};

export type CaseEvidence = {
  readonly caseId: string;
  readonly concepts: readonly ExtractedConcept[];
  readonly expected: readonly ExpectedConcept[];
  readonly relationships: readonly ExtractedRelationship[];
};

/** Evidence with the given counts, for the worked examples of the metrics. */
export function evidenceWith(counts: {
  extracted?: number;
  correct?: number;
  quoted?: number;
  canaries?: number;
  expected?: number;
  found?: number;
  relationships?: number;
  correctRelationships?: number;
}): CaseEvidence {
  const times = <T>(n: number | undefined, make: (i: number) => T) =>
    Array.from({ length: n ?? 0 }, (_, i) => make(i));
  return {
    caseId: 'example',
    concepts: times(counts.extracted, (i) => ({
      label: `concept ${i}`,
      hasQuote: i < (counts.quoted ?? 0),
      ...(i < (counts.correct ?? 0) && { match: { expected: `concept ${i}`, level: 'exact' as const } }),
      ...(i >= (counts.extracted ?? 0) - (counts.canaries ?? 0) && { canary: `canary ${i}` }),
    })),
    expected: times(counts.expected, (i) => ({
      label: `concept ${i}`,
      required: true,
      found: i < (counts.found ?? 0),
    })),
    relationships: times(counts.relationships, (i) => ({
      source: `concept ${i}`,
      target: `concept ${i + 1}`,
      predicate: 'RELATES_TO',
      correct: i < (counts.correctRelationships ?? 0),
    })),
  };
}
