/**
 * Recovers every complete JSON object of a damaged line, wherever it is. One pass over the bytes, no recursion: an
 * attempt ends at the first invalid byte, and the next one starts there, because everything opened before it is broken
 * as well.
 */
import { scanObject } from './scan-json.ts';

export type Recovered = {
  readonly records: readonly unknown[];
  /** Bytes from here on are part of no record; more bytes could still make one of them. */
  readonly restFrom: number;
  /** True when something was left over that is no part of any record. */
  readonly damaged: boolean;
};

const OPEN_BRACE = 0x7b;

export function recover(line: Buffer): Recovered {
  const bytes = line.subarray(0, contentEnd(line));
  const records: unknown[] = [];
  let damaged = false;
  let restFrom = 0;
  let from = 0;
  for (;;) {
    const start = bytes.indexOf(OPEN_BRACE, from);
    damaged ||= !isBlank(bytes, from, start < 0 ? bytes.length : start);
    if (start < 0) return { records, restFrom, damaged };
    const { kind, end, child } = scanObject(bytes, start);
    const first = kind === 'complete' ? start : child;
    const record = first === undefined ? undefined : parse(bytes, first, end);
    damaged ||= first !== start || record === undefined;
    if (record !== undefined) {
      records.push(record);
      restFrom = end;
    }
    from = kind === 'broken' ? Math.max(restFrom, restart(bytes, start, end)) : end;
  }
}

function contentEnd(line: Buffer): number {
  let end = line.length;
  while (end > 0 && isBlank(line, end - 1, end)) end -= 1;
  return end;
}

/** The byte that cannot follow may be the second of a new object: `…"text{"type":` fails at `type`. */
function restart(bytes: Buffer, start: number, failedAt: number): number {
  return failedAt - 2 > start && bytes[failedAt - 2] === OPEN_BRACE
    ? failedAt - 2
    : Math.max(failedAt, start + 1);
}

export function isBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x0d && byte !== 0x09 && byte !== 0x0a) return false;
  }
  return true;
}

function parse(bytes: Buffer, start: number, end: number): unknown {
  const text = bytes.toString('utf8', start, end);
  try {
    return JSON.parse(text);
  } catch {
    // Raw control characters inside a string are all that a scan lets through and JSON does not.
    try {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to be replaced
      return JSON.parse(text.replace(/[\u0000-\u001f]/g, ' '));
    } catch {
      return undefined;
    }
  }
}
