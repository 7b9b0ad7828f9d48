import type { Analysis, Word } from './analyse.ts';
import type { Occurrence, PhraseCandidate } from './candidates.ts';
import type { Commonness } from './commonness.ts';
import type { Features } from './features.ts';
import { RELATION_STEMS } from './words.ts';

/** A candidate that looks like a name by itself at least this much takes its parts' places away from them. */
const LOOKS_LIKE_A_NAME = -1.5;
const CONTENT = new Set(['ADJ', 'NOUN', 'PROPN']);
const LINKS = new Set(['of', 'in', 'for', 'and']);

/**
 * What makes a phrase one of the central concepts of a longer text: how it is used there. `plausible` says of each
 * candidate how much it looks like a name at all (log odds).
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

/** For each word, the repeated names that begin there. */
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
