/**
 * Bytes → lines with their positions. Lines are slices of the chunk; only one that crosses the end of a chunk is copied
 * into a buffer. A line over the limit is skipped, so memory is bounded.
 */

export const MAX_LINE_BYTES = 32 * 1024 * 1024;

const NEWLINE = 10;
const FIRST_CARRY_BYTES = 64 * 1024;
/** Where lines are this long, the carry buffer gets its full size at once: growing step by step leaves much behind. */
const LONG_LINE_BYTES = 2 * 1024 * 1024;

/** Where a line starts: bytes from the beginning of the file, and its 1-based number. */
export type LinePosition = { readonly offset: number; readonly line: number };

export type LineSink = {
  /** One line without its newline: `bytes` from `start` to `end`, to be used during the call only. */
  readonly onLine: (bytes: Buffer, start: number, end: number, line: number) => void;
  readonly onTooLong: (line: number) => void;
};

export class LineSplitter {
  readonly #sink: LineSink;
  #line: number;
  /** Where the line starts that is not finished yet. */
  #lineOffset: number;
  #carry: Buffer = Buffer.alloc(0);
  #carried = 0;
  #passing = false;

  constructor(sink: LineSink, at: LinePosition = { offset: 0, line: 1 }) {
    this.#sink = sink;
    this.#line = at.line;
    this.#lineOffset = at.offset;
  }

  push(chunk: Buffer): void {
    let start = 0;
    if (this.#carried > 0 || this.#passing) {
      const end = chunk.indexOf(NEWLINE);
      this.#keep(chunk, 0, end < 0 ? chunk.length : end);
      if (end < 0) return;
      this.#endCarried();
      start = end + 1;
    }
    for (let end = chunk.indexOf(NEWLINE, start); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      if (end - start > MAX_LINE_BYTES) this.#sink.onTooLong(this.#line);
      else this.#sink.onLine(chunk, start, end, this.#line);
      this.#lineOffset += end - start + 1;
      this.#line += 1;
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk, start, chunk.length);
  }

  /** The bytes after the last newline, where they start, and whether they are too long to buffer. */
  rest(): { readonly bytes: Buffer; readonly at: LinePosition; readonly tooLong: boolean } {
    return {
      bytes: this.#carry.subarray(0, this.#carried),
      at: { offset: this.#lineOffset, line: this.#line },
      tooLong: this.#passing,
    };
  }

  #passed = 0;

  #endCarried(): void {
    if (this.#passing) this.#sink.onTooLong(this.#line);
    else this.#sink.onLine(this.#carry, 0, this.#carried, this.#line);
    this.#lineOffset += this.#passed + this.#carried + 1;
    this.#line += 1;
    this.#carried = 0;
    this.#passed = 0;
    this.#passing = false;
  }

  #keep(chunk: Buffer, start: number, end: number): void {
    const needed = this.#carried + end - start;
    if (this.#passing || needed > MAX_LINE_BYTES) {
      this.#passing = true;
      this.#passed += needed;
      this.#carried = 0;
      return;
    }
    if (needed > this.#carry.length) this.#grow(needed);
    chunk.copy(this.#carry, this.#carried, start, end);
    this.#carried = needed;
  }

  #grow(needed: number): void {
    const size = needed > LONG_LINE_BYTES ? MAX_LINE_BYTES : Math.max(FIRST_CARRY_BYTES, 2 * needed);
    const grown = Buffer.allocUnsafeSlow(size);
    this.#carry.copy(grown, 0, 0, this.#carried);
    this.#carry = grown;
  }
}
