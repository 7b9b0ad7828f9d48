/**
 * Checks whether a quote occurs in the text, and whether it names its concept: one quote must not serve for everything.
 */
import { normaliseUnicode } from '../../normalise-unicode.ts';
import type { QuoteCheck } from '../evidence.ts';
import { cacheLast, normalise, spellings } from './normalise.ts';

/** A shorter quote occurs in too many texts to prove anything. */
const SHORTEST_QUOTE = 12;

/** A text in NFKC with single spaces and plain marks, and the origin of each of its characters. */
export type SearchableText = {
  readonly text: string;
  /** Offset in `text` → offset in the original, with one extra entry for the end. Absent: they are identical. */
  readonly origin?: Uint32Array;
};

/**
 * Verifies a quote if it occurs in the text after normalising Unicode (NFKC), white space, quotation marks, hyphens and
 * dashes. The offsets refer to the original text. A quote under 12 characters is only verified if it is the `label`.
 */
export function verifyQuote(quote: string | undefined, source: SearchableText, label?: string): QuoteCheck {
  if (quote === undefined) return NONE;
  const wanted = unwrapped(plainMarks(spelled(quote)).trim());
  if (wanted === '') return NONE;
  const isShort = [...wanted.slice(0, 2 * SHORTEST_QUOTE)].length < SHORTEST_QUOTE;
  if (isShort && (label === undefined || normalise(wanted) !== normalise(label))) return TOO_SHORT;
  return find(wanted, source);
}

/** Removes quotation marks around the quote. */
function unwrapped(quote: string): string {
  const isWrapped = quote.length > 2 && /^["']/.test(quote) && quote.at(-1) === quote.at(0);
  return isWrapped ? quote.slice(1, -1).trim() : quote;
}

/** Replaces typographic marks by ASCII, one character for one, so that offsets stay valid. */
function plainMarks(text: string): string {
  return text
    .replace(/[\u2018-\u201b\u2032\u02bc]/g, "'")
    .replace(/[\u201c-\u201f\u00ab\u00bb]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-');
}

function find(wanted: string, { text, origin }: SearchableText): QuoteCheck {
  const at = text.indexOf(wanted);
  if (at < 0) return NOT_THERE;
  if (origin === undefined) return { state: 'verified', at: [at, at + wanted.length] };
  return { state: 'verified', at: [origin[at] ?? 0, endOf(origin, at + wanted.length - 1)] };
}

/** The original offset after the character at `place`, past everything that was merged into it. */
function endOf(origin: Uint32Array, place: number): number {
  const start = origin[place] ?? 0;
  let next = place + 1;
  while (next < origin.length - 1 && origin[next] === start) next++;
  return origin[next] ?? start;
}

/** Shared, because evidence is immutable. */
const NONE: QuoteCheck = { state: 'none' };
const TOO_SHORT: QuoteCheck = { state: 'too short' };
const NOT_THERE: QuoteCheck = { state: 'not in the text' };

/** Skips normalisation for text that is already in NFKC, as most quotes are. */
function spelled(text: string): string {
  if (PLAIN.test(text)) return text;
  return normaliseUnicode(text, 'NFKC') === text ? text.replace(/\s+/g, ' ') : searchable(text).text;
}

/** Printable ASCII with single spaces. */
const PLAIN = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;

/** A character with its combining marks, a run of white space, or a decomposed Hangul syllable. */
const PIECE = /\s+|[\u1100-\u11ff]+|[^\s](?:[\p{M}\uff9e\uff9f])*/gu;

export function searchable(original: string): SearchableText {
  if (isSimple(original)) return withSingleSpaces(original);
  let text = '';
  const origin: number[] = [];
  for (const { 0: piece, index } of original.matchAll(PIECE)) {
    const plain = /^\s/.test(piece) ? ' ' : normaliseUnicode(piece, 'NFKC').replace(/\s+/g, ' ');
    text += plain;
    for (let i = 0; i < plain.length; i++) origin.push(index);
  }
  origin.push(original.length);
  return { text: plainMarks(text), origin: Uint32Array.from(origin) };
}

function isSimple(text: string): boolean {
  return !/[\p{M}\u1100-\u11ff\uff9e\uff9f]/u.test(text) && normaliseUnicode(text, 'NFKC') === text;
}

function withSingleSpaces(original: string): SearchableText {
  const text = plainMarks(original.replace(/\s+/g, ' '));
  if (text.length === original.length) return { text };
  const origin = new Uint32Array(text.length + 1);
  let [place, dropped] = [0, 0];
  for (const { 0: run, index } of original.matchAll(/\s{2,}|$/g)) {
    for (; place <= index - dropped; place++) origin[place] = place + dropped;
    dropped += run.length - 1;
  }
  return { text, origin };
}

/** A quote with more sentences or characters than this is too unspecific. */
const [MOST_SENTENCES, MOST_CHARACTERS] = [2, 700];

const LOOKS_BACK = /^ (?:it|its|they|their|them|this|these|that|those|such|he|she|his|her|both|each|here) /;

type Sentence = { readonly from: number; readonly to: number; readonly key: string };

/**
 * The check of a verified quote, and whether it names its concept. It must not be longer than about two sentences.
 * These sentences must mention the concept, or the one before if they refer back.
 */
export function placed(check: QuoteCheck, text: string, names: readonly string[]): QuoteCheck {
  if (check.state !== 'verified') return check;
  const [from, to] = check.at;
  const sentences = sentencesOf(text);
  const touched = sentences.filter((one) => one.from < to && one.to > from);
  if (touched.length > MOST_SENTENCES || to - from > MOST_CHARACTERS)
    return { ...check, unnamed: 'too long' };
  const first = sentences.indexOf(touched[0] as Sentence);
  // A sentence that refers back is about the one before.
  const begin = LOOKS_BACK.test(touched[0]?.key ?? '') ? Math.max(0, first - 1) : first;
  const near = sentences.slice(begin, first + touched.length).map(({ key }) => key);
  const speaks = names.flatMap(spellings).some((key) => near.some((sentence) => speaksOf(key, sentence)));
  return speaks ? check : { ...check, unnamed: 'elsewhere' };
}

/** Contains the name itself, or all of its content words: `the store of blue carbon` mentions a blue carbon store. */
function speaksOf(key: string, sentence: string): boolean {
  if (sentence.includes(` ${key} `)) return true;
  const words = key.split(' ').filter((word) => word.length >= SHORTEST_WORD);
  return words.length > 0 && words.every((word) => sentence.includes(` ${beginningOf(word)}`));
}

const [SHORTEST_WORD, SHORTEST_BEGINNING] = [4, 5];

/** `retreat` and `retreating` have the same prefix. */
function beginningOf(word: string): string {
  return word.slice(0, Math.max(SHORTEST_BEGINNING, word.length - 3));
}

let segmenter: Intl.Segmenter | undefined;

/** A full stop after an abbreviation does not end a sentence: `Sims v. Reynolds`. */
const ABBREVIATED =
  // Both cases are listed, because a case-insensitive class of all letters takes milliseconds to compile.
  /(?:^|[\s(])(?:\p{L}{1,2}|\p{L}\.\p{L}|[Ee][Tt][Cc]|[Cc][Ff]|[Vv][Ss]|[Mm][Rr][Ss]|[Pp][Rr][Oo][Ff]|[Ff][Ii][Gg]|[Aa][Pp][Pp][Rr][Oo][Xx])\.\s*$/u;

/** Sentences in order, normalised like names. Cached for the last text, because its quotes are checked together. */
const sentencesOf = cacheLast((text: string): readonly Sentence[] => {
  const parts: string[] = [];
  segmenter ??= new Intl.Segmenter('en', { granularity: 'sentence' });
  for (const { segment } of segmenter.segment(text)) {
    const before = parts.at(-1);
    if (before !== undefined && ABBREVIATED.test(before)) parts[parts.length - 1] = before + segment;
    else parts.push(segment);
  }
  let from = 0;
  return parts.map((part) => {
    const start = from;
    from += part.length;
    return { from: start, to: start + part.trimEnd().length, key: ` ${normalise(part)} ` };
  });
});
