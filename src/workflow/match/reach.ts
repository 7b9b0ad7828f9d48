/** Preselects the errors or traps that a finding could be about, by file and lines. */
import type { Span } from './document.ts';
import { type Lines, linesBetween, type Section } from './place.ts';

export type Spot = { readonly file?: string; readonly section?: Section; readonly lines?: Lines };

export type Target = {
  readonly index: number;
  readonly spots: readonly Spot[];
  readonly categories: ReadonlySet<string>;
  readonly quote?: string;
  /** The place of its quote, if it occurs only once. */
  readonly span?: Span;
};

export type Pointer = Omit<Spot, 'file'> & {
  /** `ambiguous`: the path matches several files, so lines and categories decide nothing. */
  readonly file?: string;
  readonly ambiguous?: true;
  readonly category?: string;
  readonly quote?: string;
  readonly span?: Span;
  /** The quote occurs in several places of the documents, so the lines must decide. */
  readonly everywhere?: true;
};

/** The targets that a finding could be about. This check is cheap, because there may be thousands of both. */
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
    // A quote may be anywhere in the file; lines only need the targets near them.
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
