/**
 * Evidence that metrics count and nobody reads: the same flags without labels and quotes, in an order of their own,
 * and everything that looks alike once in memory. A run over thousands of cases keeps this of each instead of all its
 * words.
 */
import {
  type CaseEvidence,
  type ExpectedConcept,
  type ExpectedRelationship,
  type ExtractedConcept,
  type ExtractedRelationship,
  MATCH_LEVELS,
  type MatchLevel,
  type QuoteCheck,
  type TrialEvidence,
} from './evidence.ts';

export function stripLabels({ caseId, trials }: CaseEvidence): CaseEvidence {
  return { caseId, trials: trials.map(trialWithoutWords) };
}

function trialWithoutWords(trial: TrialEvidence): TrialEvidence {
  const { latencyMs, costUsd, failed, withoutQuotes } = trial;
  return {
    concepts: concepts(trial.concepts),
    expected: expectations(trial.expected),
    relationships: edges(trial.relationships),
    expectedRelationships: expectedEdges(trial.expectedRelationships),
    latencyMs,
    costUsd,
    ...(withoutQuotes && { withoutQuotes }),
    ...(failed !== undefined && { failed }),
  };
}

/** `codeOf` is a small number, the same for entries that look alike: one entry for each, and one list for lists of as many of each. */
function wordlessLists<T>(
  codeOf: (entry: T) => number,
  strip: (entry: T) => T,
): (list: readonly T[]) => readonly T[] {
  const entries: T[] = [];
  const lists = new Map<string, readonly T[]>();
  return (list) => {
    const counts: number[] = [];
    for (const entry of list) {
      const code = codeOf(entry);
      entries[code] ??= strip(entry);
      counts[code] = (counts[code] ?? 0) + 1;
    }
    const key = counts.join();
    const known = lists.get(key);
    if (known !== undefined) return known;
    if (lists.size >= MOST_LISTS) lists.clear();
    const made = counts.flatMap((count, code) => Array.from({ length: count }, () => entries[code] as T));
    lists.set(key, made);
    return made;
  };
}

const MOST_LISTS = 10_000;

const STATES: readonly QuoteCheck['state'][] = [
  'none',
  'verified',
  'not in the text',
  'too short',
  'too long',
  'elsewhere',
];
const NOWHERE = { source: '', target: '', predicate: '' };

/** 0 for none. */
function levelCode(level: MatchLevel | undefined): number {
  return level === undefined ? 0 : MATCH_LEVELS.indexOf(level) + 1;
}

const LEVELS = MATCH_LEVELS.length + 1;

const concepts = wordlessLists<ExtractedConcept>(
  ({ match, canary, quote }) =>
    ((levelCode(match?.level) * 2 + (match?.duplicate ? 1 : 0)) * 2 + (canary === undefined ? 0 : 1)) *
      STATES.length +
    STATES.indexOf(quote.state),
  ({ match, canary, quote }) => ({
    label: '',
    quote: quoteOf(quote),
    ...(match && {
      match: { expected: '', level: match.level, ...(match.duplicate && { duplicate: true as const }) },
    }),
    ...(canary !== undefined && { canary: '' }),
  }),
);

const expectations = wordlessLists<ExpectedConcept>(
  ({ required, found }) => levelCode(found) + (required ? LEVELS : 0),
  ({ required, found }) => ({ label: '', required, ...(found && { found }) }),
);

const edges = wordlessLists<ExtractedRelationship>(
  ({ correct, forbidden, duplicate, quote }) =>
    ((levelCode(correct) * 2 + (forbidden ? 1 : 0)) * 2 + (duplicate ? 1 : 0)) * STATES.length +
    STATES.indexOf(quote.state),
  ({ correct, forbidden, duplicate, quote }) => ({
    ...NOWHERE,
    quote: quoteOf(quote),
    ...(correct && { correct }),
    ...(forbidden && { forbidden }),
    ...(duplicate && { duplicate }),
  }),
);

const expectedEdges = wordlessLists<ExpectedRelationship>(
  ({ required, found }) => levelCode(found) + (required ? LEVELS : 0),
  ({ required, found }) => ({ ...NOWHERE, required, ...(found && { found }) }),
);

function quoteOf(quote: QuoteCheck): QuoteCheck {
  return quote.state === 'verified' ? { state: 'verified', at: [0, 0] } : { state: quote.state };
}
