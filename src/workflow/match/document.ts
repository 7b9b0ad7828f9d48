/** Prepares the reviewed documents to find quotes and their lines. */

import { normaliseUnicode } from '../../normalise-unicode.ts';
import { type Lines, pathParts, sameFile } from './place.ts';

export type ReviewedDocument = {
  readonly parts: readonly string[];
  /** Normalised, with lines joined by one space. */
  readonly text: string;
  /** Offset of each line in `text`. */
  readonly starts: readonly number[];
};

/** A range in a document, with `from` included and `to` excluded. */
export type Span = { readonly document: ReviewedDocument; readonly from: number; readonly to: number };

export function layOut(documents: ReadonlyMap<string, string>): ReviewedDocument[] {
  return [...documents].map(([path, text]) => {
    const starts: number[] = [];
    const lines: string[] = [];
    let length = 0;
    for (const line of text.split(/\r\n|\r|\n/)) {
      starts.push(length);
      const normal = normaliseText(line);
      if (normal === '') continue;
      lines.push(normal);
      length += normal.length + 1;
    }
    return { parts: pathParts(path), text: lines.join(' '), starts };
  });
}

/** The documents that a file name may refer to; all of them without a name. */
export function documentsOf(
  documents: readonly ReviewedDocument[],
  file: readonly string[] | undefined,
): readonly ReviewedDocument[] {
  return file === undefined ? documents : documents.filter(({ parts }) => sameFile(parts, file));
}

/** Limits the places that are checked for one quote: a quote that occurs everywhere locates nothing. */
const MOST_PLACES = 20;

/** The longest text that a quote may omit between two of its pieces. */
const LONGEST_GAP = 2000;

/** The places of a quote: as a whole, or piece by piece if it contains an ellipsis. */
export function findQuote(documents: readonly ReviewedDocument[], quote: string): Span[] {
  const spans: Span[] = [];
  const [first, ...others] = quote.includes('...') ? piecesOf(quote) : [quote];
  if (first === undefined || first === '') return spans;
  for (const document of documents) {
    let from = document.text.indexOf(first);
    while (from !== -1 && spans.length < MOST_PLACES) {
      const to = endOfPieces(document.text, from + first.length, others);
      if (to !== undefined) spans.push({ document, from, to });
      from = document.text.indexOf(first, from + 1);
    }
  }
  return spans;
}

function endOfPieces(text: string, from: number, pieces: readonly string[]): number | undefined {
  let end = from;
  for (const piece of pieces) {
    const at = text.slice(end, end + LONGEST_GAP + piece.length).indexOf(piece);
    if (at === -1) return undefined;
    end += at + piece.length;
  }
  return end;
}

export function linesOf({ document, from, to }: Span): Lines {
  return [lineAt(document, from), lineAt(document, to - 1)];
}

export function spansMeet(one: Span, other: Span): boolean {
  return one.document === other.document && one.from < other.to && other.from < one.to;
}

/** The last line that begins at or before the place; an empty line yields to the next one at the same offset. */
function lineAt({ starts }: ReviewedDocument, place: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] as number) <= place) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}

/**
 * Normalises Unicode, quotation marks and white space for comparison, but not letter case. These are the changes that a
 * word processor makes on its own.
 */
export function normaliseText(text: string): string {
  return normaliseUnicode(text, 'NFKC')
    .replace(/[\u201c-\u201f\u00ab\u00bb]/g, '"')
    .replace(/[\u2018-\u201b]/g, "'")
    .replace(/\s+/gu, ' ')
    .trim();
}

/** The pieces of a quote with an ellipsis; a quote without one is a single piece. */
function piecesOf(quote: string): readonly string[] {
  return quote
    .split(/[([]?\.{3,}[)\]]?/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
}

/** A shorter quote could occur anywhere, so it identifies nothing by itself. */
export const SHORTEST_QUOTE = 12;

/** A longer quote contains everything, so it identifies nothing unless the quote of the error is as long. */
export const LONGEST_QUOTE = 600;

/** Whether one normalised quote contains the other, piece by piece if it has an ellipsis. */
export function quotesMeet(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  return liesWithin(short, long) || liesWithin(long, short);
}

function liesWithin(quote: string, text: string): boolean {
  if (!quote.includes('...')) return quote.length >= SHORTEST_QUOTE && text.includes(quote);
  const pieces = piecesOf(quote);
  if (!pieces.some((piece) => piece.length >= SHORTEST_QUOTE)) return false;
  let from = 0;
  return pieces.every((piece) => {
    const at = text.indexOf(piece, from);
    from = at + piece.length;
    return at !== -1;
  });
}
