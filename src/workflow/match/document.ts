/** The reviewed documents, prepared for finding quotes and their lines. */

import { normaliseUnicode } from '../../normalise-unicode.ts';
import { type Lines, pathParts, sameFile } from './place.ts';

export type ReviewedDocument = {
  readonly parts: readonly string[];
  /** Normalised, lines joined by one space. */
  readonly text: string;
  /** Where each line begins in `text`. */
  readonly starts: readonly number[];
};

/** A piece of a document: `from` included, `to` not. */
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

/** The documents that a file name can mean; all of them when there is no name. */
export function documentsOf(
  documents: readonly ReviewedDocument[],
  file: readonly string[] | undefined,
): readonly ReviewedDocument[] {
  return file === undefined ? documents : documents.filter(({ parts }) => sameFile(parts, file));
}

/** At most this many places of one quote are looked at: what stands everywhere points nowhere. */
const MOST_PLACES = 20;

/** What a quote leaves out between two of its pieces is not longer than this. */
const LONGEST_GAP = 2000;

/** Where a quote stands: whole, or piece by piece where it leaves something out. */
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

/** The last line that begins at or before the place; empty lines begin where the next one does and give way to it. */
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
 * Text as it is compared: Unicode, quotation marks and white space in one form, letters as they are. Nothing else is
 * forgiven: what a word processor turns round on its own says nothing about a quote.
 */
export function normaliseText(text: string): string {
  return normaliseUnicode(text, 'NFKC')
    .replace(/[\u201c-\u201f\u00ab\u00bb]/g, '"')
    .replace(/[\u2018-\u201b]/g, "'")
    .replace(/\s+/gu, ' ')
    .trim();
}

/** The pieces of a quote that leaves something out; a quote that does not is its own only piece. */
function piecesOf(quote: string): readonly string[] {
  return quote
    .split(/[([]?\.{3,}[)\]]?/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
}

/** A shorter quote could stand anywhere: it identifies nothing by itself. */
export const SHORTEST_QUOTE = 12;

/** A longer quote holds everything: it identifies nothing either, unless the error is quoted at such length itself. */
export const LONGEST_QUOTE = 600;

/** Whether one quote lies within the other, piece by piece where it leaves something out; both normalised. */
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
