import {
  type Edge,
  type ExpectedRelationship,
  type ExtractedConcept,
  type ExtractedRelationship,
  isStricter,
  isWithin,
  MATCH_LEVELS,
  type MatchLevel,
} from '../evidence.ts';
import { type ExtractionOutput, isPredicate, type OutputRelationship } from '../ingest/output.ts';
import { canaryKey } from './label-keys.ts';
import type { ConceptResolution } from './match-concepts.ts';
import { normalise, spellings } from './normalise.ts';
import { canaryNamed, edgeKey, expectedBy, nameOwner, type PreparedCase } from './prepare-case.ts';
import { verifyQuote } from './verify-quote.ts';

export type MatchedRelationships = {
  readonly relationships: readonly ExtractedRelationship[];
  readonly expectedRelationships: readonly ExpectedRelationship[];
};

/**
 * A relationship matches if its ends are the matched concepts, the predicate is the same, and the direction is the same
 * except for RELATES_TO. Every correct extracted relationship counts as correct. Every expected one is found once, at
 * its strictest level; repeats are duplicates. A forbidden relationship is never correct.
 */
export function matchRelationships(
  output: ExtractionOutput,
  resolved: readonly ConceptResolution[],
  prepared: PreparedCase,
): MatchedRelationships {
  const { text, expectedEdges, golden } = prepared;
  const endOf = resolveEnds(output, resolved, prepared);
  const matchOf = (name: string) => {
    const end = endOf(name);
    return typeof end === 'string' ? undefined : end;
  };
  const isForbidden = forbiddenCheck(prepared, matchOf);
  const wanted = new Set(expectedEdges);
  const strictest = new Map<string, MatchLevel>();
  const repeats = repeatsIn(output.relationships, matchOf);
  const levelOf = (edge: Edge): MatchLevel | undefined => {
    const [source, target] = [matchOf(edge.source), matchOf(edge.target)];
    if (source === undefined || target === undefined) return undefined;
    const key = edgeKey(source.expected, target.expected, edge.predicate);
    if (!wanted.has(key)) return undefined;
    const level = isStricter(source.level, target.level) ? target.level : source.level;
    const other = strictest.get(key);
    if (other === undefined || isStricter(level, other)) strictest.set(key, level);
    return level;
  };
  return {
    relationships: output.relationships.map((edge, place) => {
      const { source, target, predicate, confidence, sourceQuote } = edge;
      const forbidden = isForbidden(edge);
      const flaw = flawIn(edge, prepared, (end) => endOf(end) !== 'nowhere');
      const level = forbidden || flaw !== undefined ? undefined : levelOf(edge);
      return {
        source,
        target,
        predicate,
        quote: verifyQuote(sourceQuote, text),
        correct: level,
        ...(forbidden && { forbidden: true as const }),
        ...(repeats.has(place) && { duplicate: true as const }),
        ...(confidence !== undefined && { confidence }),
        ...(flaw !== undefined && { flaw }),
      };
    }),
    expectedRelationships: golden.expectedRelationships.map(({ source, target, predicate, required }, i) => {
      const found = strictest.get(expectedEdges[i] ?? '');
      return { source, target, predicate, required, ...(found && { found }) };
    }),
  };
}

function flawIn(
  edge: OutputRelationship,
  { predicates }: PreparedCase,
  isNamed: (end: string) => boolean,
): string | undefined {
  if (edge.flaw !== undefined) return edge.flaw;
  if (!isPredicate(edge.predicate) && !predicates.has(edge.predicate))
    return `predicate: "${edge.predicate}" is no predicate`;
  const loose = (['source', 'target'] as const).find((end) => !isNamed(edge[end]));
  return loose && `${loose}: "${edge[loose]}" is not among the extracted concepts`;
}

/** The indices of duplicate relationships, without the strictest of each group. */
function repeatsIn(
  edges: readonly Edge[],
  matchOf: (end: string) => EndMatch | undefined,
): ReadonlySet<number> {
  const nameOf = (end: string) => {
    const match = matchOf(end);
    return match === undefined ? `named ${normalise(end)}` : `expected ${match.expected}`;
  };
  const looseness = ({ source, target }: Edge) =>
    Math.max(...[source, target].map((end) => MATCH_LEVELS.indexOf(matchOf(end)?.level ?? 'exact')));
  const repeats = new Set<number>();
  const firstPlaces = new Map<string, number>();
  for (const [place, edge] of edges.entries()) {
    const key = edgeKey(nameOf(edge.source), nameOf(edge.target), edge.predicate);
    const other = firstPlaces.get(key);
    const isStricter = other !== undefined && looseness(edge) < looseness(edges[other] as Edge);
    if (other === undefined || isStricter) firstPlaces.set(key, place);
    if (other !== undefined) repeats.add(isStricter ? other : place);
  }
  return repeats;
}

/** The forbidden list names its ends by label, alias, or with a canary. */
function forbiddenCheck(
  prepared: PreparedCase,
  matchOf: (end: string) => EndMatch | undefined,
): (edge: Edge) => boolean {
  const { forbiddenEdges, golden } = prepared;
  if (forbiddenEdges.size === 0) return () => false;
  const endOf = (name: string) => {
    const match = matchOf(name);
    return match !== undefined && isWithin(match.level, 'alias')
      ? canaryKey(match.expected)
      : canaryKey(nameOwner(name, golden, prepared));
  };
  return ({ source, target, predicate }) =>
    forbiddenEdges.has(edgeKey(endOf(source), endOf(target), predicate));
}

/** The expected concept that an end stands for, and the level of the match. */
type EndMatch = { readonly expected: string; readonly level: MatchLevel };

/** `unmatched`: a concept that was not expected. `nowhere`: not a known concept. */
export type RelationshipEnd = EndMatch | 'canary' | 'unmatched' | 'nowhere';

/**
 * Resolves an end of an extracted relationship: to the extracted concept with that label, else with that alias; of
 * several, the one with the strictest match. Other ends are looked up in the golden case, because their meaning is
 * clear. So are ends that name a concept with a flaw, so that the flaw counts only once.
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
    if (canaryNamed(name, prepared.golden, prepared.canaries) !== undefined) return 'canary';
    return keys.some((key) => flawed.has(key)) ? 'unmatched' : 'nowhere';
  };
}

function isBetter(one: EndMatch, other: EndMatch): boolean {
  if (one.level !== other.level) return isStricter(one.level, other.level);
  return one.expected < other.expected;
}
