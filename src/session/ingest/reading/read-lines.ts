/** A file of lines → a transcript: detects the format by the first records, then reads on. */

import { nameOfFile } from '../files/name-by-file.ts';
import { PackingError } from '../files/open-input.ts';
import type { LoadedFormat } from '../formats/format.ts';
import { detectFormat } from '../formats/load-formats.ts';
import { RecordReader, type RecordSink } from '../json/record-reader.ts';
import type { LinePosition } from '../json/split-lines.ts';
import { countSkip, emptyTally, type TallyState } from './tally.ts';
import { type LeaveOut, type Listen, Transcript } from './transcript.ts';

/** Where a reading ended; the next one continues with these very objects, so only one can. */
export type ReadingProgress = {
  readonly transcript: Transcript;
  readonly at: LinePosition;
  readonly tally: TallyState;
};

export type ReadOptions = {
  readonly formats: readonly LoadedFormat[];
  readonly leaveOut?: LeaveOut | undefined;
  readonly resume?: ReadingProgress | undefined;
  /** True: the lines are no JSON, and only formats that read such lines are asked. */
  readonly text?: boolean | undefined;
  readonly listen?: Listen | undefined;
  /** True: the listener has what it needs. */
  readonly enough?: (() => boolean) | undefined;
};

export type LinesRead = {
  /** Undefined when the content matches no format. */
  readonly transcript: Transcript | undefined;
  readonly tally: TallyState;
  /** Where the next reading continues. */
  readonly at: LinePosition;
  /**
   * False: more of the file may change the result, because the format was detected with fewer records than a sample
   * has, or the last line is incomplete.
   */
  readonly isSettled: boolean;
  /** What is wrong at the end of this reading and may be right at the next. */
  readonly tail: 'cut off at the end' | 'damaged archive' | undefined;
};

/** Records per sample, and how many are tried in all. */
const SAMPLE_RECORDS = 20;
const MAX_WAITING_RECORDS = 200;
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
/** So much of something else, and the rest will not be a transcript either. */
const MAX_STRANGE_RECORDS = 20_000;
const MAX_STRANGE_BYTES = 64 * 1024 * 1024;

export async function readLines(
  path: string,
  chunks: AsyncIterable<Buffer>,
  options: ReadOptions,
): Promise<LinesRead> {
  const lines = new TranscriptLines(path, options);
  let damaged = false;
  try {
    for await (const chunk of chunks) {
      lines.push(chunk);
      if (lines.hopeless || options.enough?.()) break;
    }
  } catch (error) {
    if (!(error instanceof PackingError)) throw error;
    damaged = true;
  }
  return lines.end(damaged);
}

class TranscriptLines {
  hopeless = false;
  readonly #path: string;
  readonly #options: ReadOptions;
  /** May be asked about every record: what they know is their own. */
  readonly #first: readonly LoadedFormat[];
  readonly #tally: TallyState;
  readonly #reader: RecordReader;
  readonly #sink: { -readonly [K in keyof RecordSink]: RecordSink[K] };
  #transcript: Transcript | undefined;
  #waiting: { record: unknown; line: number }[] = [];
  #waitingBytes = 0;
  #seenRecords = 0;
  #seenBytes = 0;

  constructor(path: string, options: ReadOptions) {
    const { resume, text = false } = options;
    const formats = text ? options.formats.filter(({ readsText }) => readsText) : options.formats;
    this.#path = path;
    this.#options = { ...options, formats };
    this.#first = formats.filter(({ oneTells }) => oneTells);
    this.#tally = resume?.tally ?? emptyTally();
    this.#sink = { isText: text, onRecord: (record, line, bytes) => this.#wait(record, line, bytes) };
    this.#reader = new RecordReader(this.#sink, this.#tally, resume?.at);
    if (resume !== undefined) {
      resume.transcript.resume(resume.tally);
      this.#readOn(resume.transcript);
    }
  }

  push(chunk: Buffer): void {
    this.#reader.push(chunk);
  }

  end(damaged: boolean): LinesRead {
    const { at, cutOff, recovered = false } = this.#reader.end();
    const isSettled = this.#transcript !== undefined && !recovered;
    if (this.#transcript === undefined) this.#detect(this.#options.formats);
    if (this.#transcript === undefined) this.#giveUp();
    const tail = damaged ? 'damaged archive' : cutOff ? 'cut off at the end' : undefined;
    return { transcript: this.#transcript, tally: this.#tally, at, isSettled, tail };
  }

  #wait(record: unknown, line: number, bytes: number): void {
    if (this.hopeless) return;
    this.#waiting.push({ record, line });
    this.#waitingBytes += bytes;
    this.#seenRecords += 1;
    this.#seenBytes += bytes;
    const isFull = this.#waitingBytes > MAX_WAITING_BYTES || this.#waiting.length >= MAX_WAITING_RECORDS;
    if (this.#waiting.length % SAMPLE_RECORDS === 0 || isFull) this.#detect(this.#options.formats);
    else this.#detect(this.#first, 1);
    if (this.#transcript !== undefined) return;
    this.hopeless = this.#seenRecords >= MAX_STRANGE_RECORDS || this.#seenBytes >= MAX_STRANGE_BYTES;
    if (isFull && !this.hopeless) this.#forget();
  }

  /** Records of an unknown format are counted and dropped; those of the next sample stay. */
  #forget(): void {
    const keep = this.#waitingBytes > MAX_WAITING_BYTES ? 0 : SAMPLE_RECORDS;
    const strange = this.#waiting.splice(0, this.#waiting.length - keep);
    for (const { line } of strange) countSkip(this.#tally, 'no format knows it', line);
    this.#waitingBytes = 0;
  }

  /** Asks with the latest records: the first of a file may be damaged, or of a kind that every format has. */
  #detect(formats: readonly LoadedFormat[], count = SAMPLE_RECORDS): void {
    const latest = this.#waiting.slice(-count).map(({ record }) => record);
    if (latest.length === 0) return;
    const format = detectFormat({ records: latest, document: false, path: this.#path }, formats);
    if (format === undefined) return;
    const transcript = this.#start(format);
    for (const { record, line } of this.#waiting) transcript.tryTake(record, line);
    this.#waiting = [];
  }

  #start(format: LoadedFormat): Transcript {
    const [path, tally] = [this.#path, this.#tally];
    const { leaveOut, listen } = this.#options;
    const transcript = new Transcript({ format, path, tally, leaveOut, name: nameOfFile(path), listen });
    this.#readOn(transcript);
    return transcript;
  }

  #readOn(transcript: Transcript): void {
    const { skipBytes, trimBytes } = transcript.format;
    this.#transcript = transcript;
    this.#sink.onRecord = (record, line) => transcript.tryTake(record, line);
    if (skipBytes !== undefined) this.#sink.skips = skipBytes;
    if (trimBytes !== undefined) this.#sink.trim = trimBytes;
  }

  #giveUp(): void {
    for (const { line } of this.#waiting.slice(0, SAMPLE_RECORDS))
      countSkip(this.#tally, 'not a transcript', line);
  }
}
