import { normalise } from '../match/normalise.ts';
import { labelWords, stemOf } from './label-words.ts';

export type Token = { readonly word: string; readonly from: number; readonly to: number };

export type Passage = {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly sentence: string;
};

/** An index of a text for phrase search, built once per case. */
export type TextIndex = {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** Word, and stem of a word → its positions among the tokens, in order. */
  readonly words: ReadonlyMap<string, readonly number[]>;
  readonly stems: ReadonlyMap<string, readonly number[]>;
  readonly sentences: readonly number[];
};

/** One token of `normalise`: a word, a number with its sign, or a run of symbols. */
const TOKEN = /(?:(?<![\p{L}\p{M}\p{N}\p{Pd}])[-\u2212](?=\p{N}))?[^\s\p{P}\p{S}]+|(?:(?!`)[\p{S}#%&*@])+/gu;

export function tokensOf(text: string): Token[] {
  return [...text.matchAll(TOKEN)].flatMap(({ 0: piece, index }) =>
    normalise(piece)
      .split(' ')
      .map((word) => ({ word, from: index, to: index + piece.length })),
  );
}

export function indexText(text: string): TextIndex {
  const tokens = tokensOf(text);
  const segments = new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text);
  return {
    text,
    tokens,
    words: placesOf(tokens.map(({ word }) => word)),
    stems: placesOf(tokens.map(({ word }) => stemOf(word))),
    sentences: Array.from(segments, ({ index }) => index),
  };
}

function placesOf(keys: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [place, key] of keys.entries()) {
    const known = places.get(key);
    if (known === undefined) places.set(key, [place]);
    else known.push(place);
  }
  return places;
}

export function findPhrase(index: TextIndex, name: string, fromToken = 0): Passage | undefined {
  const place = placeOfPhrase(index, normalise(name).split(' '), fromToken);
  return place === undefined ? undefined : passageOf(index, place[0], place[1]);
}

export function placeOfPhrase(
  { tokens, words }: TextIndex,
  phrase: readonly string[],
  fromToken: number,
): readonly [first: number, last: number] | undefined {
  const places = phrase.map((word) => words.get(word) ?? []);
  // From the rarest word of the phrase on, so that a common one at its start costs nothing.
  const rarest = places.reduce((best, one, i) => (one.length < (places[best]?.length ?? 0) ? i : best), 0);
  const start = (places[rarest] ?? [])
    .map((place) => place - rarest)
    .find((at) => at >= fromToken && phrase.every((word, i) => tokens[at + i]?.word === word));
  return start === undefined ? undefined : [start, start + phrase.length - 1];
}

export function passageOf(index: TextIndex, first: number, last: number): Passage {
  const from = index.tokens[first]?.from ?? 0;
  const to = index.tokens[last]?.to ?? from;
  return { from, to, text: index.text.slice(from, to), sentence: sentenceAround(index, from, to) };
}

function sentenceAround({ text, sentences }: TextIndex, from: number, to: number): string {
  const start = sentences.findLast((at) => at <= from) ?? 0;
  const end = sentences.find((at) => at >= to) ?? text.length;
  return text.slice(start, end).replace(/\s+/g, ' ').trim();
}

/** Words of one idea are at most this far apart: about a sentence. */
const NEAR = 25;

/** The number of positions to try for a frequent word. */
const MOST_PLACES = 1000;

export function findNear(index: TextIndex, stems: readonly string[]): Passage | undefined {
  const places = stems.map((stem) => index.stems.get(stem) ?? []);
  if (places.length === 0 || places.some((some) => some.length === 0)) return undefined;
  const [rarest = [], ...others] = places.toSorted((a, b) => a.length - b.length);
  for (const at of rarest.slice(0, MOST_PLACES)) {
    const nearest = others.map((some) => nearestTo(some, at));
    if (nearest.some((place) => Math.abs(place - at) > NEAR)) continue;
    return passageOf(index, Math.min(at, ...nearest), Math.max(at, ...nearest));
  }
  return undefined;
}

function nearestTo(places: readonly number[], at: number): number {
  let [low, high] = [0, places.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  const [before, after] = [places[low - 1], places[low] ?? 0];
  return before !== undefined && at - before < Math.abs(after - at) ? before : after;
}

/** Its words one after the other, or all that carry meaning near each other, in any form. */
export function isMentioned(index: TextIndex, name: string): boolean {
  return findPhrase(index, name) !== undefined || findNear(index, [...labelWords(name).stems]) !== undefined;
}
