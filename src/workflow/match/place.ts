import { normaliseUnicode } from '../../normalise-unicode.ts';

/** Compares the places of findings and errors. */

/** `unknown`: one of the two has no such value. */
export type Agreement = 'same' | 'different' | 'unknown';

/** The significant parts of a path: `file:///repo/./src\a.ts` and `/repo/src/a.ts` are the same. */
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
 * Two paths name the same file if one is a suffix of the other, part by part. This matches repository paths to absolute
 * ones, but not `src/a.ts` to `lib/a.ts`. A bare name matches every file of that name.
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

/** Titles decide; numbers count only if both have one, or if one has nothing else. */
export function sameSection(one: Section, other: Section): boolean {
  if (one.title === '' || other.title === '') return one.number !== '' && one.number === other.number;
  return (
    one.title === other.title && (one.number === '' || other.number === '' || one.number === other.number)
  );
}

export type Lines = readonly [from: number, to: number];

/**
 * A finding and an error may refer to neighbouring lines, such as a call and its argument, or a heading and the
 * sentence below it. Places further apart are different.
 */
export const LINE_TOLERANCE = 3;

/** A finding wider than this, and wider than three times the error, is too unspecific to match. */
export const WIDEST_FINDING = 30;

/** Lines between two ranges: 0 when they overlap, 1 when they touch. */
export function linesBetween([fromA, toA]: Lines, [fromB, toB]: Lines): number {
  return Math.max(0, fromA - toB, fromB - toA);
}

/** The ranges share a line, and the finding is not too wide. */
export function linesMeet(finding: Lines, error: Lines): boolean {
  return linesBetween(finding, error) === 0 && !isTooWide(finding, error);
}

/** The ranges share no line and are within the tolerance. */
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

/** Resolves which file of a ground truth a finding refers to. */

type Path = readonly string[];

/** `ambiguous`: the path matches two different files; `undefined`: it matches none. */
export type FileMeant = { readonly file: string } | 'ambiguous' | undefined;

/**
 * Looks a path up among the known ones, strictest rule first: the same path, the same ending, without the `a/` or `b/`
 * prefix of a diff, then ignoring case. If the first rule that matches anything matches two different files, the result
 * is ambiguous.
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

/** Paths of one file end in the same name, so only those are compared. */
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
  // If paths of one file have different lengths, the longest one names it.
  const longest = fitting.toSorted((a, b) => b.length - a.length)[0];
  if (longest === undefined) return undefined;
  return fitting.every((one) => sameFile(one, longest)) ? { file: longest.join('/') } : 'ambiguous';
}

function lower(path: Path): Path {
  return path.map((part) => part.toLowerCase());
}
