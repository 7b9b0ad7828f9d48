import { type ExtractedConcept, isStricter, type MatchLevel } from '../evidence.ts';
import type { ExtractionOutput } from '../ingest/output.ts';
import type { Resolution } from './match-concepts.ts';
import { spellings } from './normalise.ts';
import { expectedBy, type PreparedCase } from './prepare-case.ts';

/** The expected concept that an end stands for, and how strictly. */
export type EndMatch = { readonly expected: string; readonly level: MatchLevel };

/** `unmatched`: a concept that was not expected, or none at all. */
export type RelationshipEnd = EndMatch | 'canary' | 'unmatched';

/**
 * What an end of an extracted relationship stands for: the extracted concept that it names by a label, else by an alias;
 * of several with that name, the one that was matched most strictly. An end that names no extracted concept is looked up
 * in the golden case.
 */
export function resolveEnds(
  { concepts }: Pick<ExtractionOutput, 'concepts'>,
  resolved: readonly (Resolution | Pick<ExtractedConcept, 'match' | 'canary'>)[],
  prepared: PreparedCase,
): (name: string) => RelationshipEnd {
  const byName = new Map<string, RelationshipEnd>();
  const add = (key: string, { match, canary }: Pick<ExtractedConcept, 'match' | 'canary'>) => {
    const other = byName.get(key);
    if (canary !== undefined) byName.set(key, 'canary');
    else if (other === 'canary') return;
    else if (match === undefined) byName.set(key, other ?? 'unmatched');
    else if (other === undefined || other === 'unmatched' || isBetter(match, other)) byName.set(key, match);
  };
  for (const [row, { label }] of concepts.entries()) {
    for (const key of spellings(label)) add(key, resolved[row] ?? {});
  }
  const labels = new Set(byName.keys());
  for (const [row, { aliases = [] }] of concepts.entries()) {
    for (const key of aliases.flatMap(spellings)) if (!labels.has(key)) add(key, resolved[row] ?? {});
  }
  return (name) => {
    const named = spellings(name).map((key) => byName.get(key));
    return named.find((one) => one !== undefined) ?? expectedBy(name, prepared) ?? 'unmatched';
  };
}

function isBetter(one: EndMatch, other: EndMatch): boolean {
  if (one.level !== other.level) return isStricter(one.level, other.level);
  return one.expected < other.expected;
}
