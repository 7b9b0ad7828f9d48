import { assignment } from '../../stats/assignment.ts';
import type { ExtractedConcept, MatchLevel } from '../evidence.ts';
import type { ExtractionOutput } from '../ingest/output.ts';
import { canariesNamed, type PreparedCase, placesNamed } from './prepare-case.ts';

export type Named = Pick<ExtractionOutput['concepts'][number], 'label' | 'aliases' | 'flaw'>;
export type ConceptResolution = Pick<ExtractedConcept, 'match' | 'canary' | 'moreCanaries'>;

/** An extracted concept that may stand for an expected one; a lower cost is a better match. */
export type MatchedPair = {
  readonly row: number;
  readonly place: number;
  readonly level: MatchLevel;
  readonly cost: number;
  readonly similarity?: number;
};

export type MatchTier = (left: readonly number[]) => readonly MatchedPair[] | Promise<readonly MatchedPair[]>;

/**
 * Resolves each extracted concept; one with a flaw matches no expected concept. Canaries come first. Then each tier
 * assigns what the stricter ones left, so that a looser tier never changes a stricter result. A leftover that stands
 * for an assigned concept is a duplicate.
 */
export async function matchConcepts(
  concepts: readonly Named[],
  prepared: PreparedCase,
  looserTiers: readonly MatchTier[],
): Promise<ConceptResolution[]> {
  const resolved: ConceptResolution[] = concepts.map((concept) => canaryOf(concept, prepared));
  // A canonical order, so that the order of arrival has no effect.
  const order = canonicalOrder(concepts);
  const taken = new Set<number>();
  const byName: MatchTier = (left) =>
    left.flatMap((row) => pairsByName(concepts[row] as Named, row, prepared));
  for (const tier of [byName, ...looserTiers]) {
    const left = order.filter(
      (row) =>
        resolved[row]?.match === undefined &&
        resolved[row]?.canary === undefined &&
        concepts[row]?.flaw === undefined,
    );
    if (left.length === 0) break;
    settle(await tier(left), prepared, taken, resolved);
  }
  return resolved;
}

function canaryOf({ label }: Named, { golden, canaries }: PreparedCase): ConceptResolution {
  const [canary, ...moreCanaries] = canariesNamed(label, golden, canaries);
  return canary === undefined ? {} : { canary, ...(moreCanaries.length > 0 && { moreCanaries }) };
}

function canonicalOrder(concepts: readonly Named[]): number[] {
  const keys = concepts.map(({ label, aliases = [] }) => [label, ...aliases.toSorted()].join('\n'));
  return concepts.map((_, row) => row).sort((a, b) => compare(keys[a] ?? '', keys[b] ?? ''));
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** One exact or normalised match is worth more than any alias, and a whole name more than a part. */
const COSTS = { exact: 0, normalised: 1, alias: 3 } as const;

/** Uses only the label: aliases in an output are the output's own claim and prove nothing. */
function pairsByName({ label }: Named, row: number, prepared: PreparedCase): MatchedPair[] {
  const best = new Map<number, MatchedPair>();
  const add = (places: readonly number[], level: 'exact' | 'normalised' | 'alias', more = 0) => {
    const cost = COSTS[level] + more;
    for (const place of places) {
      if (!best.has(place)) best.set(place, { row, place, level, cost });
    }
  };
  const [labels, names] = [placesNamed(label, prepared.labels), placesNamed(label, prepared.names)];
  add(prepared.exact.get(label) ?? [], 'exact');
  add(labels.byWhole, 'normalised');
  add(labels.byPart, 'normalised', 1);
  add(names.byWhole, 'alias');
  add(names.byPart, 'alias', 1);
  return [...best.values()];
}

/** Credits each expected concept once, by best assignment; other candidates for an assigned concept are duplicates. */
function settle(
  pairs: readonly MatchedPair[],
  { golden }: PreparedCase,
  taken: Set<number>,
  resolved: ConceptResolution[],
): void {
  const nameOf = (place: number) => golden.expectedConcepts[place]?.label ?? '';
  for (const { row, place, level, similarity } of bestPairs(pairs.filter((pair) => !taken.has(pair.place)))) {
    taken.add(place);
    resolved[row] = {
      match: { expected: nameOf(place), level, similarity },
    };
  }
  const repeats = pairs
    .filter(({ row, place }) => resolved[row]?.match === undefined && taken.has(place))
    .sort((a, b) => a.cost - b.cost || a.place - b.place);
  for (const { row, place, level, similarity } of repeats) {
    if (resolved[row]?.match !== undefined) continue;
    resolved[row] = {
      match: {
        expected: nameOf(place),
        level,
        duplicate: true,
        similarity,
      },
    };
  }
}

function bestPairs(pairs: readonly MatchedPair[]): MatchedPair[] {
  const rows = [...new Set(pairs.map(({ row }) => row))];
  const places = [...new Set(pairs.map(({ place }) => place))].sort((a, b) => a - b);
  // The usual case without conflicts.
  if (rows.length === pairs.length && places.length === pairs.length) return [...pairs];
  const [rowAt, placeAt] = [indexOf(rows), indexOf(places)];
  const costs = new Float64Array(rows.length * places.length).fill(Infinity);
  for (const { row, place, cost } of pairs) {
    costs[(rowAt.get(row) ?? 0) * places.length + (placeAt.get(place) ?? 0)] = cost;
  }
  const { columnOfRow } = assignment(costs, rows.length, places.length);
  return pairs.filter(
    ({ row, place }) => columnOfRow[rowAt.get(row) ?? 0] === placeAt.get(place) && placeAt.has(place),
  );
}

function indexOf(items: readonly number[]): Map<number, number> {
  return new Map(items.map((item, i) => [item, i]));
}
