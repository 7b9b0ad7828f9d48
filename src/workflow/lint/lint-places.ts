import { documentsOf, findQuote, linesOf, type ReviewedDocument } from '../match/document.ts';
import { linesBetween, pathParts } from '../match/place.ts';
import { normaliseText, SHORTEST_QUOTE } from '../match/text.ts';
import type { Location } from '../truth.ts';
import type { LintFinding } from './lint-finding.ts';

type Placed = { readonly locations: readonly Location[]; readonly quote?: string };

/** Whether the documents have what an error or a finding points at. */
export function lintPlaces(
  place: string,
  file: string,
  { locations, quote }: Placed,
  documents: readonly ReviewedDocument[],
): LintFinding[] {
  const warn = (rule: string, message: string): LintFinding => ({
    level: 'warning',
    rule,
    file,
    place,
    message,
  });
  return [
    ...locations.flatMap((location) =>
      lintLocation(location, documents).map(([rule, message]) => warn(rule, message)),
    ),
    ...(quote === undefined
      ? []
      : lintQuote(quote, locations, documents).map(([rule, message]) => warn(rule, message))),
  ];
}

function lintLocation({ file, lines }: Location, documents: readonly ReviewedDocument[]): [string, string][] {
  if (file === undefined) return [];
  const meant = documentsOf(documents, pathParts(file));
  if (meant.length === 0)
    return [['unknown-document', `points at ${file}, which is not among the documents`]];
  const longest = Math.max(...meant.map(({ starts }) => starts.length));
  return lines !== undefined && lines[1] > longest
    ? [['lines-beyond-end', `points at line ${lines[1]} of ${file}, which has ${longest}`]]
    : [];
}

function lintQuote(
  quote: string,
  locations: readonly Location[],
  documents: readonly ReviewedDocument[],
): [string, string][] {
  const text = normaliseText(quote);
  if (text.length < SHORTEST_QUOTE) {
    return [
      ['short-quote', `its quote has under ${SHORTEST_QUOTE} characters and identifies nothing by itself`],
    ];
  }
  const files = locations.flatMap(({ file }) => (file === undefined ? [] : [pathParts(file)]));
  const meant =
    files.length === 0
      ? documents
      : documents.filter((one) => files.some((parts) => documentsOf([one], parts).length > 0));
  const spans = findQuote(meant, text);
  if (spans.length === 0)
    return [['quote-not-found', `its quote does not occur in the documents: "${shorten(quote)}"`]];
  const declared = locations.flatMap(({ lines }) => (lines === undefined ? [] : [lines]));
  const found = spans.map(linesOf);
  if (declared.length === 0 || found.some((one) => declared.some((lines) => linesBetween(one, lines) === 0)))
    return [];
  return [['quote-elsewhere', `its quote stands at line ${found[0]?.[0]}, outside the lines it points at`]];
}

function shorten(quote: string): string {
  return quote.length > 60 ? `${quote.slice(0, 59)}…` : quote;
}
