import type { ExtractedConcept, TrialEvidence } from './evidence.ts';
import { normalise } from './match/normalise.ts';

/** A concept merged with all its duplicates; it has every property that one of them has. */
export type DistinctConcept = Pick<ExtractedConcept, 'match' | 'canary' | 'unmentioned'> & {
  readonly quoted: boolean;
  readonly verified: boolean;
  readonly named: boolean;
};

/**
 * Each concept of an execution once, so that repeating right concepts does not hide wrong ones. Names of one expected
 * concept are duplicates, and so are equal spellings. An unreadable item duplicates nothing.
 */
export function distinctConcepts(trial: Pick<TrialEvidence, 'concepts'>): readonly DistinctConcept[] {
  return [...Map.groupBy(eachConcept(trial), keyOf).values()].map(merged);
}

/** All concepts of an execution; a label that lists several canaries counts once per canary. */
export function eachConcept({ concepts }: Pick<TrialEvidence, 'concepts'>): readonly ExtractedConcept[] {
  return concepts.flatMap((concept) => [
    concept,
    ...(concept.moreCanaries ?? []).map((canary) => ({ ...concept, canary })),
  ]);
}

function keyOf({ label, match, canary, flaw }: ExtractedConcept, place: number): string {
  if (canary !== undefined) return `canary ${canary}`;
  if (match !== undefined) return `expected ${match.expected}`;
  return flaw === undefined ? `named ${normalise(label)}` : `flaw ${place}`;
}

function merged(all: readonly ExtractedConcept[]): DistinctConcept {
  const [{ match, canary, unmentioned } = {} as Partial<ExtractedConcept>] = all;
  return {
    ...(match && { match }),
    ...(canary !== undefined && { canary }),
    ...(unmentioned && { unmentioned }),
    quoted: all.some(({ quote }) => quote.state !== 'none'),
    verified: all.some(({ quote }) => quote.state === 'verified'),
    named: all.some(({ quote }) => quote.state === 'verified' && quote.unnamed === undefined),
  };
}
