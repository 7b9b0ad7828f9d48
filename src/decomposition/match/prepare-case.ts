import type { MatchLevel } from '../evidence.ts';
import type { GoldenCase } from '../ingest/golden-case.ts';
import { indexText, type TextIndex } from '../investigate/text-index.ts';
import { canaryKey, labelKeys } from './label-keys.ts';
import { cacheLast, normalise } from './normalise.ts';
import { type SearchableText, searchable } from './verify-quote.ts';

export type PreparedCase = {
  readonly golden: GoldenCase;
  /** Each label → the expected concepts with that name, as indices into `golden.expectedConcepts`. */
  readonly exact: ReadonlyMap<string, readonly number[]>;
  readonly labels: NameIndex;
  readonly names: NameIndex;
  readonly namesOf: ReadonlyMap<string, readonly string[]>;
  readonly canaries: NameIndex;
  readonly predicates: ReadonlySet<string>;
  readonly text: SearchableText;
  readonly index: () => TextIndex;
  readonly expectedEdges: readonly string[];
  readonly forbiddenEdges: ReadonlySet<string>;
};

/** Names by key, looked up the same way for expected and forbidden concepts. */
type NameIndex = {
  readonly whole: ReadonlyMap<string, readonly number[]>;
  readonly parts: ReadonlyMap<string, readonly number[]>;
};

function indexNames(namesOfEach: readonly (readonly string[])[]): NameIndex {
  const keys = namesOfEach.map((names) => names.map(labelKeys));
  return {
    whole: placesOf(keys.map((each) => each.flatMap(({ whole }) => whole))),
    parts: placesOf(keys.map((each) => each.flatMap(({ parts }) => parts))),
  };
}

/** The concepts that a label may stand for: by its whole name, or if one name is a part of the other. */
export function placesNamed(
  label: string,
  { whole, parts }: NameIndex,
): { readonly byWhole: readonly number[]; readonly byPart: readonly number[] } {
  const keys = labelKeys(label);
  const found = (names: readonly string[], index: NameIndex['whole']) =>
    names.flatMap((key) => index.get(key) ?? []);
  return {
    byWhole: found(keys.whole, whole),
    byPart: [...found(keys.whole, parts), ...found(keys.parts, whole)],
  };
}

function firstNamed(label: string, index: NameIndex): number | undefined {
  const { byWhole, byPart } = placesNamed(label, index);
  return byWhole[0] ?? byPart[0];
}

export const prepareCase: (golden: GoldenCase) => PreparedCase = cacheLast((golden) => {
  const { expectedConcepts, forbiddenConcepts, sourceText } = golden;
  const labels = expectedConcepts.map(({ label }) => label);
  const names = {
    labels: indexNames(labels.map((label) => [label])),
    names: indexNames(expectedConcepts.map(({ label, aliases }) => [label, ...aliases])),
  };
  const ownerOf = (name: string) => nameOwner(name, golden, names);
  return {
    ...names,
    golden,
    exact: placesOf(labels.map((label) => [label])),
    namesOf: new Map(
      expectedConcepts.map(({ aliases }, place) => [labels[place] ?? '', [labels[place] ?? '', ...aliases]]),
    ),
    canaries: withoutExpected(indexNames(forbiddenConcepts.map((label) => [label])), names.names),
    predicates: new Set(
      [...golden.expectedRelationships, ...golden.forbiddenRelationships].map(({ predicate }) => predicate),
    ),
    text: searchable(sourceText),
    index: lazy(() => indexText(sourceText)),
    expectedEdges: golden.expectedRelationships.map(({ source, target, predicate }) =>
      edgeKey(ownerOf(source), ownerOf(target), predicate),
    ),
    forbiddenEdges: new Set(
      golden.forbiddenRelationships.map(({ source, target, predicate }) =>
        edgeKey(canaryKey(ownerOf(source)), canaryKey(ownerOf(target)), predicate),
      ),
    ),
  };
});

/** A part of a canary that is itself expected is not forbidden: `carbon (memory)` does not forbid carbon. */
function withoutExpected({ whole, parts }: NameIndex, expected: NameIndex): NameIndex {
  return { whole, parts: new Map([...parts].filter(([key]) => !expected.whole.has(key))) };
}

export function expectedBy(
  name: string,
  { golden, exact, labels, names, canaries }: PreparedCase,
): { readonly expected: string; readonly level: MatchLevel } | undefined {
  if (canaryNamed(name, golden, canaries) !== undefined) return undefined;
  for (const [level, place] of [
    ['exact', exact.get(name)?.[0]],
    ['normalised', firstNamed(name, labels)],
    ['alias', firstNamed(name, names)],
  ] as const) {
    const expected = place === undefined ? undefined : golden.expectedConcepts[place]?.label;
    if (expected !== undefined) return { expected, level };
  }
  return undefined;
}

export function canaryNamed(name: string, golden: GoldenCase, canaries: NameIndex): string | undefined {
  return canariesNamed(name, golden, canaries)[0];
}

/** Every canary that a label names, so that a list of canaries hides none of them. */
export function canariesNamed(
  label: string,
  { forbiddenConcepts }: GoldenCase,
  canaries: NameIndex,
): readonly string[] {
  if (forbiddenConcepts.length === 0) return [];
  const { byWhole, byPart } = placesNamed(label, canaries);
  const listed = labelKeys(label).listed.flatMap((key) => canaries.whole.get(key) ?? []);
  const places = new Set([...byWhole, ...byPart, ...listed]);
  return [...places].flatMap((place) => forbiddenConcepts[place] ?? []);
}

export function nameOwner(
  name: string,
  golden: GoldenCase,
  { labels, names }: Pick<PreparedCase, 'labels' | 'names'>,
): string {
  const place = firstNamed(name, labels) ?? firstNamed(name, names);
  return (place === undefined ? undefined : golden.expectedConcepts[place]?.label) ?? normalise(name);
}

/** Equal for the same relationship: RELATES_TO has no direction. */
export function edgeKey(source: string, target: string, predicate: string): string {
  const [first, second] = predicate === 'RELATES_TO' && target < source ? [target, source] : [source, target];
  // The length separates the ends, whatever characters they contain.
  return `${predicate} ${first.length} ${first}${second}`;
}

function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function placesOf(namesOfEach: readonly (readonly string[])[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [place, names] of namesOfEach.entries()) {
    for (const name of new Set(names)) {
      const known = places.get(name);
      if (known === undefined) places.set(name, [place]);
      else known.push(place);
    }
  }
  return places;
}
