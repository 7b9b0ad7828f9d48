/**
 * What a case showed, after matching: compact facts, immutable, enough to measure again with another metric or at
 * another match level. Labels are kept because they name what was found and missed; the source text is not.
 */

/** How an extracted concept was recognised, from strictest to loosest. */
export const MATCH_LEVELS = ['exact', 'normalised', 'alias', 'acronym', 'semantic'] as const;

export type MatchLevel = (typeof MATCH_LEVELS)[number];

/** The loosest level that counts unless the configuration says otherwise. */
export const DEFAULT_MATCH_LEVEL: MatchLevel = 'alias';

/** What became of the quote of a concept: `verified` when it occurs in the source text word for word, at the given offsets. */
export type QuoteCheck =
  | { readonly state: 'none' | 'not in the text' | 'too short' }
  | {
      readonly state: 'verified';
      readonly at: readonly [from: number, to: number];
      /** Why it does not name the concept: it is more than two sentences, or its sentences speak of something else. */
      readonly unnamed?: 'too long' | 'elsewhere';
    };

export type ExtractedConcept = {
  readonly label: string;
  /**
   * The expected concept it resolves to, and how. `duplicate`: another extracted concept is credited with that one
   * already. `similarity` only at the semantic level.
   */
  readonly match?: {
    readonly expected: string;
    readonly level: MatchLevel;
    readonly duplicate?: true;
    readonly similarity?: number;
  };
  /** The forbidden concept it resolves to; a canary is never also a match. */
  readonly canary?: string;
  /** Further ones that the same label lists. */
  readonly moreCanaries?: readonly string[];
  readonly unmentioned?: true;
  readonly quote: QuoteCheck;
  readonly confidence?: number;
  /** What is wrong with it as it was written; it matches nothing then. */
  readonly flaw?: string;
};

/** `found`: the strictest level at which it was; absent when it was missed. */
export type ExpectedConcept = {
  readonly label: string;
  readonly required: boolean;
  readonly found?: MatchLevel;
};

export type Edge = { readonly source: string; readonly target: string; readonly predicate: string };

/** `correct`: the loosest level that its two ends needed; absent when it is wrong. */
export type ExtractedRelationship = Edge & {
  readonly correct?: MatchLevel;
  readonly forbidden?: true;
  /** It says what another one says: the same ends and the same predicate. */
  readonly duplicate?: true;
  readonly quote: QuoteCheck;
  readonly confidence?: number;
  readonly flaw?: string;
};

export type ExpectedRelationship = Edge & { readonly required: boolean; readonly found?: MatchLevel };

/** One field: what was expected, what was given, and how much of it is right. `type` is absent where none was expected. */
export type FieldEvidence = {
  readonly name: string;
  readonly type?: FieldType;
  readonly required?: boolean;
  readonly expected?: string;
  readonly said?: string;
  /** Values that are right, and those of them that are so literally; a list has several. */
  readonly right: number;
  readonly exact?: number;
  readonly given: number;
  readonly wanted: number;
  readonly quote: QuoteCheck;
};

export const FIELD_TYPES = ['text', 'number', 'date', 'money', 'enum', 'list'] as const;

type FieldType = (typeof FIELD_TYPES)[number];

export type TrialEvidence = {
  readonly concepts: readonly ExtractedConcept[];
  readonly expected: readonly ExpectedConcept[];
  readonly relationships: readonly ExtractedRelationship[];
  readonly expectedRelationships: readonly ExpectedRelationship[];
  /** Only where the case states fields. */
  readonly fields?: readonly FieldEvidence[];
  readonly latencyMs?: number;
  readonly costUsd?: number;
  readonly model?: string;
  readonly promptVersion?: string;
  readonly promptSha256?: string;
  /** The form of the output has no place for quotes. */
  readonly withoutQuotes?: true;
  /** Why it gave nothing to measure; it counts as an answer without a word. */
  readonly failed?: string;
};

/** A case with all its repeats; its value is the mean over them. */
export type CaseEvidence = { readonly caseId: string; readonly trials: readonly TrialEvidence[] };

export function isStricter(one: MatchLevel, other: MatchLevel): boolean {
  return MATCH_LEVELS.indexOf(one) < MATCH_LEVELS.indexOf(other);
}

/** Whether a match of level `one` counts where levels up to `most` do. */
export function isWithin(one: MatchLevel, most: MatchLevel): boolean {
  return !isStricter(most, one);
}

/**
 * The same case with only the matches up to `level`: what looser levels recognised counts as missed and wrong. The
 * very same one where there are no looser ones.
 */
export function evidenceAt(evidence: CaseEvidence, level: MatchLevel): CaseEvidence {
  const { caseId, trials } = evidence;
  if (!trials.some((trial) => hasLooser(trial, level))) return evidence;
  return { caseId, trials: trials.map((trial) => (hasLooser(trial, level) ? trialAt(trial, level) : trial)) };
}

/** Everything else in a trial follows from how its concepts were recognised. */
function hasLooser({ concepts }: TrialEvidence, level: MatchLevel): boolean {
  return concepts.some(({ match }) => match !== undefined && !isWithin(match.level, level));
}

function trialAt(trial: TrialEvidence, level: MatchLevel): TrialEvidence {
  return {
    ...trial,
    concepts: creditStrictest(
      trial.concepts.map(({ match, ...concept }) =>
        match !== undefined && isWithin(match.level, level) ? { ...concept, match } : concept,
      ),
    ),
    expected: trial.expected.map((concept) => foundWithin(concept, level)),
    relationships: trial.relationships.map(({ correct, ...edge }) =>
      correct !== undefined && isWithin(correct, level) ? { ...edge, correct } : edge,
    ),
    expectedRelationships: trial.expectedRelationships.map((edge) => foundWithin(edge, level)),
  };
}

function foundWithin<T extends { readonly found?: MatchLevel }>(one: T, level: MatchLevel): T {
  if (one.found === undefined || isWithin(one.found, level)) return one;
  const { found: _, ...missed } = one;
  return missed as T;
}

/** A duplicate of a concept that nobody else is credited with any more is none. */
function creditStrictest(concepts: readonly ExtractedConcept[]): ExtractedConcept[] {
  const credited = new Set(
    concepts.flatMap(({ match }) => (match && !match.duplicate ? [match.expected] : [])),
  );
  return concepts.map((concept) => {
    const { match } = concept;
    if (match?.duplicate === undefined || credited.has(match.expected)) return concept;
    credited.add(match.expected);
    const { duplicate: _, ...alone } = match;
    return { ...concept, match: alone };
  });
}
