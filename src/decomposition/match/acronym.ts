import type { GoldenCase } from '../ingest/golden-case.ts';
import type { MatchedPair, MatchTier, Named } from './match-concepts.ts';
import { cacheLast, isPlain, normalise, spell } from './normalise.ts';

export type AcronymForms = {
  /** Normalised names; those with a bracketed acronym also without it. */
  readonly fulls: ReadonlySet<string>;
  /** Names that are written as acronyms: `ML`, `CNNs`, `W/O`. */
  readonly shorts: ReadonlySet<string>;
  /** Initials of names of several words, with and without the small words between. */
  readonly initials: ReadonlySet<string>;
};

const SMALL_WORDS: ReadonlySet<string> = new Set(
  'a an and as at by de for from in into of on or per the to via with'.split(' '),
);

export function acronymForms(names: readonly string[]): AcronymForms {
  const parts = names.flatMap(partsOf);
  return {
    fulls: new Set(parts.map(normalise)),
    shorts: new Set(parts.flatMap(shortsOf)),
    initials: new Set(parts.flatMap(initialsOf)),
  };
}

function partsOf(name: string): readonly string[] {
  return bracketed(name) ?? [name];
}

/** `Machine Learning (ML)` and `ML (machine learning)` give two names of one thing; `C (language)` does not. */
function bracketed(name: string): readonly [string, string] | undefined {
  if (!/[)\]]$/.test(name)) return undefined;
  const [, outer = '', inner = ''] = (/^([^()[\]]+)[([]([^()[\]]+)[)\]]$/.exec(name) ?? []).map((part) =>
    part.trim(),
  );
  if (outer === '' || inner === '') return undefined;
  const explains = (short: string, long: string) => {
    const letters = shortOf(short);
    return letters !== undefined && initialsOf(long).includes(letters);
  };
  return explains(inner, outer) || explains(outer, inner) ? [outer, inner] : undefined;
}

/** The letters of a name that looks like an acronym: one word, mostly capitals, without a plural s. */
export function shortOf(name: string): string | undefined {
  if (name.length > 20 || FEW_CAPITALS.test(name)) return undefined;
  const letters = name
    .normalize('NFKC')
    .replace(/(?<=\p{Lu})s$/u, '')
    .replace(/[.\-/&'’]/g, '');
  const capitals = letters.match(/\p{Lu}/gu)?.length ?? 0;
  const looksShort = /^[\p{L}\p{N}]{2,10}$/u.test(letters) && capitals >= 2 && 2 * capitals >= letters.length;
  return looksShort ? letters.toLowerCase() : undefined;
}

function shortsOf(name: string): readonly string[] {
  const short = shortOf(name);
  return short === undefined ? NONE : [short];
}

const NONE: readonly string[] = [];

/** ASCII with fewer than two capitals: not an acronym. */
const FEW_CAPITALS = /^[^A-Z\x80-\uffff]*[A-Z]?[^A-Z\x80-\uffff]*$/;

/** No acronym stands for more words than this. */
const MOST_WORDS = 12;

function initialsOf(name: string): string[] {
  const all = spell(name).split(' ');
  if (all.length < 2 || all.length > MOST_WORDS) return [];
  // A hyphenated compound counts as one word or as several: XAS is X-ray absorption spectroscopy.
  const joined = isPlain(name)
    ? []
    : name
        .trim()
        .split(/\s+/)
        .map((word) => spell(word));
  const variants = [all, joined].flatMap((words) => [words, words.filter((word) => !SMALL_WORDS.has(word))]);
  const initials = variants.map((words) => words.map((word) => [...word][0] ?? '').join(''));
  return [...new Set(initials.filter((letters) => /^[\p{L}\p{N}]{2,}$/u.test(letters)))];
}

/**
 * Acronyms that a text defines: letters → the spellings of the long forms, from `long form (LF)` or `LF (long form)`.
 */
function definitionsIn(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const note = (letters: string, long: string) => {
    const known = found.get(letters) ?? new Set<string>();
    found.set(letters, known.add(normalise(long)));
  };
  for (const { 0: bracket, 1: inner = '', index } of text.matchAll(/[([]([^()[\]]{2,120})[)\]]/g)) {
    const before = text
      .slice(Math.max(0, index - 200), index)
      .trim()
      .split(/\s+/)
      .slice(-MOST_WORDS);
    const short = shortOf(inner.trim());
    if (short !== undefined) {
      for (let words = 2; words <= before.length; words++) {
        const long = before.slice(-words).join(' ');
        if (initialsOf(long).includes(short)) note(short, long);
      }
    }
    const outer = shortOf(before.at(-1) ?? '');
    if (outer !== undefined && bracket !== '' && initialsOf(inner).includes(outer)) note(outer, inner);
  }
  return found;
}

export type AcronymIndex = (sought: AcronymForms) => ReadonlySet<number>;

/** `namesOfEach`: the names of each concept; results are indices into it. */
export function openAcronymIndex(namesOfEach: readonly (readonly string[])[]): AcronymIndex {
  const fulls = fileUnder(namesOfEach, (part) => [normalise(part)]);
  const shorts = fileUnder(namesOfEach, shortsOf);
  // Computed lazily, because it is only needed if there is an acronym to compare with.
  let initials: PlacesOf | undefined;
  return (sought) => {
    const found = new Set<number>();
    const look = (index: PlacesOf, keys: ReadonlySet<string>) => {
      for (const key of keys) for (const place of index.get(key) ?? []) found.add(place);
    };
    look(fulls, sought.fulls);
    look(shorts, sought.shorts);
    // Two names with the same initials are not the same, so initials are never compared with initials.
    look(shorts, sought.initials);
    if (sought.shorts.size > 0) {
      initials ??= fileUnder(namesOfEach, initialsOf);
      look(initials, sought.shorts);
    }
    return found;
  };
}

type PlacesOf = ReadonlyMap<string, readonly number[]>;

function fileUnder(
  namesOfEach: readonly (readonly string[])[],
  keysOf: (part: string) => readonly string[],
): PlacesOf {
  const places = new Map<string, number[]>();
  for (const [place, names] of namesOfEach.entries()) {
    for (const part of names.flatMap(partsOf)) {
      for (const key of keysOf(part)) {
        const known = places.get(key);
        if (known === undefined) places.set(key, [place]);
        else known.push(place);
      }
    }
  }
  return places;
}

/**
 * Pairs of which one is the acronym of the other. A name that may stand for a canary stands for nothing else. An
 * acronym that the text defines stands only for that definition.
 */
export function acronymTier(concepts: readonly Named[], golden: GoldenCase): MatchTier {
  return (left) => {
    const { expected, canaries, definitions, formsOf } = indexesOf(golden);
    return left.flatMap((row): MatchedPair[] => {
      const { label } = concepts[row] as Named;
      const forms = acronymForms([label]);
      if (canaries(forms).size > 0) return [];
      return [...expected(forms)]
        .filter((place) => !contradicted(forms, formsOf(place), definitions))
        .map((place) => ({ row, place, level: 'acronym', cost: 0 }));
    });
  };
}

/** One side is an acronym that the text defines, and the other is not one of its long forms. */
function contradicted(
  one: AcronymForms,
  other: AcronymForms,
  definitions: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  const shareShort = [...one.shorts].some((short) => other.shorts.has(short));
  if (definitions.size === 0 || shareShort || [...one.fulls].some((full) => other.fulls.has(full)))
    return false;
  const pairs = [
    ...[...one.shorts]
      .filter((short) => other.initials.has(short))
      .map((short) => [short, other.fulls] as const),
    ...[...other.shorts]
      .filter((short) => one.initials.has(short))
      .map((short) => [short, one.fulls] as const),
  ];
  return (
    pairs.length > 0 &&
    pairs.every(([short, fulls]) => {
      const meant = definitions.get(short);
      return meant !== undefined && ![...fulls].some((full) => meant.has(full));
    })
  );
}

const indexesOf = cacheLast(({ expectedConcepts, forbiddenConcepts, sourceText }: GoldenCase) => ({
  definitions: definitionsIn(sourceText),
  formsOf: (place: number) => {
    const { label = '', aliases = [] } = expectedConcepts[place] ?? {};
    return acronymForms([label, ...aliases]);
  },
  expected: openAcronymIndex(expectedConcepts.map(({ label, aliases }) => [label, ...aliases])),
  canaries: openAcronymIndex(forbiddenConcepts.map((label) => [label])),
}));
