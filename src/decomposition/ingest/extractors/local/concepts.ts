import type { Analysis, Word } from './analyse.ts';
import { type Features, featuresOf, salienceOf } from './features.ts';
import { logOdds, type Model, probability } from './model.ts';
import { GRADING, PLACE_PHRASES, PLACES_AND_DATES, STOP_WORDS } from './words.ts';

export type Concept = {
  readonly label: string;
  readonly aliases: readonly string[];
  readonly places: readonly Occurrence[];
  /** The word where its label first occurs. */
  readonly at: number;
  readonly confidence: number;
};

export function conceptsOf(analysis: Analysis, model: Model): readonly Concept[] {
  const longer = longerNames(analysis);
  const mainOf = (key: string): string => longer.get(key) ?? key;
  const ranked = rankPhrases(analysis, model);
  return joinNames(analysis, chooseConcepts(ranked, model.central, analysis.words.length, mainOf), longer);
}

type Named = Map<string, { readonly keys: string[]; odds: number }>;

/** Short forms and other names, each with its full name. */
function longerNames(analysis: Analysis): ReadonlyMap<string, string> {
  const keyOf = ({ at, length }: WordSpan) =>
    analysis.words
      .slice(at, at + length)
      .map(({ stem }) => stem)
      .join(' ');
  return new Map(namingsOf(analysis).map(({ name, alias }) => [keyOf(alias), keyOf(name)]));
}

/** Merges two names of one thing into one concept with the longer form. */
function joinNames(
  analysis: Analysis,
  chosen: readonly Chosen[],
  longer: ReadonlyMap<string, string>,
): readonly Concept[] {
  const named: Named = new Map();
  for (const { key, odds } of chosen) {
    const main = longer.get(key) ?? key;
    const known = named.get(main);
    if (known !== undefined) known.odds = Math.max(known.odds, odds);
    else named.set(main, { keys: [main, ...aliasesOf(main, longer)], odds });
  }
  return [...named.values()].flatMap(({ keys, odds }) => {
    const places = keys.map((key) => placesOf(analysis, key));
    const [own, ...others] = places.map((one) => labelAt(analysis, one));
    if (own === undefined) return [];
    const { label, at } = own;
    const aliases = others.flatMap((other) =>
      other === undefined || other.label === label ? [] : other.label,
    );
    return [{ label, aliases, at, places: places.flat(), confidence: probability(odds) }];
  });
}

function aliasesOf(main: string, longer: ReadonlyMap<string, string>): string[] {
  return [...longer].filter(([alias, name]) => name === main && alias !== main).map(([alias]) => alias);
}

/** The most frequent form, as written inside a sentence. */
function labelAt(
  { words, readable, sentences }: Analysis,
  places: readonly Occurrence[],
): { label: string; at: number } | undefined {
  const forms = new Map<string, { label: string; at: number; count: number }>();
  for (const { at, length } of places) {
    const first = words[at] as Word;
    const last = words[at + length - 1] as Word;
    const written = readable.slice(first.from, last.to).replaceAll(/\s+/g, ' ');
    const begins = sentences[first.sentence]?.first === at && /^\p{Lu}\p{Ll}+(?!\p{L})/u.test(written);
    const form =
      begins && first.pos !== 'PROPN' ? written.charAt(0).toLowerCase() + written.slice(1) : written;
    const known = forms.get(form);
    if (known === undefined) forms.set(form, { label: form, at, count: 1 });
    else known.count += 1;
  }
  return [...forms.values()].sort((a, b) => b.count - a.count)[0];
}

/** One occurrence of a phrase: words `at` to `at + length`. */
export type Occurrence = { readonly at: number; readonly length: number };

/**
 * A phrase that could name a concept, with all its occurrences. `key` contains its stems, so that inflected forms are
 * one phrase.
 */
export type PhraseCandidate = { readonly key: string; readonly occurrences: readonly Occurrence[] };

const LONGEST = 5;
const EDGE = new Set(['NOUN', 'PROPN', 'ADJ', 'VERB', 'NUM', 'X', 'ADV']);
const HEAD = new Set(['NOUN', 'PROPN', 'VERB', 'ADJ', 'X', 'NUM']);
const LINKS = new Set(['of', 'for', 'in', 'and']);

/** Every run of up to five words inside a clause whose first and last word could belong to a name. */
export function candidatesOf({ words, sentences }: Analysis): readonly PhraseCandidate[] {
  const found = new Map<string, Occurrence[]>();
  for (const { first, end } of sentences) {
    for (let at = first; at < end; at++) {
      if (!opens(words[at])) continue;
      const stems: string[] = [];
      for (let length = 1; length <= LONGEST && at + length <= end; length++) {
        const word = words[at + length - 1] as Word;
        if (!continues(word)) break;
        stems.push(word.stem);
        if (!closes(word)) continue;
        const key = stems.join(' ');
        const places = found.get(key);
        if (places === undefined) found.set(key, [{ at, length }]);
        else places.push({ at, length });
      }
    }
  }
  return [...found]
    .map(([key, occurrences]) => ({ key, occurrences }))
    .filter((one) => isNameOfThing(words, one, found) && standsAlone(words, one));
}

const SORTS = new Set(
  `kind type form sort example instance part number share set series way means case piece side end lack choice answer
  fact matter aspect majority variety range list`
    .trim()
    .split(/\s+/),
);
const isNoun = (word: Word | undefined): boolean =>
  word !== undefined && !word.finite && (word.pos === 'NOUN' || word.pos === 'PROPN');

/**
 * Not "segregation" in "segregation of duties", "intermediate" in "intermediate CA", nor "kind" in "a kind of fern".
 */
function standsAlone(words: readonly Word[], { occurrences }: PhraseCandidate): boolean {
  const [{ at, length }] = occurrences as [Occurrence];
  if (SORTS.has(words[at]?.lemma ?? '') && (length === 1 || words[at + 1]?.lower === 'of')) return false;
  const isHead = occurrences.some(({ at, length }) => {
    const next = words[at + length];
    return !(isNoun(next) && next?.sentence === words[at]?.sentence);
  });
  if (!isHead) return false;
  const owners = new Set(
    occurrences.map(({ at, length }) =>
      words[at + length]?.lower === 'of' && isNoun(words[at + length + 1])
        ? words[at + length + 1]?.stem
        : undefined,
    ),
  );
  if (owners.size === 1 && !owners.has(undefined)) return false;
  if (occurrences.length < 2) return true;
  const before = new Set(
    occurrences.map(({ at }) => {
      const link = words[at - 1]?.lower ?? '';
      return link === 'of' || (link === 'and' && length > 1) ? `${words[at - 2]?.stem} ${link}` : undefined;
    }),
  );
  return !(before.size === 1 && !before.has(undefined));
}

/** Not "the European Union", "4.1 Stagnation" or "as a rule"; nor "high costs" if the text also mentions costs. */
function isNameOfThing(
  words: readonly Word[],
  { key, occurrences }: PhraseCandidate,
  all: ReadonlyMap<string, readonly Occurrence[]>,
): boolean {
  const { at, length } = occurrences[0] as Occurrence;
  const own = words.slice(at, at + length);
  const [first, ...rest] = own as [Word, ...Word[]];
  const names = own.filter(({ text, lower }) => /^\p{Lu}/u.test(text) && PLACES_AND_DATES.has(lower));
  if (names.length > 0 && (names.length === own.length || names.includes(own.at(-1) as Word))) return false;
  if (names.length > 0 && own.every(({ text }) => /^\p{Lu}/u.test(text))) return false;
  const spelled = own.map(({ lower }) => lower).join(' ');
  if ([...PLACE_PHRASES].some((place) => spelled === place || spelled.startsWith(`${place} `))) return false;
  if (own.some(({ lower }) => lower === 'v.' || lower === 'vs')) return false;
  if (/^\d/.test(first.text) && (rest.length === 0 || /^\d+(?:\.\d+)*\.?$/.test(first.text))) return false;
  if (first.lower === 'rule' && words[at - 1]?.lower === 'a' && words[at - 2]?.lower === 'as') return false;
  if (!GRADING.has(first.lower)) return true;
  if (rest.length === 0) return false;
  const bare = key.split(' ').slice(first.stem.split(' ').length).join(' ');
  return (all.get(bare)?.length ?? 0) <= occurrences.length;
}

function isContent({ lower }: Word): boolean {
  return /\p{L}/u.test(lower) && !STOP_WORDS.has(lower);
}

function opens(word: Word | undefined): boolean {
  return (
    word !== undefined &&
    !word.finite &&
    EDGE.has(word.pos) &&
    (isContent(word) || /^\p{N}/u.test(word.lower))
  );
}

function closes(word: Word): boolean {
  return HEAD.has(word.pos) && isContent(word) && word.lower.length > 1;
}

function continues(word: Word): boolean {
  return opens(word) || LINKS.has(word.lower) || word.lower === "'s" || word.lower === '’s';
}

/** An occurrence of a concept; `concept` is its index. */
export type Mention = Occurrence & { readonly concept: number };

/** Occurrences of concepts in text order; of overlapping names, the longer one counts. */
export function mentionsOf(places: readonly (readonly Occurrence[])[]): readonly Mention[] {
  const all = places.flatMap((occurrences, concept) => occurrences.map((one) => ({ ...one, concept })));
  all.sort((a, b) => b.length - a.length || a.at - b.at);
  const used = new Set<number>();
  const kept = all.filter(({ at, length }) => {
    const own = Array.from({ length }, (_, i) => at + i);
    if (own.some((index) => used.has(index))) return false;
    for (const index of own) used.add(index);
    return true;
  });
  return kept.sort((a, b) => a.at - b.at);
}

export function placesOf({ words }: Analysis, key: string): readonly Occurrence[] {
  const found: Occurrence[] = [];
  for (let at = 0; at < words.length; at++) {
    let joined = words[at]?.stem ?? '';
    let length = 1;
    while (joined.length < key.length && at + length < words.length) {
      joined += ` ${words[at + length]?.stem}`;
      length++;
    }
    if (joined === key) found.push({ at, length });
  }
  return found;
}

export type Ranked = PhraseCandidate & {
  /** Log odds that it names something at all, learnt from the keyphrases of abstracts. */
  readonly plausible: number;
  readonly salience: Features;
};

export function rankPhrases(analysis: Analysis, model: Model): readonly Ranked[] {
  const candidates = candidatesOf(analysis);
  const features = featuresOf(analysis, candidates, model.abstracts);
  const plausible = features.map((one) => logOdds(model.phrase, one));
  const salience = salienceOf(analysis, candidates, plausible, model.everyday);
  return candidates
    .map((candidate, i) => ({
      ...candidate,
      plausible: plausible[i] as number,
      salience: salience[i] as Features,
    }))
    .sort((a, b) => b.plausible - a.plausible || (a.key < b.key ? -1 : 1));
}

export type Chosen = Ranked & { readonly odds: number };

const MOST = 25;
const FEWEST = 5;
/**
 * A longer name is preferred to its part if its score is at most this much lower; "loss of soil" if at most that much.
 */
const PREFER_LONGER = 1.5;
const PREFER_OF = 3;
const CONSIDERED = 300;
/**
 * Below one in thirty, a phrase is not a topic even of a short text. Long texts name their central concepts more
 * clearly.
 */
const LEAST_ODDS = -3.4;
const LEAST_ODDS_OF_LONG = -1.2;
const ABSTRACT = 150;
const ARTICLE = 400;

/** Four times the words have twice the concepts, up to a limit for readers. */
export function conceptLimit(wordCount: number): number {
  return Math.min(MOST, Math.max(FEWEST, Math.round(1.2 * Math.sqrt(wordCount))));
}

/** 0 for a text as short as an abstract, 1 for one that is long enough for usage to show which phrases are central. */
export function lengthShare(wordCount: number): number {
  return Math.min(1, Math.max(0, (wordCount - ABSTRACT) / (ARTICLE - ABSTRACT)));
}

/**
 * The central concepts, best first, without mere parts of one another. Two names of one thing (`mainOf`) count as one.
 */
export function chooseConcepts(
  ranked: readonly Ranked[],
  central: ReadonlyMap<string, number>,
  wordCount: number,
  mainOf: (key: string) => string = (key) => key,
): readonly Chosen[] {
  const limit = conceptLimit(wordCount);
  const share = lengthShare(wordCount);
  const scored = ranked
    .map((one) => ({ ...one, odds: share * logOdds(central, one.salience) + (1 - share) * one.plausible }))
    .sort((a, b) => b.odds - a.odds || (a.key < b.key ? -1 : 1))
    .slice(0, CONSIDERED);
  const least = share * LEAST_ODDS_OF_LONG + (1 - share) * LEAST_ODDS;
  let chosen: Chosen[] = [];
  for (const next of scored) {
    const things = new Set(chosen.map(({ key }) => mainOf(key))).size;
    if (things >= limit || next.odds < least) break;
    const pieces = chosen.filter((one) => isPiece(one, [next]));
    const replaced = pieces.find(
      (one) =>
        one.occurrences.length === next.occurrences.length &&
        next.odds > one.odds - (/ of /.test(next.key) ? PREFER_OF : PREFER_LONGER),
    );
    if (replaced !== undefined) {
      chosen = chosen.flatMap((one) => (one === replaced ? [next] : pieces.includes(one) ? [] : [one]));
    } else if (pieces.length === 0 && !isPiece(next, chosen)) chosen.push(next);
  }
  return chosen;
}

/** Whether every occurrence of a phrase is inside a longer one of the others. */
function isPiece(phrase: Ranked, others: readonly Ranked[]): boolean {
  const covered = new Map<number, Occurrence>();
  for (const { key, occurrences } of others) {
    if (key === phrase.key) continue;
    for (const one of occurrences) {
      for (let at = one.at; at < one.at + one.length; at++) {
        if ((covered.get(at)?.length ?? 0) < one.length) covered.set(at, one);
      }
    }
  }
  return phrase.occurrences.every(({ at, length }) => {
    const around = covered.get(at);
    return around !== undefined && around.length > length && around.at + around.length >= at + length;
  });
}

export type Naming = { readonly name: WordSpan; readonly alias: WordSpan };
type WordSpan = { readonly at: number; readonly length: number };

/** "machine learning (ML)" and "the bullwhip effect, also called the Forrester effect". */
export function namingsOf(analysis: Analysis): readonly Naming[] {
  return [...acronyms(analysis), ...otherNames(analysis)];
}

const SKIPPED = new Set(['of', 'and', 'the', 'for', 'in', 'to', 'a', 'an', 'on', 'with']);

function acronyms({ words }: Analysis): Naming[] {
  return words.flatMap((word, at) => {
    const opens = words[at - 1];
    if (opens?.text !== '(' || words[at + 1]?.text !== ')' || word.sentence !== opens.sentence) return [];
    const letters = word.text
      .replace(/s$/, '')
      .replaceAll(/[^\p{L}\p{N}]/gu, '')
      .toLowerCase();
    if (letters.length < 2 || letters.length > 8 || !/\p{Lu}.*\p{Lu}/u.test(word.text)) return [];
    const length = longFormLength(words, at - 2, letters, word.sentence);
    return length === 0 ? [] : [{ name: { at: at - 1 - length, length }, alias: { at, length: 1 } }];
  });
}

/** How many words up to `last` begin with the letters, ignoring link words; none if they do not. */
function longFormLength(words: readonly Word[], last: number, letters: string, sentence: number): number {
  let left = letters;
  let length = 0;
  while (left !== '') {
    const word = words[last - length];
    if (word === undefined || word.sentence !== sentence || word.pos === 'PUNCT' || length > 10) return 0;
    length++;
    if (SKIPPED.has(word.lower) && length > 1 && !left.endsWith(word.lower.charAt(0))) continue;
    const initials = word.lower
      .split(/[^\p{L}\p{N}]+/u)
      .map((part) => part.charAt(0))
      .join('');
    if (left.endsWith(initials)) left = left.slice(0, -initials.length);
    else if (left.endsWith(initials.charAt(0))) left = left.slice(0, -1);
    else if (!SKIPPED.has(word.lower) || length === 1) return 0;
  }
  return length;
}

const NAME_TAGS = new Set(['NOUN', 'PROPN', 'ADJ', 'X']);

/** The names on both sides of "also called", "also known as", "sometimes called". */
function otherNames({ words }: Analysis): Naming[] {
  return words.flatMap((word, at) => {
    const called = word.lower === 'called' || word.lower === 'termed';
    const known = word.lower === 'as' && words[at - 1]?.lower === 'known';
    const verb = known ? at - 1 : at;
    if (!(called || known) || !['also', 'sometimes', 'often'].includes(words[verb - 1]?.lower ?? ''))
      return [];
    let end = verb - 2;
    while (words[end]?.text === ',' || words[end]?.text === '(') end--;
    let start = at + 1;
    while (words[start]?.pos === 'DET') start++;
    const name = run(words, end, -1, word.sentence);
    const alias = run(words, start, 1, word.sentence);
    if (name === 0 || alias === 0) return [];
    return [{ name: { at: end - name + 1, length: name }, alias: { at: start, length: alias } }];
  });
}

/** How many words from here on, in this direction, belong to one name. */
function run(words: readonly Word[], from: number, step: 1 | -1, sentence: number): number {
  let length = 0;
  while (length < 4) {
    const word = words[from + length * step];
    if (word === undefined || word.sentence !== sentence || !NAME_TAGS.has(word.pos)) break;
    length++;
  }
  return length;
}
