import type { ExpectedConcept, ExpectedRelationship, MatchLevel } from '../evidence.ts';
import type { GoldenCase } from '../ingest/golden-case.ts';
import { canaryKey, canaryKeys, joined } from './canary-key.ts';
import { normalise, rememberLast, spellings, withoutOf } from './normalise.ts';
import { type SearchableText, searchable } from './verify-quote.ts';

/** A golden case with everything looked up once, however many outputs are held against it. */
export type PreparedCase = {
  readonly golden: GoldenCase;
  /** Each name → the expected concepts it stands for, as places in `golden.expectedConcepts`. */
  readonly exact: ReadonlyMap<string, readonly number[]>;
  readonly normalised: ReadonlyMap<string, readonly number[]>;
  /** All names, also turned round their `of`: what a stricter level did not take is found here. */
  readonly otherNames: ReadonlyMap<string, readonly number[]>;
  /** Label of an expected concept → all its names. */
  readonly namesOf: ReadonlyMap<string, readonly string[]>;
  readonly canaries: ReadonlyMap<string, string>;
  /** Those that the case itself uses, which may be other than the documented ones. */
  readonly predicates: ReadonlySet<string>;
  readonly text: SearchableText;
  /** Keys of the expected relationships, in their order, and of the forbidden ones. */
  readonly expectedEdges: readonly string[];
  readonly forbiddenEdges: ReadonlySet<string>;
  /** Evidence of an expected concept or relationship that was found at a level, or missed: one object for all trials. */
  readonly conceptEntry: Entries<ExpectedConcept>;
  readonly edgeEntry: Entries<ExpectedRelationship>;
};

type Entries<T> = (place: number, found: MatchLevel | undefined) => T;

export const prepareCase: (golden: GoldenCase) => PreparedCase = rememberLast((golden) => {
  const { expectedConcepts, forbiddenConcepts, sourceText } = golden;
  const labels = expectedConcepts.map(({ label }) => label);
  const names = {
    normalised: placesOf(labels.map(spellings)),
    otherNames: placesOf(
      expectedConcepts.map(({ label, aliases }) => [
        ...[label, ...aliases].flatMap(spellings),
        ...turned([label, ...aliases]),
      ]),
    ),
  };
  const ownerOf = (name: string) => nameOwner(name, golden, names);
  return {
    ...names,
    golden,
    exact: placesOf(labels.map((label) => [label])),
    namesOf: new Map(
      expectedConcepts.map(({ aliases }, place) => [labels[place] ?? '', [labels[place] ?? '', ...aliases]]),
    ),
    canaries: new Map(
      forbiddenConcepts.flatMap((label) =>
        [canaryKey(label), joined(canaryKey(label))].map((key) => [key, label] as const),
      ),
    ),
    predicates: new Set(
      [...golden.expectedRelationships, ...golden.forbiddenRelationships].map(({ predicate }) => predicate),
    ),
    text: searchable(sourceText),
    expectedEdges: golden.expectedRelationships.map(({ source, target, predicate }) =>
      edgeKey(ownerOf(source), ownerOf(target), predicate),
    ),
    forbiddenEdges: new Set(
      golden.forbiddenRelationships.map(({ source, target, predicate }) =>
        edgeKey(canaryKey(ownerOf(source)), canaryKey(ownerOf(target)), predicate),
      ),
    ),
    conceptEntry: entriesOf(expectedConcepts.map(({ label, required }) => ({ label, required }))),
    edgeEntry: entriesOf(
      golden.expectedRelationships.map(({ source, target, predicate, required }) => ({
        source,
        target,
        predicate,
        required,
      })),
    ),
  };
});

/** The expected concept that a name stands for, and how strictly; none for a canary. */
export function expectedBy(
  name: string,
  { golden, exact, normalised, otherNames, canaries }: PreparedCase,
): { readonly expected: string; readonly level: MatchLevel } | undefined {
  if (isCanary(name, canaries)) return undefined;
  const keys = spellings(name);
  for (const [level, place] of [
    ['exact', exact.get(name)?.[0]],
    ['normalised', firstPlace(normalised, keys)],
    ['alias', firstPlace(otherNames, [...keys, ...turned([name])])],
  ] as const) {
    const expected = place === undefined ? undefined : golden.expectedConcepts[place]?.label;
    if (expected !== undefined) return { expected, level };
  }
  return undefined;
}

export function isCanary(name: string, canaries: ReadonlyMap<string, string>): boolean {
  return canaries.size > 0 && canaryKeys(name).some((key) => canaries.has(key));
}

/** Names with an `of` in the order without it. */
function turned(names: readonly string[]): string[] {
  return names.flatMap((name) => withoutOf(name) ?? []);
}

function firstPlace(
  places: ReadonlyMap<string, readonly number[]>,
  keys: readonly string[],
): number | undefined {
  return keys.map((key) => places.get(key)?.[0]).find((place) => place !== undefined);
}

/** The expected concept that a name stands for. */
export function nameOwner(
  name: string,
  golden: GoldenCase,
  { normalised, otherNames }: Pick<PreparedCase, 'normalised' | 'otherNames'>,
): string {
  const keys = spellings(name);
  const place = firstPlace(normalised, keys) ?? firstPlace(otherNames, [...keys, ...turned([name])]);
  return (place === undefined ? undefined : golden.expectedConcepts[place]?.label) ?? normalise(name);
}

/** The same for the same relationship: RELATES_TO has no direction. */
export function edgeKey(source: string, target: string, predicate: string): string {
  const [first, second] = predicate === 'RELATES_TO' && target < source ? [target, source] : [source, target];
  // The length keeps the ends apart, whatever characters they have.
  return `${predicate} ${first.length} ${first}${second}`;
}

function entriesOf<T extends object>(
  missed: readonly T[],
): (place: number, found: MatchLevel | undefined) => T {
  const known = missed.map(() => new Map<MatchLevel, T>());
  return (place, found) => {
    const [entry, made] = [missed[place] as T, known[place] as Map<MatchLevel, T>];
    if (found === undefined) return entry;
    const one = made.get(found) ?? { ...entry, found };
    made.set(found, one);
    return one;
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
