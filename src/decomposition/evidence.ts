/**
 * The result of a case after matching: compact, immutable facts, enough to compute other metrics or another match
 * level. Labels are stored because they name what was found and missed; the source text is not.
 */

/** How an extracted concept was recognised, from strictest to loosest. */
export const MATCH_LEVELS = ['exact', 'normalised', 'alias', 'acronym', 'semantic'] as const;

export type MatchLevel = (typeof MATCH_LEVELS)[number];

/** The loosest level that counts, unless configured otherwise. */
export const DEFAULT_MATCH_LEVEL: MatchLevel = 'alias';

/**
 * The result of checking a concept's quote: `verified` if it occurs in the source text word for word, at the given
 * offsets.
 */
export type QuoteCheck =
  | { readonly state: 'none' | 'not in the text' | 'too short' }
  | {
      readonly state: 'verified';
      readonly at: readonly [from: number, to: number];
      /**
       * Why it does not name the concept: it is longer than two sentences, or its sentences are about something else.
       */
      readonly unnamed?: 'too long' | 'elsewhere';
    };

export type ExtractedConcept = {
  readonly label: string;
  /**
   * The expected concept it resolves to, and how. `duplicate`: another extracted concept is already credited with it.
   * `similarity` only at the semantic level.
   */
  readonly match?: {
    readonly expected: string;
    readonly level: MatchLevel;
    readonly duplicate?: true;
    readonly similarity?: number;
  };
  /** The forbidden concept it resolves to; a canary is never also a match. */
  readonly canary?: string;
  /** Further canaries that the same label lists. */
  readonly moreCanaries?: readonly string[];
  readonly unmentioned?: true;
  readonly quote: QuoteCheck;
  readonly confidence?: number;
  /** A fault in how it was written; it then matches nothing. */
  readonly flaw?: string;
};

/** `found`: the strictest level of a match; absent if it was missed. */
export type ExpectedConcept = {
  readonly label: string;
  readonly required: boolean;
  readonly found?: MatchLevel;
};

export type Edge = { readonly source: string; readonly target: string; readonly predicate: string };

/** `correct`: the loosest level that its two ends needed; absent if it is wrong. */
export type ExtractedRelationship = Edge & {
  readonly correct?: MatchLevel;
  readonly forbidden?: true;
  /** It has the same ends and predicate as another one. */
  readonly duplicate?: true;
  readonly quote: QuoteCheck;
  readonly confidence?: number;
  readonly flaw?: string;
};

export type ExpectedRelationship = Edge & { readonly required: boolean; readonly found?: MatchLevel };

/**
 * One field: the expected and the given value, and how much of it is right. `type` is absent if no such field was
 * expected.
 */
export type FieldEvidence = {
  readonly name: string;
  readonly type?: FieldType;
  readonly required?: boolean;
  readonly expected?: string;
  readonly said?: string;
  /** Number of correct values, and how many of them are literally equal; a list has several. */
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
  /** Present only if the case has fields. */
  readonly fields?: readonly FieldEvidence[];
  readonly latencyMs?: number;
  readonly costUsd?: number;
  readonly model?: string;
  readonly promptVersion?: string;
  readonly promptSha256?: string;
  /** The output format has no place for quotes. */
  readonly withoutQuotes?: true;
  /** Why there was nothing to measure; it counts as an empty answer. */
  readonly failed?: string;
};

/** A case with all its repeats; its value is the mean over them. */
export type CaseEvidence = { readonly caseId: string; readonly trials: readonly TrialEvidence[] };

export function isStricter(one: MatchLevel, other: MatchLevel): boolean {
  return MATCH_LEVELS.indexOf(one) < MATCH_LEVELS.indexOf(other);
}

/** Whether a match of level `one` counts if levels up to `most` do. */
export function isWithin(one: MatchLevel, most: MatchLevel): boolean {
  return !isStricter(most, one);
}

/**
 * The same case with only the matches up to `level`: looser matches count as missed and wrong. Returns the same object
 * if there are none.
 */
export function evidenceAt(evidence: CaseEvidence, level: MatchLevel): CaseEvidence {
  const { caseId, trials } = evidence;
  if (!trials.some((trial) => hasLooser(trial, level))) return evidence;
  return { caseId, trials: trials.map((trial) => (hasLooser(trial, level) ? trialAt(trial, level) : trial)) };
}

/** Everything else in a trial follows from the matches of its concepts. */
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

/** A duplicate becomes the match if nothing else is credited with its concept. */
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
