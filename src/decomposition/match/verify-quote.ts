import { normaliseUnicode } from '../../normalise-unicode.ts';
import type { QuoteCheck } from '../evidence.ts';
import { normalise } from './normalise.ts';
import { rememberFor } from './remember.ts';

/** A shorter quote proves nothing: it stands in too many texts. */
const SHORTEST_QUOTE = 12;

/** A text in NFKC with single spaces, and where each of its characters came from. */
export type SearchableText = {
  readonly text: string;
  /** Place in `text` → place in the original; one more than `text` has characters. Absent: they are the same. */
  readonly origin?: Uint32Array;
};

/**
 * A quote is verified when it stands in the text after Unicode (NFKC) and white-space normalisation and nothing else;
 * the offsets are those of the original text. A quote under 12 characters verifies nothing unless it is the `label`.
 */
export function verifyQuote(quote: string | undefined, source: SearchableText, label?: string): QuoteCheck {
  if (quote === undefined) return NONE;
  const { wanted, isShort, found } = lookUp(source, quote);
  if (wanted === '') return NONE;
  if (isShort && (label === undefined || normalise(wanted) !== normalise(label))) return TOO_SHORT;
  return found;
}

type LookedUp = { readonly wanted: string; readonly isShort: boolean; readonly found: QuoteCheck };

/** Several concepts quote the same sentence, and so do the repeats of an execution. */
const lookUp: (source: SearchableText, quote: string) => LookedUp = rememberFor((source, quote) => {
  const wanted = spelled(quote).trim();
  const isShort = [...wanted.slice(0, 2 * SHORTEST_QUOTE)].length < SHORTEST_QUOTE;
  return { wanted, isShort, found: find(wanted, source) };
});

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
  return { text, origin: Uint32Array.from(origin) };
}

/** Every character stands for itself. */
function isSimple(text: string): boolean {
  return !/[\p{M}\u1100-\u11ff\uff9e\uff9f]/u.test(text) && normaliseUnicode(text, 'NFKC') === text;
}

function withSingleSpaces(original: string): SearchableText {
  const text = original.replace(/\s+/g, ' ');
  if (text.length === original.length) return { text };
  const origin = new Uint32Array(text.length + 1);
  let [place, dropped] = [0, 0];
  for (const { 0: run, index } of original.matchAll(/\s{2,}|$/g)) {
    for (; place <= index - dropped; place++) origin[place] = place + dropped;
    dropped += run.length - 1;
  }
  return { text, origin };
}
