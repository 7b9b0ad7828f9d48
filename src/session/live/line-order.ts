/**
 * In which order the parts of a file come, whoever was sent them and when: by the place that was given with them, by the number
 * at the end of their ids where all are numbered alike, else by the time that their first line tells.
 */
import { asObject } from '../ingest/json/json-fields.ts';

export type FilePiece = {
  /** The id that whoever sent it gave it. */
  readonly id?: string | undefined;
  readonly key: string;
  readonly hash: string;
  readonly offset?: number | undefined;
  /** Milliseconds since 1970, by its own account. */
  readonly at?: number | undefined;
  readonly receivedAt: number;
};

export function inOrder<P extends FilePiece>(parts: readonly P[]): P[] {
  const placed = parts.filter(({ offset }) => offset !== undefined);
  const others = parts.filter(({ offset }) => offset === undefined);
  const byPlace = (a: P, b: P) => (a.offset ?? 0) - (b.offset ?? 0) || byText(a.hash, b.hash);
  const isNumbered = others.length > 0 && areNumbered(others);
  const byNumber = (a: P, b: P) => numberOf(a) - numberOf(b) || byText(a.key, b.key);
  const byTime = (a: P, b: P) => (a.at ?? a.receivedAt) - (b.at ?? b.receivedAt) || byText(a.key, b.key);
  return [...placed.sort(byPlace), ...others.sort(isNumbered ? byNumber : byTime)];
}

/** What comes before it is waited for so long: without its beginning a session may look like another one. */
const WAIT_MS = 60_000;

/** Without those that follow on something that has not come yet, unless that was waited for long enough. */
export function withoutGaps<P extends FilePiece & { readonly length: number }>(
  parts: readonly P[],
  now: number,
): readonly P[] {
  const isOver = ({ receivedAt }: P) => now - receivedAt >= WAIT_MS;
  const others = parts.filter(({ offset }) => offset === undefined);
  const isNumbered = others.length > 0 && areNumbered(others);
  let end = 0;
  let number: number | undefined;
  return inOrder(parts).filter((part) => {
    if (part.offset !== undefined) {
      const follows = part.offset <= end || isOver(part);
      if (follows) end = Math.max(end, part.offset + part.length);
      return follows;
    }
    if (!isNumbered) return true;
    const own = numberOf(part);
    const follows = (number === undefined ? own <= 1 : own <= number + 1) || isOver(part);
    if (follows) number = own;
    return follows;
  });
}

const NUMBERED = /^(.*?)(\d{1,15})$/s;

function areNumbered(parts: readonly FilePiece[]): boolean {
  const [first] = parts;
  const beginning = NUMBERED.exec(first?.id ?? '')?.[1];
  return beginning !== undefined && parts.every(({ id = '' }) => NUMBERED.exec(id)?.[1] === beginning);
}

function numberOf({ id = '' }: FilePiece): number {
  return Number(NUMBERED.exec(id)?.[2]);
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** What transcripts call the time of a line. */
const TIMES = ['timestamp', 'time', 'ts', 'created_at', 'createdAt', 'at', 'date'];
const LINES_LOOKED_AT = 20;
/** Times in seconds, milliseconds, microseconds and nanoseconds are told apart by their size. */
const MOST_MS = 1e14;

/** When the first line with a time was, by its own account. */
export function ownTime(bytes: Buffer): number | undefined {
  let start = 0;
  for (let looked = 0; looked < LINES_LOOKED_AT && start < bytes.length; looked += 1) {
    const end = bytes.indexOf(0x0a, start);
    const time = timeIn(bytes.toString('utf8', start, end < 0 ? undefined : end));
    if (time !== undefined || end < 0) return time;
    start = end + 1;
  }
  return undefined;
}

function timeIn(line: string): number | undefined {
  let record: Readonly<Record<string, unknown>> | undefined;
  try {
    record = asObject(JSON.parse(line));
  } catch {
    return undefined;
  }
  if (record === undefined) return undefined;
  for (const name of TIMES) {
    const time = milliseconds(record[name]);
    if (time !== undefined) return time;
  }
  // A span is sent when it ends.
  const nanos = /"(?:endTimeUnixNano|timeUnixNano|observedTimeUnixNano)":"?(\d{10,20})/.exec(line)?.[1];
  return nanos === undefined ? undefined : Number(nanos) / 1e6;
}

function milliseconds(value: unknown): number | undefined {
  if (typeof value === 'string') {
    const time = Date.parse(value);
    return Number.isNaN(time) ? undefined : time;
  }
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return undefined;
  if (value < 1e11) return value * 1000;
  if (value < MOST_MS) return value;
  return value < 1e17 ? value / 1000 : value / 1e6;
}
