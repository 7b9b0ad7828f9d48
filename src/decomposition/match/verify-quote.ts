/** Whether a quote occurs in the text, and whether it names what it is quoted for: one quote for everything does not. */
import { normaliseUnicode } from '../../normalise-unicode.ts';
import type { QuoteCheck } from '../evidence.ts';
import { cacheLast, normalise, spellings } from './normalise.ts';

/** A shorter quote proves nothing: it stands in too many texts. */
const SHORTEST_QUOTE = 12;

/** A text in NFKC with single spaces and plain marks, and where each of its characters came from. */
export type SearchableText = {
  readonly text: string;
  /** Place in `text` → place in the original; one more than `text` has characters. Absent: they are the same. */
  readonly origin?: Uint32Array;
};

/**
 * A quote is verified when it stands in the text after Unicode (NFKC) and white-space normalisation, whichever
 * quotation marks, hyphens and dashes the two are set with; the offsets are those of the original text. A quote under 12 characters verifies nothing unless it is the `label`.
 */
export function verifyQuote(quote: string | undefined, source: SearchableText, label?: string): QuoteCheck {
  if (quote === undefined) return NONE;
  const wanted = unwrapped(plainMarks(spelled(quote)).trim());
  if (wanted === '') return NONE;
  const isShort = [...wanted.slice(0, 2 * SHORTEST_QUOTE)].length < SHORTEST_QUOTE;
  if (isShort && (label === undefined || normalise(wanted) !== normalise(label))) return TOO_SHORT;
  return find(wanted, source);
}

/** Without the quotation marks that somebody set around it. */
function unwrapped(quote: string): string {
  const isWrapped = quote.length > 2 && /^["']/.test(quote) && quote.at(-1) === quote.at(0);
  return isWrapped ? quote.slice(1, -1).trim() : quote;
}

/** As a keyboard has them. Each is one character for one, so that places stay. */
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

/** Where the character after `place` begins in the original: past everything that became the one at `place`. */
function endOf(origin: Uint32Array, place: number): number {
  const start = origin[place] ?? 0;
  let next = place + 1;
  while (next < origin.length - 1 && origin[next] === start) next++;
  return origin[next] ?? start;
}

/** One of each is enough: evidence never changes. */
const NONE: QuoteCheck = { state: 'none' };
const TOO_SHORT: QuoteCheck = { state: 'too short' };
const NOT_THERE: QuoteCheck = { state: 'not in the text' };

/** The text alone; most quotes are in NFKC already, and then there is nothing to take apart. */
function spelled(text: string): string {
  if (PLAIN.test(text)) return text;
  return normaliseUnicode(text, 'NFKC') === text ? text.replace(/\s+/g, ' ') : searchable(text).text;
}

/** Printable ASCII with single spaces. */
const PLAIN = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;

/** A character with the marks that may combine with it, a run of white space, or a Hangul syllable in pieces. */
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

/** A quote of more than this many sentences, or characters, is no place. */
const [MOST_SENTENCES, MOST_CHARACTERS] = [2, 700];

const LOOKS_BACK = /^ (?:it|its|they|their|them|this|these|that|those|such|he|she|his|her|both|each|here) /;

type Sentence = { readonly from: number; readonly to: number; readonly key: string };

/**
 * The check of a verified quote, and whether it names its concept: it is not longer than about two sentences, and the
 * sentences it touches speak of the concept, or the one before them where they refer back.
 */
export function placed(check: QuoteCheck, text: string, names: readonly string[]): QuoteCheck {
  if (check.state !== 'verified') return check;
  const [from, to] = check.at;
  const sentences = sentencesOf(text);
  const touched = sentences.filter((one) => one.from < to && one.to > from);
  if (touched.length > MOST_SENTENCES || to - from > MOST_CHARACTERS)
    return { ...check, unnamed: 'too long' };
  const first = sentences.indexOf(touched[0] as Sentence);
  // What refers back is about the sentence before it.
  const begin = LOOKS_BACK.test(touched[0]?.key ?? '') ? Math.max(0, first - 1) : first;
  const near = sentences.slice(begin, first + touched.length).map(({ key }) => key);
  const speaks = names.flatMap(spellings).some((key) => near.some((sentence) => speaksOf(key, sentence)));
  return speaks ? check : { ...check, unnamed: 'elsewhere' };
}

/** The name itself, or all the words of it that carry a meaning: `the store of blue carbon` speaks of a blue carbon store. */
function speaksOf(key: string, sentence: string): boolean {
  if (sentence.includes(` ${key} `)) return true;
  const words = key.split(' ').filter((word) => word.length >= SHORTEST_WORD);
  return words.length > 0 && words.every((word) => sentence.includes(` ${beginningOf(word)}`));
}

const [SHORTEST_WORD, SHORTEST_BEGINNING] = [4, 5];

/** `retreat` and `retreating` begin alike. */
function beginningOf(word: string): string {
  return word.slice(0, Math.max(SHORTEST_BEGINNING, word.length - 3));
}

let segmenter: Intl.Segmenter | undefined;

/** A full stop after an abbreviation ends no sentence: `Sims v. Reynolds`. */
const ABBREVIATED =
  // Both cases are spelled out: a class of all letters that ignores case takes milliseconds to compile.
  /(?:^|[\s(])(?:\p{L}{1,2}|\p{L}\.\p{L}|[Ee][Tt][Cc]|[Cc][Ff]|[Vv][Ss]|[Mm][Rr][Ss]|[Pp][Rr][Oo][Ff]|[Ff][Ii][Gg]|[Aa][Pp][Pp][Rr][Oo][Xx])\.\s*$/u;

/** Sentences in their order, each spelled as names are. Quotes of one text come together. */
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
