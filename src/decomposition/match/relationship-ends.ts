import { type ExtractedConcept, isStricter, type MatchLevel } from '../evidence.ts';
import type { ExtractionOutput } from '../ingest/output.ts';
import type { ConceptResolution } from './match-concepts.ts';
import { spellings } from './normalise.ts';
import { expectedBy, isCanary, type PreparedCase } from './prepare-case.ts';

/** The expected concept that an end stands for, and how strictly. */
export type EndMatch = { readonly expected: string; readonly level: MatchLevel };

/** `unmatched`: a concept that was not expected. `nowhere`: none that anybody named. */
export type RelationshipEnd = EndMatch | 'canary' | 'unmatched' | 'nowhere';

/**
 * What an end of an extracted relationship stands for: the extracted concept that it names by a label, else by an alias;
 * of several with that name, the one that was matched most strictly. An end that names no extracted concept is looked up
 * in the golden case: it is clear what is meant. So is one that names a concept with a flaw, which is wrong by itself and
 * makes nothing else wrong.
 */
export function resolveEnds(
  { concepts }: Pick<ExtractionOutput, 'concepts'>,
  resolved: readonly (ConceptResolution | Pick<ExtractedConcept, 'match' | 'canary'>)[],
  prepared: PreparedCase,
): (name: string) => RelationshipEnd {
  const byName = new Map<string, RelationshipEnd>();
  const add = (key: string, { match, canary }: Pick<ExtractedConcept, 'match' | 'canary'>) => {
    const other = byName.get(key);
    if (canary !== undefined) byName.set(key, 'canary');
    else if (other === 'canary') return;
    else if (match === undefined) byName.set(key, other ?? 'unmatched');
    else if (other === undefined || typeof other === 'string' || isBetter(match, other))
      byName.set(key, match);
  };
  const flawed = new Set<string>();
  for (const [row, { label, flaw }] of concepts.entries()) {
    const isAside = flaw !== undefined && resolved[row]?.canary === undefined;
    for (const key of spellings(label)) {
      if (isAside) flawed.add(key);
      else add(key, resolved[row] ?? {});
    }
  }
  const labels = new Set(byName.keys());
  for (const [row, { aliases = [], flaw }] of concepts.entries()) {
    if (flaw !== undefined) continue;
    for (const key of aliases.flatMap(spellings)) if (!labels.has(key)) add(key, resolved[row] ?? {});
  }
  return (name) => {
    const keys = spellings(name);
    const named = keys.map((key) => byName.get(key)).find((one) => one !== undefined);
    const found = named ?? expectedBy(name, prepared);
    if (found !== undefined) return found;
    if (isCanary(name, prepared.canaries)) return 'canary';
    return keys.some((key) => flawed.has(key)) ? 'unmatched' : 'nowhere';
  };
}

function isBetter(one: EndMatch, other: EndMatch): boolean {
  if (one.level !== other.level) return isStricter(one.level, other.level);
  return one.expected < other.expected;
}
