import type { Analysis, Word } from './analyse.ts';
import type { Occurrence, PhraseCandidate } from './concepts.ts';
import type { Commonness } from './model.ts';
import { RELATION_STEMS } from './words.ts';

export type Features = ReadonlyMap<string, number>;

const NAMES = new Set(['NOUN', 'PROPN', 'ADJ', 'NUM', 'X']);

export function featuresOf(
  analysis: Analysis,
  candidates: readonly PhraseCandidate[],
  commonness: Commonness,
): readonly Features[] {
  const document = documentOf(analysis, candidates);
  return candidates.map((candidate) => {
    const features = new Map<string, number>([['bias', 1]]);
    const first = candidate.occurrences[0] as Occurrence;
    const own = analysis.words.slice(first.at, first.at + first.length);
    shape(features, own);
    wordsOf(features, own, commonness, document);
    context(features, analysis, candidate);
    spread(features, analysis, candidate, document);
    return features;
  });
}

type Document = {
  readonly stems: ReadonlyMap<string, number>;
  readonly frequency: ReadonlyMap<string, number>;
  readonly size: number;
};

function documentOf({ words }: Analysis, candidates: readonly PhraseCandidate[]): Document {
  const stems = new Map<string, number>();
  for (const { stem } of words) stems.set(stem, (stems.get(stem) ?? 0) + 1);
  const frequency = new Map(candidates.map(({ key, occurrences }) => [key, occurrences.length]));
  return { stems, frequency, size: words.length };
}

const bin = (value: number, edges: readonly number[]): number => edges.filter((edge) => value >= edge).length;

function shape(features: Map<string, number>, own: readonly Word[]): void {
  const tags = own.map(({ pos }) => pos).join('+');
  const last = own.at(-1) as Word;
  const begin = own[0] as Word;
  features.set(`tags ${tags}`, 1);
  features.set(`length ${own.length}`, 1);
  if (own.length > 1) {
    features.set(`opens ${begin.pos}`, 1);
    features.set(`ends ${last.pos}`, 1);
  }
  features.set(`suffix ${own.length > 1 ? 'of many' : 'alone'} ${last.lower.slice(-3)}`, 1);
  if (own.length > 1) features.set(`first suffix ${begin.lower.slice(-3)}`, 1);
  if (own.some(({ text }) => /^\p{Lu}{2,}s?$/u.test(text))) features.set('acronym', 1);
  if (own.some(({ text }) => /\p{L}-\p{L}/u.test(text))) features.set('hyphen', 1);
  if (own.some(({ text }) => /\p{N}/u.test(text))) features.set('digit', 1);
  if (own.every(({ text }) => /^\p{Lu}/u.test(text))) features.set('capital', 1);
  for (const { lower } of own.slice(1, -1)) if (lower.length < 4) features.set(`inside ${lower}`, 1);
}

const RARITY = [0.5, 1.5, 2.5, 3.5, 4.5, 5.5];

function wordsOf(
  features: Map<string, number>,
  own: readonly Word[],
  { rarity, known }: Commonness,
  { stems }: Document,
): void {
  const kind = own.length > 1 ? 'many' : 'one';
  const rarities = own.map(({ stem }) => rarity(stem));
  const last = own.at(-1) as Word;
  const begin = own[0] as Word;
  features.set(`${kind} rarest ${bin(Math.max(...rarities), RARITY)}`, 1);
  features.set(`${kind} commonest ${bin(Math.min(...rarities), RARITY)}`, 1);
  features.set(`${kind} head ${bin(rarity(last.stem), RARITY)}`, 1);
  if (known(last.stem)) features.set(`${kind} ends with ${last.stem}`, 1);
  if (own.length > 1 && known(begin.stem)) features.set(`begins with ${begin.stem}`, 1);
  const counts = own.map(({ stem }) => stems.get(stem) ?? 1);
  features.set(`${kind} most used word ${bin(Math.max(...counts), [2, 3, 4, 6, 9])}`, 1);
  features.set(`${kind} least used word ${bin(Math.min(...counts), [2, 3, 4, 6])}`, 1);
  features.set(`${kind} head used ${bin(stems.get(last.stem) ?? 1, [2, 3, 4, 6])}`, 1);
}

function context(features: Map<string, number>, { words }: Analysis, { occurrences }: PhraseCandidate): void {
  const share = 1 / occurrences.length;
  const add = (name: string) => features.set(name, (features.get(name) ?? 0) + share);
  for (const { at, length } of occurrences) {
    const sentence = words[at]?.sentence;
    const before = inside(words[at - 1], sentence);
    const after = inside(words[at + length], sentence);
    const second = inside(words[at + length + 1], sentence);
    const kind = length > 1 ? 'many' : 'one';
    add(`${kind} after ${before?.pos ?? 'start'}`);
    add(`${kind} before ${after?.pos ?? 'end'}`);
    add(`between ${before?.pos ?? 'start'} and ${after?.pos ?? 'end'}`);
    add(`${words[at]?.pos} after ${before?.pos ?? 'start'}`);
    add(`${words[at + length - 1]?.pos} before ${after?.pos ?? 'end'}`);
    add(`before ${after?.pos ?? 'end'} ${second?.pos ?? 'end'}`);
    if (before !== undefined && (!NAMES.has(before.pos) || before.lower.length < 3))
      add(`after "${before.stem}"`);
    if (after !== undefined && (!NAMES.has(after.pos) || after.lower.length < 3))
      add(`before "${after.stem}"`);
    if (before !== undefined && NAMES.has(before.pos)) add('grows to the left');
    if (after !== undefined && NAMES.has(after.pos)) add('grows to the right');
  }
}

function inside(word: Word | undefined, sentence: number | undefined): Word | undefined {
  return word?.sentence === sentence ? word : undefined;
}

function spread(
  features: Map<string, number>,
  { words, sentences }: Analysis,
  { key, occurrences }: PhraseCandidate,
  { frequency, size }: Document,
): void {
  const first = (occurrences[0] as Occurrence).at;
  const length = (occurrences[0] as Occurrence).length;
  const kind = length > 1 ? 'many' : 'one';
  const count = occurrences.length;
  features.set(`${kind} occurs ${bin(count, [2, 3, 4, 6, 9])}`, 1);
  features.set(`starts at ${bin(first / size, [0.1, 0.2, 0.35, 0.5, 0.7, 0.85])}`, 1);
  features.set(`text of ${bin(size, [60, 100, 150, 250, 400])}`, 1);
  if (words[first]?.sentence === 0) features.set(`${kind} in the first sentence`, 1);
  const wide = new Set(occurrences.map(({ at }) => words[at]?.sentence)).size;
  features.set(`sentences ${bin(wide / sentences.length, [0.1, 0.2, 0.3, 0.5])}`, 1);
  const parts = key.split(' ');
  const inner =
    parts.length < 2
      ? 0
      : Math.max(
          frequency.get(parts.slice(1).join(' ')) ?? 0,
          frequency.get(parts.slice(0, -1).join(' ')) ?? 0,
        );
  if (inner > 0) features.set(`part occurs more ${bin(inner / count, [1.01, 2, 3, 5])}`, 1);
}

/** Above this score, a candidate is a name of its own, and its parts do not count inside it. */
const LOOKS_LIKE_A_NAME = -1.5;
const CONTENT = new Set(['ADJ', 'NOUN', 'PROPN']);
const LINKS = new Set(['of', 'in', 'for', 'and']);

/**
 * Features of a central concept in a longer text, based on its usage. `plausible`: for each candidate, the log odds
 * that it is a name at all.
 */
export function salienceOf(
  analysis: Analysis,
  candidates: readonly PhraseCandidate[],
  plausible: readonly number[],
  everyday: Commonness,
): readonly Features[] {
  const names = repeatedNames(analysis, candidates, plausible);
  return candidates.map((candidate, i) => {
    const first = candidate.occurrences[0] as Occurrence;
    const own = analysis.words.slice(first.at, first.at + first.length);
    return new Map([
      ...frequency(analysis, candidate, names),
      ...surroundings(analysis, candidate),
      ...make(own, plausible[i] as number, everyday),
    ]);
  });
}

function repeatedNames(
  { words }: Analysis,
  candidates: readonly PhraseCandidate[],
  plausible: readonly number[],
): readonly Occurrence[][] {
  const names: Occurrence[][] = words.map(() => []);
  for (const [i, { occurrences }] of candidates.entries()) {
    if (occurrences.length < 2 || (plausible[i] as number) <= LOOKS_LIKE_A_NAME) continue;
    for (const one of occurrences) names[one.at]?.push(one);
  }
  return names;
}

function frequency(
  { words, sentences }: Analysis,
  { occurrences }: PhraseCandidate,
  names: readonly Occurrence[][],
): [string, number][] {
  const count = occurrences.length;
  const { at, length } = occurrences[0] as Occurrence;
  const alone = occurrences.filter((one) => !insideLonger(one, names)).length;
  const wide = new Set(occurrences.map((one) => words[one.at]?.sentence)).size;
  return [
    ['bias', 1],
    ['occurs', Math.log(count)],
    ['occurs, several words', length > 1 ? Math.log(count) : 0],
    ['stands alone', Math.log(1 + alone)],
    ['once', count === 1 ? 1 : 0],
    ['share of sentences', wide / sentences.length],
    ['begins late', at / words.length],
  ];
}

function insideLonger({ at, length }: Occurrence, names: readonly Occurrence[][]): boolean {
  for (let start = Math.max(0, at - 4); start <= at; start++) {
    for (const other of names[start] ?? []) {
      if (other.length > length && other.at + other.length >= at + length) return true;
    }
  }
  return false;
}

function surroundings({ words }: Analysis, { occurrences }: PhraseCandidate): [string, number][] {
  const count = occurrences.length;
  const seen = { opens: 0, explained: 0, before: 0, after: 0, left: 0, right: 0 };
  for (const { at, length } of occurrences) {
    const sentence = words[at]?.sentence;
    const near = (index: number) => (words[index]?.sentence === sentence ? words[index] : undefined);
    const before = near(at - 1);
    const after = near(at + length);
    if (opensClause(before, near(at - 2))) seen.opens++;
    if (after?.lower === ',' && near(at + length + 1)?.pos === 'DET') seen.explained++;
    if (after !== undefined && RELATION_STEMS.has(after.stem)) seen.after++;
    if (before !== undefined && RELATION_STEMS.has(before.stem)) seen.before++;
    if (before !== undefined && CONTENT.has(before.pos)) seen.left++;
    if (after !== undefined && isNoun(after) && !RELATION_STEMS.has(after.stem)) seen.right++;
  }
  return [
    ['opens a clause', seen.opens > 0 ? 1 : 0],
    ['is explained', seen.explained > 0 ? 1 : 0],
    ['beside a relation', Math.log(1 + seen.before + seen.after)],
    ['before a relation', seen.after / count],
    ['grows to the left', seen.left / count],
    ['grows to the right', seen.right / count],
  ];
}

function opensClause(before: Word | undefined, second: Word | undefined): boolean {
  const starts = (word: Word | undefined) => word === undefined || word.pos === 'PUNCT';
  return starts(before) || (before?.pos === 'DET' && starts(second));
}

const isNoun = ({ pos }: Word): boolean => pos === 'NOUN' || pos === 'PROPN';

function make(own: readonly Word[], plausible: number, everyday: Commonness): [string, number][] {
  const rarities = own.map(({ stem }) => everyday.rarity(stem));
  const last = own.at(-1) as Word;
  return [
    ['looks like a name', plausible],
    ['at least', Math.max(-3, plausible)],
    ['one word', own.length === 1 ? 1 : 0],
    ['two words', own.length === 2 ? 1 : 0],
    ['commonest word', Math.min(...rarities)],
    ['rarest word', Math.max(...rarities)],
    ['rarity of one word', own.length === 1 ? (rarities[0] as number) : 0],
    ['ends in a verb', last.pos === 'VERB' ? 1 : 0],
    ['ends in an adjective', last.pos === 'ADJ' ? 1 : 0],
    ['links', own.some(({ lower }) => LINKS.has(lower)) ? 1 : 0],
  ];
}
