/** Section 6.4: concepts whose quote is missing or does not occur in the text. */
import { diff } from 'node:util';
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

/** Each quote that was not verified, or does not name its concept, is exactly one of these. */
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

type QuoteKind = (typeof QUOTE_KINDS)[number];

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

/** The stored length of a quote, which may be as long as a chapter. */
const LONGEST_KEPT = 1000;

export function quoteFaults({ runs, text }: Context): QuoteFault[] {
  const faults = new Map<string, { readonly fault: Omit<QuoteFault, 'count'>; count: number }>();
  const lookUp = cachedLookUp(text);
  for (const { output, trial } of runs) {
    for (const [i, { label, quote }] of trial.concepts.entries()) {
      const state = quote.state === 'verified' ? quote.unnamed : quote.state;
      if (state === undefined) continue;
      const words = quote.state === 'none' ? undefined : output.concepts[i]?.sourceQuote;
      const key = JSON.stringify([normalise(label), words]);
      const known = faults.get(key);
      if (known !== undefined) known.count++;
      else faults.set(key, { fault: faultOf(label, state, words, lookUp), count: 1 });
    }
  }
  return [...faults.values()]
    .map(({ fault, count }) => ({ ...fault, count }))
    .sort((a, b) => QUOTE_KINDS.indexOf(a.kind) - QUOTE_KINDS.indexOf(b.kind));
}

type LookUp = (quote: string) => NearestPassage | undefined | 'not looked up';

function cachedLookUp(text: TextIndex): LookUp {
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
  state: Exclude<QuoteCheck['state'], 'verified'> | 'too long' | 'elsewhere',
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

type NearestPassage = {
  readonly passage: Passage;
  /** `rewritten`: other words; `shortened`: words are missing; `respelled`: only the spelling differs. */
  readonly how: 'respelled' | 'shortened' | 'rewritten';
  /** Words of the quote that carry meaning, and how many of them the passage has in this order. */
  readonly shared: number;
  readonly of: number;
  /** Words of the passage that the quote lacks, and words of the quote that the passage lacks. */
  readonly leftOut: readonly string[];
  readonly added: readonly string[];
};

/** Longer quotes are compared by their start, which is enough to find the place. */
const MOST_QUOTE_WORDS = 200;
const MOST_WORDS_NAMED = 12;

function nearestPassage(index: TextIndex, quote: string): NearestPassage | undefined {
  const words = tokensOf(quote.slice(0, 20 * MOST_QUOTE_WORDS)).slice(0, MOST_QUOTE_WORDS);
  if (words.length === 0 || index.tokens.length === 0) return undefined;
  const whole = placeOfPhrase(
    index,
    words.map(({ word }) => word),
    0,
  );
  if (whole !== undefined) {
    const shared = words.filter(({ word }) => !isSmallWord(word)).length;
    const passage = passageOf(index, ...whole);
    return { passage, how: 'respelled', shared, of: shared, leftOut: [], added: [] };
  }
  // Dots at the end may replace the rest of a word.
  const isCut = /(?:…|\.{3})\s*$/u.test(quote) && words.length > 1;
  const found = aligned(index, quote, isCut ? words.slice(0, -1) : words);
  return isCut && found?.how === 'respelled' ? { ...found, how: 'shortened' } : found;
}

function aligned(index: TextIndex, quote: string, words: readonly Token[]): NearestPassage | undefined {
  const start = bestWindow(index, words);
  if (start === undefined) return undefined;
  const margin = Math.ceil(words.length / 2) + 8;
  const from = Math.max(0, start - margin);
  const window = index.tokens.slice(from, start + words.length + margin);
  const pairs = commonWords(words, window);
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

/** Small words occur everywhere; they only decide between otherwise equal windows. */
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

/** What `diff` leaves in place; a small word at either end is there by chance and would only stretch the passage. */
function commonWords(one: readonly Token[], other: readonly Token[]): readonly PlacePair[] {
  const [words, text] = [one, other].map((tokens) => tokens.map(({ word }) => word)) as [string[], string[]];
  const changes = diff(words, text);
  // Equal lists have no changes.
  if (changes.length === 0) return one.map((_, i): PlacePair => [i, i]);
  const pairs: PlacePair[] = [];
  let [i, j] = [0, 0];
  for (const [operation] of changes) {
    if (operation === 0) pairs.push([i, j]);
    if (operation >= 0) i += 1;
    if (operation <= 0) j += 1;
  }
  if (pairs.length === one.length) return pairs;
  const means = ([place]: PlacePair) => !isSmallWord(words[place] ?? '');
  return pairs.slice(pairs.findIndex(means), pairs.findLastIndex(means) + 1);
}
