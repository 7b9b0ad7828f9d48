/** Counts the state of the lines of a file, as plain JSON, so that a growing file continues counting. */
import type { FileReading } from '../../evidence.ts';

/** Why a line was skipped, as shown to the user. */
export type SkipReason =
  | 'not JSON'
  | 'partly damaged'
  | 'over 32 MB'
  | 'too many parts'
  | 'cut off at the end'
  | 'not a transcript'
  | 'no format knows it'
  | 'not a record'
  | 'not understood'
  | 'damaged archive'
  | 'damaged database'
  | 'document too large'
  | 'too many sessions in one file';

const MAX_UNKNOWN_TYPES = 200;
/** A valid name of a record type; anything else may be text, and text is not stored. */
const TYPE_NAME = /^[\w./: -]{1,60}$/;
const MOST_WORDS = 3;

export type TallyState = {
  lines: number;
  lastLine: number;
  skipped: [reason: SkipReason, count: number, firstLine: number][];
  unknown: [type: string, count: number][];
};

export const emptyTally = (): TallyState => ({ lines: 0, lastLine: 0, skipped: [], unknown: [] });

/** Counts a line once, also when it is read in two steps. */
export function countLine(tally: TallyState, line: number): void {
  if (tally.lastLine === line) return;
  tally.lastLine = line;
  tally.lines += 1;
}

export function countSkip(tally: TallyState, reason: SkipReason, line: number): void {
  const entry = tally.skipped.find(([known]) => known === reason);
  if (entry === undefined) tally.skipped.push([reason, 1, line]);
  else entry[1] += 1;
}

export function countUnknown(tally: TallyState, type: string): void {
  const isName = TYPE_NAME.test(type) && type.split(' ').length <= MOST_WORDS;
  const name = isName ? type : 'a type without a name';
  const entry = tally.unknown.find(([known]) => known === name);
  if (entry !== undefined) entry[1] += 1;
  else if (tally.unknown.length < MAX_UNKNOWN_TYPES) tally.unknown.push([name, 1]);
}

export function readingOf(path: string, tally: TallyState): FileReading {
  return {
    path,
    lines: tally.lines,
    skipped: Object.fromEntries(
      tally.skipped.map(([reason, count, firstLine]) => [reason, { count, firstLine }]),
    ),
    // Types come from the file: `__proto__` must stay a key like any other.
    unknownRecords: Object.fromEntries(tally.unknown),
  };
}
