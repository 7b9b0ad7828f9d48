import { normaliseUnicode } from '../../normalise-unicode.ts';

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
export function piecesOf(quote: string): readonly string[] {
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
