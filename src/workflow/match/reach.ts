/** Which errors or traps a finding could be about at all, found by file and lines without a look at each of them. */
import type { Span } from './document.ts';
import type { Lines, Section } from './place.ts';

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

/** The targets that a finding could be about at all, without a look at each of them. */
export function openReach(
  targets: readonly Target[],
  tolerance: number,
): (pointer: Pointer) => readonly Target[] {
  const anywhere = targets.filter(
    ({ spots }) => spots.length === 0 || spots.some(({ file }) => file === undefined),
  );
  const others = targets.filter((target) => !anywhere.includes(target));
  const inFile = new Map<
    string,
    { readonly all: Target[]; readonly loose: Target[]; readonly lines: LineIndex }
  >();
  for (const target of others) {
    for (const file of new Set(target.spots.flatMap((spot) => spot.file ?? []))) {
      const known = inFile.get(file) ?? { all: [], loose: [], lines: new LineIndex() };
      inFile.set(file, known);
      known.all.push(target);
      const here = target.spots.filter((spot) => spot.file === file);
      for (const { lines } of here) if (lines !== undefined) known.lines.add(lines, target);
      if (here.some(({ lines, section }) => lines === undefined || section !== undefined))
        known.loose.push(target);
    }
  }
  return ({ file, lines, quote, span, section }) => {
    if (file === undefined) return targets;
    const known = inFile.get(file);
    if (known === undefined) return anywhere;
    // A quote may stand anywhere in the file; lines need only a look at what lies near them.
    if (lines === undefined || quote !== undefined || span !== undefined) return [...anywhere, ...known.all];
    const near = known.lines.near(lines, tolerance);
    const loose = section === undefined ? known.loose.filter(hasOpenLines(file)) : known.loose;
    return [...anywhere, ...new Set([...near, ...loose])];
  };
}

function hasOpenLines(file: string): (target: Target) => boolean {
  return ({ spots }) => spots.some((spot) => spot.file === file && spot.lines === undefined);
}

type Placed = { readonly lines: Lines; readonly target: Target };

/** Targets by their lines, so that those near a place are found without looking at all of them. */
class LineIndex {
  readonly #entries: Placed[] = [];
  #widest = 0;
  #sorted = true;

  add(lines: Lines, target: Target): void {
    this.#entries.push({ lines, target });
    this.#widest = Math.max(this.#widest, lines[1] - lines[0]);
    this.#sorted = false;
  }

  near([from, to]: Lines, tolerance: number): Target[] {
    if (!this.#sorted) this.#entries.sort((a, b) => a.lines[0] - b.lines[0]);
    this.#sorted = true;
    const found: Target[] = [];
    for (let i = this.#firstFrom(from - tolerance - this.#widest); i < this.#entries.length; i++) {
      const { lines, target } = this.#entries[i] as Placed;
      if (lines[0] > to + tolerance) break;
      if (lines[1] >= from - tolerance) found.push(target);
    }
    return found;
  }

  #firstFrom(line: number): number {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#entries[middle]?.lines[0] ?? 0) < line) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
