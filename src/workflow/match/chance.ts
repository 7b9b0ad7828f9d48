/** The chance level: what findings of the same number and width would earn at random places in their files. */
import type { Finding } from '../review.ts';
import type { GroundTruth } from '../truth.ts';
import { isNarrow, prepareFinding, prepareTarget, type SearchOptions, widthOf } from './candidates.ts';
import { linesOf } from './document.ts';
import {
  LINE_TOLERANCE,
  type Lines,
  openFiles,
  pathParts,
  sameFile,
  splitLines,
  WIDEST_FINDING,
} from './place.ts';
import type { Pointer, Target } from './reach.ts';

export type Chance = {
  /** The detection rate, in percent. */
  readonly rate: number;
  /** The share of lines, in files with known errors, that findings cover. */
  readonly covered: number;
};

/** Undefined if no known error has lines, or if the file alone identifies the error. */
export function chanceLevel(
  truth: GroundTruth,
  findings: readonly Finding[],
  options: SearchOptions,
): Chance | undefined {
  if (truth.identify === 'file' || truth.errors.length === 0) return undefined;
  const paths = [...truth.errors, ...truth.traps].flatMap(({ locations }) =>
    locations.flatMap(({ file }) => (file === undefined ? [] : [pathParts(splitLines(file).file)])),
  );
  const files = openFiles(paths);
  const targets = truth.errors.map((error, i) => prepareTarget(error, i, options.documents, files));
  const traps = truth.traps.map((trap, i) => prepareTarget(trap, i, options.documents, files));
  const lengths = lengthsOf([...targets, ...traps].flatMap(spotsOf), options);
  if (lengths.size === 0) return undefined;
  const placed = [
    ...Map.groupBy(
      findings.flatMap((finding) => placedOf(prepareFinding(finding, options, files).pointer, lengths)),
      ({ file, width, pointer }) => JSON.stringify([file, width, pointer.category]),
    ).values(),
  ].flatMap((same) => same.slice(0, 1).map((one) => ({ ...one, times: same.length })));
  const credit = targets.reduce((sum, target) => sum + creditBy(target, placed, lengths, options), 0);
  return {
    rate: (100 * Math.min(credit, findings.length)) / targets.length,
    covered: coveredBy(findings, lengths, options, files),
  };
}

type Spot = { readonly file: string; readonly lines: Lines };
type Placed = { readonly file: string; readonly width: number; readonly pointer: Pointer };
type Lengths = ReadonlyMap<string, number>;

function spotsOf({ spots, span }: Target): Spot[] {
  const known = spots.flatMap(({ file = '', lines }) => (lines === undefined ? [] : [{ file, lines }]));
  if (known.length > 0 || span === undefined) return known;
  return spots.slice(0, 1).map(({ file = '' }) => ({ file, lines: linesOf(span) }));
}

/** The length of each document. For a missing document it is estimated from its errors, never from a finding. */
function lengthsOf(spots: readonly Spot[], { documents = [] }: SearchOptions): Lengths {
  return new Map(
    [...Map.groupBy(spots, ({ file }) => file)].map(([file, own]) => {
      const read = documents.filter(({ parts }) => file === '' || sameFile(parts, file.split('/')));
      const last = Math.max(...own.map(({ lines }) => lines[1]));
      const guessed = Math.ceil((last * (own.length + 1)) / own.length);
      return [file, read.length === 1 ? Math.max(last, read[0]?.starts.length ?? 0) : guessed];
    }),
  );
}

function placedOf(pointer: Pointer, lengths: Lengths): Placed[] {
  const { file = '', ambiguous } = pointer;
  const width = widthOf(pointer);
  return ambiguous || width === undefined || !lengths.has(file) ? [] : [{ file, width, pointer }];
}

function creditBy(
  target: Target,
  placed: readonly (Placed & { readonly times: number })[],
  lengths: Lengths,
  { lineTolerance = LINE_TOLERANCE }: SearchOptions,
): number {
  let [noFull, nothing] = [1, 1];
  for (const { file, lines } of spotsOf(target)) {
    const size = lines[1] - lines[0] + 1;
    for (const { file: own, width, pointer, times } of placed) {
      if (own !== file || width > Math.max(WIDEST_FINDING, 3 * size)) continue;
      const places = Math.max(1, (lengths.get(file) ?? 0) - width + 1);
      const share = (reach: number) => (1 - Math.min(1, (width + size - 1 + reach) / places)) ** times;
      const { category } = pointer;
      const agrees =
        target.categories.size === 0 || (category !== undefined && target.categories.has(category));
      if (agrees || (category === undefined && isNarrow(pointer, target))) noFull *= share(0);
      nothing *= share(agrees ? 2 * lineTolerance : 0);
    }
  }
  return 1 - noFull + 0.5 * (noFull - Math.min(noFull, nothing));
}

function coveredBy(
  findings: readonly Finding[],
  lengths: Lengths,
  options: SearchOptions,
  files: ReturnType<typeof openFiles>,
): number {
  const spans = findings.flatMap((finding) => {
    const { file = '', lines, span } = prepareFinding(finding, options, files).pointer;
    const at = lines ?? (span && linesOf(span));
    const length = lengths.get(file);
    return at === undefined || length === undefined
      ? []
      : [{ file, from: at[0], to: Math.min(at[1], length) }];
  });
  let covered = 0;
  for (const own of Map.groupBy(spans, ({ file }) => file).values()) {
    let end = 0;
    for (const { from, to } of own.toSorted((a, b) => a.from - b.from)) {
      covered += Math.max(0, to - Math.max(end, from - 1));
      end = Math.max(end, to);
    }
  }
  return covered / [...lengths.values()].reduce((sum, length) => sum + length, 0);
}
