/** Which errors or traps a finding could be about at all, by file and lines. */
import type { Span } from './document.ts';
import { type Lines, linesBetween, type Section } from './place.ts';

export type Spot = { readonly file?: string; readonly section?: Section; readonly lines?: Lines };

export type Target = {
  readonly index: number;
  readonly spots: readonly Spot[];
  readonly categories: ReadonlySet<string>;
  readonly quote?: string;
  /** Where its quote stands, when it stands in one place. */
  readonly span?: Span;
};

export type Pointer = Omit<Spot, 'file'> & {
  /** `ambiguous`: the path fits several files, so that lines and categories say nothing. */
  readonly file?: string;
  readonly ambiguous?: true;
  readonly category?: string;
  readonly quote?: string;
  readonly span?: Span;
  /** The quote stands in several places of the documents: then lines must say which is meant. */
  readonly everywhere?: true;
};

/** The targets that a finding could be about: a first look that is cheap, as there may be thousands of both. */
export function openReach(
  targets: readonly Target[],
  tolerance: number,
): (pointer: Pointer) => readonly Target[] {
  const anywhere = new Set(
    targets.filter(({ spots }) => spots.length === 0 || spots.some(({ file }) => file === undefined)),
  );
  const inFile = new Map<string, Set<Target>>();
  for (const target of targets) {
    if (anywhere.has(target)) continue;
    for (const { file = '' } of target.spots) inFile.set(file, (inFile.get(file) ?? new Set()).add(target));
  }
  return ({ file, lines, quote, span, section }) => {
    if (file === undefined) return targets;
    const known = [...(inFile.get(file) ?? [])];
    // A quote may stand anywhere in the file; lines need only a look at what lies near them.
    if (lines === undefined || quote !== undefined || span !== undefined) return [...anywhere, ...known];
    const isNear = (spot: Spot) =>
      spot.lines === undefined ||
      (section !== undefined && spot.section !== undefined) ||
      linesBetween(lines, spot.lines) <= tolerance;
    return [
      ...anywhere,
      ...known.filter(({ spots }) => spots.some((spot) => spot.file === file && isNear(spot))),
    ];
  };
}
