/** Section 6.4: concepts whose quote is missing or does not stand in the text. */
import type { QuoteCheck } from '../evidence.ts';
import { normalise } from '../match/normalise.ts';
import type { Context } from './findings.ts';
import { isSmallWord } from './label-words.ts';
import {
  type Passage,
  passageOf,
  placeOfPhrase,
  type TextIndex,
  type Token,
  tokensOf,
} from './text-index.ts';

/** Each quote that was not verified is exactly one of these. */
export const QUOTE_KINDS = [
  'missing',
  'too short',
  'too long',
  'elsewhere',
  'truncated',
  'paraphrased',
  'spelled differently',
  'not from the text',
  'not looked up',
] as const;

export type QuoteKind = (typeof QUOTE_KINDS)[number];

export type QuoteFault = {
  readonly label: string;
  readonly kind: QuoteKind;
  readonly count: number;
  readonly quote?: string;
  readonly nearest?: NearestPassage;
};

/** Different quotes of a case that are looked up; at some 0.2 ms each, more than any real output has. */
export const MOST_LOOKED_UP = 2000;

/** From this share of its words on a quote comes from the passage. */
const PARAPHRASED_FROM = 0.5;

/** What is kept of a quote: it may be as long as a chapter. */
const LONGEST_KEPT = 1000;

export function quoteFaults({ runs, text }: Context): QuoteFault[] {
  const faults = new Map<string, { readonly fault: Omit<QuoteFault, 'count'>; count: number }>();
  const lookUp = rememberedLookUp(text);
  for (const { output, trial } of runs) {
    for (const [i, { label, quote }] of trial.concepts.entries()) {
      if (quote.state === 'verified') continue;
      const words = quote.state === 'none' ? undefined : output.concepts[i]?.sourceQuote;
      const key = JSON.stringify([normalise(label), words]);
      const known = faults.get(key);
      if (known !== undefined) known.count++;
      else faults.set(key, { fault: faultOf(label, quote.state, words, lookUp), count: 1 });
    }
  }
  return [...faults.values()]
    .map(({ fault, count }) => ({ ...fault, count }))
    .sort((a, b) => QUOTE_KINDS.indexOf(a.kind) - QUOTE_KINDS.indexOf(b.kind));
}

type LookUp = (quote: string) => NearestPassage | undefined | 'not looked up';

function rememberedLookUp(text: TextIndex): LookUp {
  const known = new Map<string, NearestPassage | undefined>();
  return (quote) => {
    if (known.has(quote)) return known.get(quote);
    if (known.size >= MOST_LOOKED_UP) return 'not looked up';
    const nearest = nearestPassage(text, quote);
    known.set(quote, nearest);
    return nearest;
  };
}

function faultOf(
  label: string,
  state: Exclude<QuoteCheck['state'], 'verified'>,
  words: string | undefined,
  lookUp: LookUp,
): Omit<QuoteFault, 'count'> {
  if (state === 'none' || words === undefined) return { label, kind: 'missing' };
  const quote = words.slice(0, LONGEST_KEPT);
  if (state === 'too short' || state === 'too long' || state === 'elsewhere')
    return { label, kind: state, quote };
  const nearest = lookUp(words);
  if (nearest === 'not looked up') return { label, kind: 'not looked up', quote };
  return { label, kind: kindOf(nearest), quote, ...(nearest && { nearest }) };
}

function kindOf(nearest: NearestPassage | undefined): QuoteKind {
  if (nearest === undefined) return 'not from the text';
  if (nearest.how === 'respelled') return 'spelled differently';
  if (nearest.how === 'shortened') return 'truncated';
  const fromText = nearest.shared > 0 && nearest.shared >= PARAPHRASED_FROM * nearest.of;
  return fromText ? 'paraphrased' : 'not from the text';
}

/** A quote that does not stand in the text word for word, held against the passage most like it. */
export type NearestPassage = {
  readonly passage: Passage;
  /** `rewritten`: other words stand in it; `shortened`: words were left out; `respelled`: only its spelling differs. */
  readonly how: 'respelled' | 'shortened' | 'rewritten';
  /** Words of the quote that carry meaning, and how many of them the passage has in this order. */
  readonly shared: number;
  readonly of: number;
  /** Words of the passage that the quote lacks, and words of the quote that the passage lacks. */
  readonly leftOut: readonly string[];
  readonly added: readonly string[];
};

/** What a quote says beyond this is not compared: the start is enough to find its place. */
const MOST_QUOTE_WORDS = 200;
const MOST_WORDS_NAMED = 12;

function nearestPassage(index: TextIndex, quote: string): NearestPassage | undefined {
  const words = tokensOf(quote.slice(0, 20 * MOST_QUOTE_WORDS)).slice(0, MOST_QUOTE_WORDS);
  if (words.length === 0 || index.tokens.length === 0) return undefined;
  return betweenDots(index, quote, words) ?? aligned(index, quote, words);
}

const DOTS = /…|\.{3,}|(?:\. ){2,}\./u;

/** Pieces around an ellipsis that each stand in the text, in this order. */
function betweenDots(index: TextIndex, quote: string, words: readonly Token[]): NearestPassage | undefined {
  if (!DOTS.test(quote) || words.length === MOST_QUOTE_WORDS) return undefined;
  const pieces = quote.split(DOTS).map((piece) => tokensOf(piece).map(({ word }) => word));
  let first: number | undefined;
  let after = 0;
  for (const piece of pieces.filter(({ length }) => length > 0)) {
    const place = placeOfPhrase(index, piece, after) ?? placeOfCut(index, piece, after);
    if (place === undefined) return undefined;
    first ??= place[0];
    after = place[1] + 1;
  }
  if (first === undefined) return undefined;
  const kept = new Set(words.map(({ word }) => word));
  const content = words.filter(({ word }) => !isSmallWord(word)).length;
  const leftOut = index.tokens.slice(first, after).filter(({ word }) => !kept.has(word));
  return {
    passage: passageOf(index, first, after - 1),
    how: 'shortened',
    shared: content,
    of: content,
    leftOut: surface(index.text, leftOut),
    added: [],
  };
}

/** A piece that ends in the middle of a word. */
function placeOfCut(
  index: TextIndex,
  piece: readonly string[],
  from: number,
): readonly [number, number] | undefined {
  const start = piece.length < 2 ? undefined : placeOfPhrase(index, piece.slice(0, -1), from);
  if (start === undefined) return undefined;
  const cut = piece.at(-1) ?? '';
  return index.tokens[start[1] + 1]?.word.startsWith(cut) ? [start[0], start[1] + 1] : undefined;
}

/** The window of the text that shares most, and in it the longest run of words in the same order. */
function aligned(index: TextIndex, quote: string, words: readonly Token[]): NearestPassage | undefined {
  const start = bestWindow(index, words);
  if (start === undefined) return undefined;
  const margin = Math.ceil(words.length / 2) + 8;
  const from = Math.max(0, start - margin);
  const window = index.tokens.slice(from, start + words.length + margin);
  const pairs = dropStrays(closeUp(longestCommon(words, window), window), words);
  const [first, last] = [pairs[0], pairs.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const matched = new Set(pairs.map(([one]) => one));
  const inText = new Set(pairs.map(([, other]) => other));
  const content = words.map(({ word }, i) => ({ i, means: !isSmallWord(word) })).filter(({ means }) => means);
  const passage = window.slice(first[1], last[1] + 1);
  const leftOut = passage.filter((_, i) => !inText.has(i + first[1]));
  const added = words.filter((_, i) => !matched.has(i));
  return {
    passage: passageOf(index, from + first[1], from + last[1]),
    how: added.length > 0 ? 'rewritten' : leftOut.length > 0 ? 'shortened' : 'respelled',
    shared: content.filter(({ i }) => matched.has(i)).length,
    of: content.length,
    leftOut: surface(index.text, leftOut),
    added: surface(quote, added),
  };
}

function surface(text: string, tokens: readonly Token[]): string[] {
  return tokens.slice(0, MOST_WORDS_NAMED).map(({ from, to }) => text.slice(from, to));
}

/** Small words stand everywhere; they only decide between windows that are otherwise alike. */
const SMALL_WEIGHT = 0.1;

/** Where the window as long as the quote begins that shares the most words with it; each counts as often as in both. */
function bestWindow({ tokens }: TextIndex, words: readonly Token[]): number | undefined {
  const wanted = new Map<string, number>();
  for (const { word } of words) wanted.set(word, (wanted.get(word) ?? 0) + 1);
  let [score, best, at] = [0, 0, -1];
  for (const [i, { word }] of tokens.entries()) {
    const weight = isSmallWord(word) ? SMALL_WEIGHT : 1;
    const left = wanted.get(word);
    if (left !== undefined) {
      if (left > 0) score += weight;
      wanted.set(word, left - 1);
    }
    const gone = i < words.length ? undefined : tokens[i - words.length]?.word;
    const owed = gone === undefined ? undefined : wanted.get(gone);
    if (gone !== undefined && owed !== undefined) {
      if (owed >= 0) score -= isSmallWord(gone) ? SMALL_WEIGHT : 1;
      wanted.set(gone, owed + 1);
    }
    if (score > best + 1e-9) [best, at] = [score, Math.max(0, i - words.length + 1)];
  }
  return at < 0 ? undefined : at;
}

type PlacePair = readonly [quote: number, text: number];

/** Longest common subsequence, as pairs of places. */
function longestCommon(one: readonly Token[], other: readonly Token[]): PlacePair[] {
  const width = other.length + 1;
  const lengths = new Uint16Array((one.length + 1) * width);
  for (let i = one.length - 1; i >= 0; i--) {
    for (let j = other.length - 1; j >= 0; j--) {
      const at = i * width + j;
      lengths[at] =
        one[i]?.word === other[j]?.word
          ? (lengths[at + width + 1] ?? 0) + 1
          : Math.max(lengths[at + width] ?? 0, lengths[at + 1] ?? 0);
    }
  }
  const pairs: PlacePair[] = [];
  for (let i = 0, j = 0; i < one.length && j < other.length; ) {
    if (one[i]?.word === other[j]?.word) pairs.push([i++, j++]);
    else if ((lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)) i++;
    else j++;
  }
  return pairs;
}

/** The same words as close together as they stand: a phrase that stands twice is taken from its last place. */
function closeUp(pairs: readonly PlacePair[], window: readonly Token[]): PlacePair[] {
  let limit = (pairs.at(-1)?.[1] ?? -1) + 1;
  return pairs
    .toReversed()
    .map(([quote, text]): PlacePair => {
      let place = limit - 1;
      while (place > text && window[place]?.word !== window[text]?.word) place--;
      limit = place;
      return [quote, place];
    })
    .reverse();
}

const FAR = 3;

/** A small word at either edge, far from the rest, is there by chance and would only stretch the passage. */
function dropStrays(pairs: readonly PlacePair[], words: readonly Token[]): readonly PlacePair[] {
  if (pairs.length === words.length) return pairs;
  const isStray = ([quote, text]: PlacePair, next: PlacePair | undefined) =>
    isSmallWord(words[quote]?.word ?? '') && (next === undefined || Math.abs(next[1] - text) > FAR);
  let [from, to] = [0, pairs.length];
  while (from < to && isStray(pairs[from] as PlacePair, pairs[from + 1])) from++;
  while (to > from && isStray(pairs[to - 1] as PlacePair, pairs[to - 2])) to--;
  return pairs.slice(from, to);
}
