/**
 * Finds the errors and traps that a finding could be about, by objective criteria alone. Y: a quote that is found or
 * overlapping lines identify the error, if the category agrees, or the finding names none and is narrow; otherwise they
 * match partly. P: neighbouring lines or the same section, with the same category. Same file and category but far apart
 * is no match. Anything else needs a label by a person or a named model. A category that the ground truth does not have
 * counts as none, so that rule ids of tools neither help nor hurt.
 */
import type { Criterion } from '../evidence.ts';
import type { Finding } from '../review.ts';
import type { Location, Trap } from '../truth.ts';
import {
  documentsOf,
  findQuote,
  LONGEST_QUOTE,
  linesOf,
  normaliseText,
  quotesMeet,
  type ReviewedDocument,
  type Span,
  spansMeet,
} from './document.ts';
import {
  type Agreement,
  LINE_TOLERANCE,
  type Lines,
  linesBetween,
  linesMeet,
  linesNear,
  openFiles,
  pathParts,
  type Section,
  sameFile,
  sameSection,
  sectionOf,
  splitLines,
} from './place.ts';
import { openReach, type Pointer, type Spot, type Target } from './reach.ts';

export type MatchCandidate = {
  /** Index of the error or trap in the searched list. */
  readonly target: number;
  readonly strength: 'Y' | 'P';
  readonly criteria: readonly Criterion[];
  /** Orders candidates: identified before partial, then more criteria, closer lines, and a longer common quote. */
  readonly value: number;
};

/** More than criteria and a label together, so that the assignment prefers full matches to partial ones. */
export const FULL_VALUE = 1000;

/** A match by quote or overlap outranks one that is only near, whatever other criteria it meets. */
const IDENTIFIED_VALUE = 50;

export type SearchOptions = {
  readonly documents?: readonly ReviewedDocument[] | undefined;
  /** How many lines apart two places may be and still match partly. */
  readonly lineTolerance?: number | undefined;
  /** Each file contains one known case; a finding in that file with the same category is about it. */
  readonly byFile?: boolean | undefined;
  /** The categories of the ground truth, in capitals; a finding of any other category counts as one without. */
  readonly categories?: ReadonlySet<string> | undefined;
};

export type Search = (finding: Finding) => {
  /** Best first. */
  readonly candidates: readonly MatchCandidate[];
  readonly quoteMissing: boolean;
};

type Files = ReturnType<typeof openFiles>;

/** The common fields of errors and traps, which are all that matching compares. */
export function searchFor(targets: readonly Trap[], options: SearchOptions = {}): Search {
  const { documents } = options;
  const places = targets.flatMap(({ locations }) => locations.map(placeOf));
  const files = openFiles(places.flatMap(({ path }) => (path === undefined ? [] : [path])));
  const prepared = targets.map((target, index) => prepareTarget(target, index, documents, files));
  const reach = openReach(prepared, options.lineTolerance ?? LINE_TOLERANCE);
  const known = new Map<string, readonly MatchCandidate[]>();
  return (finding) => {
    const { pointer, quoteMissing } = prepareFinding(finding, options, files);
    // Findings with the same place share one list, because thousands of them may fit thousands of errors.
    const { span: _span, ...said } = pointer;
    const key = JSON.stringify(said);
    const candidates =
      known.get(key) ??
      best(
        reach(pointer).flatMap((target) => compare(pointer, target, options) ?? []),
        pointer,
      );
    known.set(key, candidates);
    return { candidates, quoteMissing };
  };
}

/**
 * If a quote or lines identify an error, nearby errors are ignored; otherwise only the nearest counts. Two findings
 * about one error must not match two errors.
 */
function best(fits: readonly Fit[], { ambiguous }: Pointer): MatchCandidate[] {
  const rank = Math.min(...fits.map((fit) => fit.rank));
  if (rank <= OTHER_CATEGORY)
    return identified(
      fits.filter((fit) => fit.rank === rank),
      ambiguous ? 1 : MOST_MEANT,
    );
  const nearest = Math.min(...fits.filter((fit) => fit.rank === rank).map(({ apart }) => apart));
  return inOrder(fits.filter((fit) => fit.rank === rank && (rank !== NEAR || fit.apart === nearest)));
}

/** Two errors may be in one place; a finding that covers more than that identifies none. */
const MOST_MEANT = 2;

/** Candidates with the same category win over the others. */
function identified(fits: readonly Fit[], most: number): MatchCandidate[] {
  const agreeing = fits.filter(({ candidate }) => candidate.criteria.includes('category'));
  const meant = agreeing.length > 0 ? agreeing : fits;
  return meant.length > most ? [] : inOrder(meant);
}

function inOrder(fits: readonly Fit[]): MatchCandidate[] {
  return fits.map(({ candidate }) => candidate).toSorted((a, b) => b.value - a.value || a.target - b.target);
}

/**
 * Ranks of a match, best first: full, identified with another category, near, same section, same file. Only the best
 * rank counts.
 */
const [FULL, OTHER_CATEGORY, NEAR, IN_SECTION, IN_FILE] = [0, 1, 2, 3, 4];

type Fit = { readonly candidate: MatchCandidate; readonly rank: number; readonly apart: number };

export function prepareTarget(
  target: Trap,
  index: number,
  documents: readonly ReviewedDocument[] | undefined,
  files: Files,
): Target {
  const places = target.locations.map(placeOf);
  const quote = target.quote === undefined ? undefined : normaliseText(target.quote);
  const paths = places.flatMap(({ path }) => (path === undefined ? [] : [path]));
  const quoted =
    quote === undefined || documents === undefined
      ? []
      : paths.length === 0
        ? findQuote(documents, quote)
        : paths.flatMap((path) => findQuote(documentsOf(documents, path), quote));
  const categories = [target.category, ...(target.acceptCategories ?? [])].flatMap((name) =>
    name === undefined ? [] : [name.toUpperCase()],
  );
  return {
    index,
    spots: places.map((place) => spotIn(place, files).spot),
    categories: new Set(categories),
    quote,
    span: onlyOf(quoted),
  };
}

export function prepareFinding(
  finding: Finding,
  { documents, categories }: SearchOptions,
  files: Files,
): { readonly pointer: Pointer; readonly quoteMissing: boolean } {
  const place = placeOf(finding);
  const { spot, ambiguous } = spotIn(place, files);
  const quote = finding.quote === undefined ? '' : normaliseText(finding.quote);
  const said = finding.category?.trim().toUpperCase() || undefined;
  const category = said !== undefined && categories?.has(said) === false ? undefined : said;
  const pointer: Pointer = { ...spot, ambiguous, category };
  if (quote === '') return { pointer, quoteMissing: false };
  const read = documents === undefined ? [] : documentsOf(documents, place.path);
  // A missing document can neither confirm nor refute a quote.
  if (read.length === 0) return { pointer: { ...pointer, quote }, quoteMissing: false };
  const quoted = findQuote(read, quote);
  if (quoted.length === 0) return { pointer, quoteMissing: true };
  const everywhere = quoted.length > 1 ? true : undefined;
  return { pointer: { ...pointer, quote, span: onlyOf(quoted), everywhere }, quoteMissing: false };
}

function onlyOf(spans: readonly Span[]): Span | undefined {
  return spans.length === 1 ? spans[0] : undefined;
}

type Place = { readonly path?: readonly string[]; readonly section?: Section; readonly lines?: Lines };

function placeOf({ file, section, lines }: Location): Place {
  const named = file === undefined ? undefined : splitLines(file);
  return {
    path: named && pathParts(named.file),
    section: section === undefined ? undefined : sectionOf(section),
    lines: lines ?? named?.lines,
  };
}

/** A file that the ground truth does not name differs from all named ones. */
function spotIn({ path, ...place }: Place, files: Files): { readonly spot: Spot; readonly ambiguous?: true } {
  if (path === undefined) return { spot: place };
  const meant = files(path);
  if (meant === 'ambiguous') return { spot: place, ambiguous: true };
  return { spot: { ...place, file: meant?.file ?? path.join('/') } };
}

function compare(finding: Pointer, target: Target, options: SearchOptions): Fit | undefined {
  const place = comparePlace(finding, target, options);
  if (place === undefined) return undefined;
  const misplaced =
    finding.everywhere === true &&
    place.apart > (options.lineTolerance ?? LINE_TOLERANCE) &&
    place.apart < Infinity;
  const shared = misplaced ? 0 : quoteShared(finding, target, place.file || place.section);
  const { category } = finding;
  const open = target.categories.size === 0;
  const sameCategory = open || (category !== undefined && target.categories.has(category));
  const otherCategory = !sameCategory && category !== undefined;
  const alone = options.byFile === true && place.file && sameCategory && !open;
  const identified = shared > 0 || place.lines || alone;
  // A trap without a category would match anywhere in its file.
  const guessed = sameCategory && (place.near || place.section || (place.inFile && !open));
  if (!identified && !guessed) return undefined;
  const full = identified && !otherCategory && (sameCategory || isNarrow(finding, target));
  const criteria = [
    place.file && ('file' as const),
    place.section && ('section' as const),
    shared > 0 && ('quote' as const),
    place.lines && ('lines' as const),
    sameCategory && !open && ('category' as const),
  ].filter((criterion) => criterion !== false);
  const value = 4 * criteria.length + shared + place.closeness;
  return {
    candidate: {
      target: target.index,
      strength: full ? 'Y' : 'P',
      criteria,
      value: value + (full ? FULL_VALUE : identified ? IDENTIFIED_VALUE : 0),
    },
    rank: full ? FULL : identified ? OTHER_CATEGORY : rankOf(place),
    apart: place.apart,
  };
}

/** A wide finding without a category would identify everything within it. */
const NARROW_LINES = 10;

/** A quote without lines counts as at least one line per this many characters. */
const LONG_LINE = 100;

export function isNarrow(finding: Pointer, { spots, quote, span }: Target): boolean {
  const widest = Math.max(
    NARROW_LINES,
    ...spots.map((spot) => widthOf({ lines: spot.lines }) ?? 0),
    widthOf({ quote, span }) ?? 0,
  );
  return (widthOf(finding) ?? 0) <= widest;
}

/** Width in lines: as stated, else estimated from the quote. */
export function widthOf({
  lines,
  span,
  quote,
}: Pick<Pointer, 'lines' | 'span' | 'quote'>): number | undefined {
  const [from, to] = lines ?? (span && linesOf(span)) ?? [];
  if (from !== undefined && to !== undefined) return to - from + 1;
  return quote === undefined ? undefined : Math.ceil(quote.length / LONG_LINE);
}

function rankOf({ near, section }: PlaceFound): number {
  return near ? NEAR : section ? IN_SECTION : IN_FILE;
}

type PlaceFound = {
  readonly file: boolean;
  readonly section: boolean;
  /** Lines overlap. */
  readonly lines: boolean;
  /** Lines lie within the tolerance, in the same file or section. */
  readonly near: boolean;
  /** The file is the same, the section does not differ, and the ground truth gives no lines. */
  readonly inFile: boolean;
  /** Number of lines between the two, if both have lines. */
  readonly apart: number;
  readonly closeness: number;
};

/** Undefined if every place of the error is in another file, which rules out a match. */
function comparePlace(
  finding: Pointer,
  { spots }: Target,
  { lineTolerance = LINE_TOLERANCE }: SearchOptions,
): PlaceFound | undefined {
  const found = {
    file: false,
    section: false,
    lines: false,
    near: false,
    inFile: false,
    apart: Infinity,
    closeness: 0,
  };
  let possible = spots.length === 0;
  for (const spot of spots) {
    const file = agreement(finding.file, spot.file, (a, b) => a === b);
    if (file === 'different') continue;
    possible = true;
    const section = agreement(finding.section, spot.section, sameSection);
    found.file ||= file === 'same';
    found.section ||= section === 'same';
    // Line numbers are comparable only within a file, a section, or a single unnamed document.
    const nameless = finding.file === undefined && spot.file === undefined && finding.ambiguous !== true;
    const within = file === 'same' || section === 'same' || (nameless && section === 'unknown');
    if (!within) continue;
    if (finding.lines === undefined || spot.lines === undefined) {
      // If the ground truth has lines, the file alone is not enough.
      found.inFile ||= file === 'same' && section !== 'different' && spot.lines === undefined;
      continue;
    }
    found.apart = Math.min(found.apart, linesBetween(finding.lines, spot.lines));
    found.lines ||= linesMeet(finding.lines, spot.lines);
    found.near ||= !nameless && linesNear(finding.lines, spot.lines, lineTolerance);
    found.closeness = Math.max(found.closeness, closenessOf(finding.lines, spot.lines));
  }
  return possible ? found : undefined;
}

/** Both have places, and every place of the error differs from that of the finding. */
export function isElsewhere(finding: Finding, { locations }: Trap, tolerance = LINE_TOLERANCE): boolean {
  const here = placeOf(finding);
  return (
    locations.length > 0 &&
    locations
      .map(placeOf)
      .every(
        (spot) =>
          agreement(here.path, spot.path, sameFile) === 'different' ||
          agreement(here.section, spot.section, sameSection) === 'different' ||
          agreement(here.lines, spot.lines, (a, b) => linesBetween(a, b) <= tolerance) === 'different',
      )
  );
}

function agreement<T>(one: T | undefined, other: T | undefined, same: (a: T, b: T) => boolean): Agreement {
  if (one === undefined || other === undefined) return 'unknown';
  return same(one, other) ? 'same' : 'different';
}

/** Above 0, up to 1: overlapping lines score higher than neighbouring ones, then the nearer middle wins. */
function closenessOf(one: Lines, other: Lines): number {
  const middles = Math.abs(one[0] + one[1] - other[0] - other[1]) / 2;
  return 0.9 / (1 + linesBetween(one, other)) + 0.1 / (1 + middles);
}

/** Similarity of the quotes: 0 without overlap, 1 when they are equal. */
function quoteShared(finding: Pointer, target: Target, samePlace: boolean): number {
  const { quote, span } = finding;
  if (quote === undefined || quote.length > Math.max(LONGEST_QUOTE, 2 * (target.quote?.length ?? 0)))
    return 0;
  if (target.quote !== undefined) {
    if (quote === target.quote && samePlace) return 1;
    if (quotesMeet(quote, target.quote)) {
      return Math.min(quote.length, target.quote.length) / Math.max(quote.length, target.quote.length);
    }
  }
  if (span === undefined) return 0;
  if (target.span !== undefined && spansMeet(span, target.span)) return 0.5;
  const here = target.spots.some(
    ({ file, lines }) =>
      lines !== undefined &&
      (file === undefined || sameFile(pathParts(file), span.document.parts)) &&
      linesMeet(linesOf(span), lines),
  );
  return here ? 0.25 : 0;
}
