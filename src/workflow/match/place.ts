import { normaliseUnicode } from '../../normalise-unicode.ts';

/** Where findings and errors lie, and whether two places are the same. */

/** `unknown`: one of the two does not say. */
export type Agreement = 'same' | 'different' | 'unknown';

/** The parts of a path that count: `file:///repo/./src\a.ts` and `/repo/src/a.ts` are one. */
export function pathParts(path: string): readonly string[] {
  return decoded(path)
    .replaceAll('\\', '/')
    .replace(/^file:\/\//i, '')
    .split('/')
    .reduce<string[]>((parts, part) => {
      if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
      else if (part !== '' && part !== '.') parts.push(part);
      return parts;
    }, []);
}

/** Only a URI is percent-encoded; a file may be called `100%.md`. */
function decoded(path: string): string {
  if (!/^file:/i.test(path)) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * Two paths name the same file when one ends in the other, part by part: a tool that knows the repository and one that
 * knows the machine agree, `src/a.ts` and `lib/a.ts` do not. A bare name agrees with every file of that name.
 */
export function sameFile(one: readonly string[], other: readonly string[]): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  return short.length > 0 && short.every((part, i) => part === long[long.length - short.length + i]);
}

export type Section = { readonly number: string; readonly title: string };

/** `## 3.2 Error handling:` is section 3.2, "error handling". */
export function sectionOf(heading: string): Section {
  const text = normaliseUnicode(heading, 'NFKC').trim();
  const [, number = '', title = ''] =
    /^(?:#+\s*)?(?:§+\s*|section\s+(?=\d))?((?:\d+|[A-Za-z](?=\.\d))(?:\.\d+)*(?=[.):\s]|$))?([\s\S]*)$/iu.exec(
      text,
    ) ?? [];
  return { number: number.toLowerCase(), title: plain(title) };
}

function plain(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{S}]+/gu, ' ')
    .trim();
}

/** Titles decide; numbers only where both have one, or where one has nothing else. */
export function sameSection(one: Section, other: Section): boolean {
  if (one.title === '' || other.title === '') return one.number !== '' && one.number === other.number;
  return (
    one.title === other.title && (one.number === '' || other.number === '' || one.number === other.number)
  );
}

export type Lines = readonly [from: number, to: number];

/**
 * A finding and an error may point at neighbouring lines: at the call and at its argument, at a heading and at the
 * sentence below it. Further apart they are two places.
 */
export const LINE_TOLERANCE = 3;

/** A finding that points at more lines than this, and at more than three times those of the error, points at nothing. */
export const WIDEST_FINDING = 30;

/** Lines between two ranges: 0 when they overlap, 1 when they touch. */
export function linesBetween([fromA, toA]: Lines, [fromB, toB]: Lines): number {
  return Math.max(0, fromA - toB, fromB - toA);
}

/** They share a line, and the finding does not point at everything. */
export function linesMeet(finding: Lines, error: Lines): boolean {
  return linesBetween(finding, error) === 0 && !isTooWide(finding, error);
}

/** They share no line and are not further apart than the tolerance. */
export function linesNear(finding: Lines, error: Lines, tolerance: number): boolean {
  const between = linesBetween(finding, error);
  return between > 0 && between <= tolerance && !isTooWide(finding, error);
}

function isTooWide(finding: Lines, error: Lines): boolean {
  const width = ([from, to]: Lines) => to - from + 1;
  return width(finding) > Math.max(WIDEST_FINDING, 3 * width(error));
}

function afterColon(path: string): readonly (string | undefined)[] | undefined {
  const found = /:(\d+)(?:-(\d+)|:\d+)?$/.exec(path);
  const file = path.slice(0, found?.index);
  return found !== null && /[^:\d]/.test(file) ? [path, file, found[1], found[2]] : undefined;
}

/** `src/a.ts:10-12`, `src/a.ts:10:5` and `src/a.ts#L10-L12` name a file and lines in it. */
export function splitLines(path: string): { readonly file: string; readonly lines?: Lines } {
  const anchor = /^(.+?)#L(\d+)(?:C\d+)?(?:-L?(\d+)(?:C\d+)?)?$/i.exec(path);
  const [, file, from, to = from] = anchor ?? afterColon(path) ?? [];
  if (file === undefined || from === undefined) return { file: path };
  const [first, last] = [Number(from), Number(to)].sort((a, b) => a - b) as [number, number];
  return first > 0 ? { file, lines: [first, last] } : { file };
}

/** Which of the files that a ground truth names a finding means. */

type Path = readonly string[];

/** `ambiguous`: the path fits two different files; `undefined`: it fits none. */
export type FileMeant = { readonly file: string } | 'ambiguous' | undefined;

/**
 * Looks a path up among the known ones, strictest first: the same path, the same ending, then without the `a/` or `b/`
 * that a diff puts before it, then without regard to case. A path that fits two different files at the first of these
 * that fits any means neither.
 */
export function openFiles(known: readonly Path[]): (path: Path) => FileMeant {
  const paths = [...new Map(known.map((path) => [path.join('/'), path])).values()];
  const byName = groupByName(paths);
  const byAnyName = groupByName(paths.map(lower));
  const seen = new Map<string, FileMeant>();
  return (path) => {
    const key = path.join('/');
    if (!seen.has(key)) seen.set(key, meantBy(path, byName, byAnyName, paths));
    return seen.get(key);
  };
}

type ByName = ReadonlyMap<string, readonly Path[]>;

/** Paths that mean one file end in the same name; only those need to be compared. */
function groupByName(paths: readonly Path[]): ByName {
  return Map.groupBy(paths, (path) => path.at(-1) ?? '');
}

function meantBy(path: Path, byName: ByName, byAnyName: ByName, paths: readonly Path[]): FileMeant {
  const without = /^[ab]$/.test(path[0] ?? '') && path.length > 1 ? path.slice(1) : undefined;
  for (const form of without === undefined ? [path] : [path, without]) {
    const found = among(form, byName);
    if (found !== undefined) return found;
  }
  const folded = among(lower(without ?? path), byAnyName) ?? among(lower(path), byAnyName);
  if (folded === undefined || folded === 'ambiguous') return folded;
  const meant = paths.filter((one) => lower(one).join('/') === folded.file);
  return meant.length === 1 ? { file: (meant[0] as Path).join('/') } : 'ambiguous';
}

function among(path: Path, byName: ByName): FileMeant {
  const named = byName.get(path.at(-1) ?? '') ?? [];
  const key = path.join('/');
  if (named.some((one) => one.join('/') === key)) return { file: key };
  const fitting = named.filter((one) => sameFile(path, one));
  // Of paths that are one file written at different lengths the longest names it.
  const longest = fitting.toSorted((a, b) => b.length - a.length)[0];
  if (longest === undefined) return undefined;
  return fitting.every((one) => sameFile(one, longest)) ? { file: longest.join('/') } : 'ambiguous';
}

function lower(path: Path): Path {
  return path.map((part) => part.toLowerCase());
}
