/**
 * Which errors and traps a finding could be about, by objective criteria alone: same file or section, quote found,
 * lines overlap. A quote or lines identify the error (Y); place and category alone are a partial candidate (P);
 * anything less needs a person's or a named model's label.
 */
import type { Criterion } from '../evidence.ts';
import type { Finding } from '../review.ts';
import type { Location, Trap } from '../truth.ts';
import { documentsOf, findQuote, linesOf, type ReviewedDocument, type Span, spansMeet } from './document.ts';
import {
  type Agreement,
  type Lines,
  linesBetween,
  linesMeet,
  linesNear,
  pathParts,
  type Section,
  sameFile,
  sameSection,
  sectionOf,
} from './place.ts';
import { normaliseText, quotesMeet } from './text.ts';

export type MatchCandidate = {
  /** Place of the error or trap in the list that was searched. */
  readonly target: number;
  readonly strength: 'Y' | 'P';
  readonly criteria: readonly Criterion[];
  /** What identifies the error before what only fits it, more criteria, the closer lines, the longer common quote. */
  readonly value: number;
  /** File and category fit, but the lines are other ones: it counts only where no other error could be meant. */
  readonly elsewhere?: true;
};

/** More than criteria and a label together: as many full matches as possible go before partial ones. */
export const FULL_VALUE = 1000;

type Spot = { readonly file?: readonly string[]; readonly section?: Section; readonly lines?: Lines };

type Target = {
  readonly index: number;
  readonly spots: readonly Spot[];
  readonly categories: ReadonlySet<string>;
  readonly quote?: string;
  /** Where its quote stands, when it stands in one place. */
  readonly span?: Span;
};

type Pointer = Spot & { readonly category?: string; readonly quote?: string; readonly span?: Span };

export type Search = (finding: Finding) => {
  /** Best first. */
  readonly candidates: readonly MatchCandidate[];
  readonly quoteMissing: boolean;
};

/** An error, or a trap without a severity: what both have is what is compared. */
export function searchFor(
  targets: readonly Trap[],
  documents: readonly ReviewedDocument[] | undefined,
): Search {
  const prepared = targets.map((target, index) => prepareTarget(target, index, documents));
  // Paths that mean the same file end in the same name; only targets of that name need to be compared.
  const anywhere = prepared.filter(isAnywhere);
  const byName = new Map<string, Target[]>();
  for (const target of prepared.filter((one) => !isAnywhere(one))) {
    for (const name of new Set(target.spots.map(({ file }) => file?.at(-1) ?? ''))) {
      const known = byName.get(name);
      if (known === undefined) byName.set(name, [...anywhere, target]);
      else known.push(target);
    }
  }
  const known = new Map<string, readonly MatchCandidate[]>();
  return (finding) => {
    const { pointer, quoteMissing } = prepareFinding(finding, documents);
    // Findings that say the same about their place share one list: thousands of them may fit thousands of errors.
    const { span: _span, ...said } = pointer;
    const key = JSON.stringify(said);
    const name = pointer.file?.at(-1);
    const reachable = name === undefined ? prepared : (byName.get(name) ?? anywhere);
    const candidates = known.get(key) ?? best(reachable.flatMap((target) => compare(pointer, target) ?? []));
    known.set(key, candidates);
    return { candidates, quoteMissing };
  };
}

/** A target that does not name its file may lie in any. */
function isAnywhere({ spots }: Target): boolean {
  return spots.length === 0 || spots.some(({ file }) => file === undefined);
}

/**
 * What a quote or lines identify is not guessed by place and category as well; and lines that point elsewhere leave a
 * guess only where file and category fit one error alone.
 */
function best(candidates: readonly MatchCandidate[]): MatchCandidate[] {
  const full = candidates.filter(({ strength }) => strength === 'Y');
  if (full.length > 0) return inOrder(full);
  const here = candidates.filter(({ elsewhere }) => elsewhere !== true);
  if (here.length > 0) return inOrder(here);
  return candidates.length === 1 ? [...candidates] : [];
}

function inOrder(candidates: readonly MatchCandidate[]): MatchCandidate[] {
  return candidates.toSorted((a, b) => b.value - a.value || a.target - b.target);
}

function prepareTarget(
  target: Trap,
  index: number,
  documents: readonly ReviewedDocument[] | undefined,
): Target {
  const spots = target.locations.map(spotOf);
  const quote = target.quote === undefined ? undefined : normaliseText(target.quote);
  const files = spots.flatMap(({ file }) => (file === undefined ? [] : [file]));
  const places =
    quote === undefined || documents === undefined
      ? []
      : files.length === 0
        ? findQuote(documents, quote)
        : files.flatMap((file) => findQuote(documentsOf(documents, file), quote));
  const categories = [target.category, ...(target.acceptCategories ?? [])].flatMap((name) =>
    name === undefined ? [] : [name.toUpperCase()],
  );
  return {
    index,
    spots,
    categories: new Set(categories),
    ...(quote !== undefined && { quote }),
    ...(places.length === 1 && { span: places[0] as Span }),
  };
}

function prepareFinding(
  finding: Finding,
  documents: readonly ReviewedDocument[] | undefined,
): { readonly pointer: Pointer; readonly quoteMissing: boolean } {
  const spot = spotOf(finding);
  const quote = finding.quote === undefined ? '' : normaliseText(finding.quote);
  const category = finding.category?.toUpperCase();
  const pointer: Pointer = { ...spot, ...(category !== undefined && { category }) };
  if (quote === '') return { pointer, quoteMissing: false };
  const read = documents === undefined ? [] : documentsOf(documents, spot.file);
  // A document that was not given can neither confirm a quote nor refute it.
  if (read.length === 0) return { pointer: { ...pointer, quote }, quoteMissing: false };
  const places = findQuote(read, quote);
  if (places.length === 0) return { pointer, quoteMissing: true };
  return {
    pointer: { ...pointer, quote, ...(places.length === 1 && { span: places[0] as Span }) },
    quoteMissing: false,
  };
}

function spotOf({ file, section, lines }: Location): Spot {
  return {
    ...(file !== undefined && { file: pathParts(file) }),
    ...(section !== undefined && { section: sectionOf(section) }),
    ...(lines !== undefined && { lines }),
  };
}

function compare(finding: Pointer, target: Target): MatchCandidate | undefined {
  const place = comparePlace(finding, target);
  if (place === undefined) return undefined;
  const shared = quoteShared(finding, target, place.file || place.section);
  const sameCategory =
    target.categories.size === 0 ||
    (finding.category !== undefined && target.categories.has(finding.category));
  const identified = shared > 0 || place.lines;
  if (!identified && !((place.agrees || place.elsewhere) && sameCategory)) return undefined;
  // A trap without a category would be taken from anywhere in its file.
  if (!identified && !place.agrees && target.categories.size === 0) return undefined;
  const criteria: Criterion[] = [
    ...(place.file ? (['file'] as const) : []),
    ...(place.section ? (['section'] as const) : []),
    ...(shared > 0 ? (['quote'] as const) : []),
    ...(place.lines ? (['lines'] as const) : []),
    ...(sameCategory && target.categories.size > 0 ? (['category'] as const) : []),
  ];
  return {
    target: target.index,
    strength: identified ? 'Y' : 'P',
    criteria,
    value: (identified ? FULL_VALUE : 0) + 4 * criteria.length + shared + place.closeness,
    ...(!identified && !place.agrees && { elsewhere: true as const }),
  };
}

type PlaceFound = {
  readonly file: boolean;
  readonly section: boolean;
  readonly lines: boolean;
  /** The section agrees; or the file does, and neither sections nor lines that both name differ. */
  readonly agrees: boolean;
  /** The file agrees and no section differs, but the lines are other ones. */
  readonly elsewhere: boolean;
  readonly closeness: number;
};

/** Undefined when every place of the error lies in another file: then nothing else can make it the same. */
function comparePlace(finding: Pointer, { spots }: Target): PlaceFound | undefined {
  const found = { file: false, section: false, lines: false, agrees: false, elsewhere: false, closeness: 0 };
  let possible = spots.length === 0;
  for (const spot of spots) {
    const file = agreement(finding.file, spot.file, sameFile);
    if (file === 'different') continue;
    possible = true;
    const section = agreement(finding.section, spot.section, sameSection);
    found.file ||= file === 'same';
    found.section ||= section === 'same';
    const near = agreement(finding.lines, spot.lines, linesNear);
    const inFile = file === 'same' && section === 'unknown';
    found.agrees ||= section === 'same' || (inFile && near !== 'different');
    found.elsewhere ||= inFile && near === 'different';
    // Lines count within something: a file, a section, or the one document that nobody needs to name.
    const within =
      file === 'same' || section === 'same' || (!finding.file && !spot.file && section === 'unknown');
    if (!within || !finding.lines || !spot.lines || !linesMeet(finding.lines, spot.lines)) continue;
    found.lines = true;
    found.closeness = Math.max(found.closeness, closenessOf(finding.lines, spot.lines));
  }
  return possible ? found : undefined;
}

/** Both say where, and every place of the error is another one than that of the finding. */
export function isElsewhere(finding: Finding, { locations }: Trap): boolean {
  const here = spotOf(finding);
  return (
    locations.length > 0 &&
    locations
      .map(spotOf)
      .every(
        (spot) =>
          agreement(here.file, spot.file, sameFile) === 'different' ||
          agreement(here.section, spot.section, sameSection) === 'different' ||
          agreement(here.lines, spot.lines, linesNear) === 'different',
      )
  );
}

function agreement<T>(one: T | undefined, other: T | undefined, same: (a: T, b: T) => boolean): Agreement {
  if (one === undefined || other === undefined) return 'unknown';
  return same(one, other) ? 'same' : 'different';
}

/** Above 0 up to 1: overlapping before neighbouring, and then the nearer middle. */
function closenessOf(one: Lines, other: Lines): number {
  const middles = Math.abs(one[0] + one[1] - other[0] - other[1]) / 2;
  return 0.9 / (1 + linesBetween(one, other)) + 0.1 / (1 + middles);
}

/** How far the quotes are the same: 0 when they do not meet, 1 when they are equal. */
function quoteShared(finding: Pointer, target: Target, samePlace: boolean): number {
  const { quote, span } = finding;
  if (quote === undefined) return 0;
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
      (file === undefined || sameFile(file, span.document.parts)) &&
      linesBetween(linesOf(span), lines) === 0 &&
      linesMeet(linesOf(span), lines),
  );
  return here ? 0.25 : 0;
}
