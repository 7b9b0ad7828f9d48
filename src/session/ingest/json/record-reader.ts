/** Lines → records: parses, saves what can be saved of damaged lines, and counts the rest. */
import { stripVTControlCharacters } from 'node:util';
import { countLine, countSkip, type TallyState } from '../reading/tally.ts';
import { isBlank, recover } from './recover.ts';
import { hasTooManyParts } from './scan-json.ts';
import { type LinePosition, LineSplitter } from './split-lines.ts';

export type RecordSink = {
  /** One record, the number of its line and how many bytes the line has. */
  readonly onRecord: (record: unknown, line: number, bytes: number) => void;
  /** The lines are no JSON: each becomes a record with the field `text`. */
  readonly isText: boolean;
  /** A line that need not be parsed. */
  readonly skips?: (line: Buffer) => boolean;
  /** The same record without the parts that its adapter does not use. */
  readonly trim?: (line: Buffer) => Buffer | undefined;
};

export class RecordReader {
  readonly #sink: RecordSink;
  readonly #tally: TallyState;
  readonly #splitter: LineSplitter;

  constructor(sink: RecordSink, tally: TallyState, at?: LinePosition) {
    this.#sink = sink;
    this.#tally = tally;
    this.#splitter = new LineSplitter(
      {
        onLine: (bytes, start, end, line) => this.#read(bytes, start, end, line),
        onTooLong: (line) => {
          countLine(tally, line);
          countSkip(tally, 'over 32 MB', line);
        },
      },
      at,
    );
  }

  push(chunk: Buffer): void {
    this.#splitter.push(chunk);
  }

  /**
   * The last line when it has no newline. Its complete records are used; an unfinished record is not consumed: the
   * returned position is where it starts, and `cutOff` reports it. `recovered`: parts were used that may turn out to be
   * inside a record when the rest arrives.
   */
  end(): { readonly at: LinePosition; readonly cutOff: boolean; readonly recovered?: boolean } {
    const { bytes, at, tooLong } = this.#splitter.rest();
    if (tooLong) return { at, cutOff: true };
    const start = afterMark(bytes, 0, bytes.length, at.line);
    if (isBlank(bytes, start, bytes.length)) return { at, cutOff: false };
    if (hasTooManyParts(bytes)) {
      countLine(this.#tally, at.line);
      countSkip(this.#tally, 'too many parts', at.line);
      return { at, cutOff: false };
    }
    const view = withoutTerminalCodes(bytes.subarray(start));
    const whole = this.#sink.isText ? textRecord(view) : parseObject(view);
    if (whole !== undefined) {
      countLine(this.#tally, at.line);
      this.#sink.onRecord(whole, at.line, bytes.length);
      return { at: { offset: at.offset + bytes.length, line: at.line }, cutOff: false };
    }
    const { records, restFrom } = recover(bytes);
    if (records.length > 0) countLine(this.#tally, at.line);
    for (const record of records) this.#sink.onRecord(record, at.line, bytes.length);
    const recovered = records.length > 0;
    return { at: { offset: at.offset + restFrom, line: at.line }, cutOff: true, recovered };
  }

  #read(bytes: Buffer, from: number, end: number, line: number): void {
    const start = afterMark(bytes, from, end, line);
    if (isBlank(bytes, start, end)) return;
    countLine(this.#tally, line);
    const { onRecord, isText, skips, trim } = this.#sink;
    const view = bytes.subarray(start, end);
    if (isText) {
      onRecord(textRecord(withoutTerminalCodes(view)), line, end - start);
      return;
    }
    if (skips?.(view)) return;
    if (hasTooManyParts(view)) {
      countSkip(this.#tally, 'too many parts', line);
      return;
    }
    const trimmed = trim?.(view);
    const record = (trimmed && parseObject(trimmed)) ?? parseObject(view);
    if (record !== undefined) onRecord(record, line, end - start);
    else this.#save(view, line);
  }

  #save(damaged: Buffer, line: number): void {
    const bytes = withoutTerminalCodes(damaged);
    const coloured = bytes === damaged ? undefined : parseObject(bytes);
    if (coloured === undefined) this.#recover(bytes, line);
    else this.#sink.onRecord(coloured, line, bytes.length);
  }

  #recover(bytes: Buffer, line: number): void {
    const { records: found, damaged, restFrom } = recover(bytes);
    // Empty objects carry nothing, and many of them would hide the format of the others.
    const records = found.filter((record) => Object.keys(record ?? {}).length > 0);
    for (const record of records) this.#sink.onRecord(record, line, bytes.length);
    if (records.length === 0) countSkip(this.#tally, isJson(bytes) ? 'not a record' : 'not JSON', line);
    else if (damaged || restFrom < bytes.length) countSkip(this.#tally, 'partly damaged', line);
  }
}

/** A file may begin with a byte order mark. */
function afterMark(bytes: Buffer, start: number, end: number, line: number): number {
  const isMark =
    line === 1 &&
    end - start >= 3 &&
    bytes[start] === 0xef &&
    bytes[start + 1] === 0xbb &&
    bytes[start + 2] === 0xbf;
  return isMark ? start + 3 : start;
}

/** What the log of a job puts before each line. */
const TIMESTAMP = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[\d.,]*(?:Z|[+-]\d\d:?\d\d)? /;

function textRecord(line: Buffer): { readonly text: string } {
  return { text: line.toString('utf8').replace(TIMESTAMP, '') };
}

function parseObject(bytes: Buffer): object | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString());
    return true;
  } catch {
    return false;
  }
}

const ESCAPE = 0x1b;

/** What a terminal reads as colours, titles and movements. In JSON an escape character is always written out. */
function withoutTerminalCodes(bytes: Buffer): Buffer {
  return bytes.includes(ESCAPE) ? Buffer.from(stripVTControlCharacters(bytes.toString())) : bytes;
}
