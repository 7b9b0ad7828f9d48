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
const WIDEST_FINDING = 30;

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
