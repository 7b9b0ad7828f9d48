/**
 * A JSON document of any size → its members or elements one by one, without ever holding the whole. Brackets are
 * counted, strings passed over; each item is handed on as bytes for JSON.parse.
 */

export type Item = {
  /** Key of a member of the outermost object; undefined for elements. */
  readonly key: string | undefined;
  /** The value; undefined when it is larger than the limit or not JSON. */
  readonly value: unknown;
  readonly tooLarge: boolean;
  readonly bytes: number;
  /** True when the value is an array. */
  readonly isArray: boolean;
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

export class DocumentSplitter {
  readonly #opens: ReadonlySet<string>;
  readonly #maxBytes: number;
  readonly #onItem: (item: Item) => void;
  #depth = 0;
  /** 1: members of the root; 2: elements of one of the arrays that were asked for. */
  #level = 1;
  #rootIsObject = false;
  #inString = false;
  #escaped = false;
  #inItem = false;
  #buffer: Buffer = Buffer.allocUnsafe(64 * 1024);
  #length = 0;
  #tooLarge = false;
  #key: string | undefined;
  #isArray = false;
  #awaitsValue = false;
  #ended = false;

  /** `opens`: keys of the root whose arrays are split into their elements instead of being items themselves. */
  constructor(opens: ReadonlySet<string>, maxBytes: number, onItem: (item: Item) => void) {
    this.#opens = opens;
    this.#maxBytes = maxBytes;
    this.#onItem = onItem;
  }

  /** True once the outermost value is closed. */
  get ended(): boolean {
    return this.#ended;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let at = 0; at < chunk.length && !this.#ended; at++) {
      const byte = chunk[at] as number;
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === BACKSLASH) this.#escaped = true;
        else if (byte === QUOTE) this.#inString = false;
      } else if (
        byte > COLON ? byte === OPEN_BRACKET || byte === CLOSE_BRACKET || byte >= OPEN_BRACE : true
      ) {
        from = this.#structure(chunk, byte, at, from);
      } else if (!this.#inItem) {
        from = this.#begin(at);
      }
    }
    if (this.#inItem) this.#collect(chunk, from, chunk.length);
  }

  /** A byte outside of strings that may open, close or separate something; returns where the item's bytes start. */
  #structure(chunk: Buffer, byte: number, at: number, from: number): number {
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) return this.#open(byte, at, from);
    const closes = byte === CLOSE_BRACE || byte === CLOSE_BRACKET;
    if (this.#depth === this.#level && (closes || byte === COMMA)) {
      if (this.#inItem) this.#finish(chunk, from, at);
      if (closes) this.#leave();
      return at + 1;
    }
    if (closes) this.#depth -= 1;
    if (byte === COLON && this.#depth === 1 && this.#rootIsObject && this.#inItem && !this.#awaitsValue) {
      return this.#named(chunk, from, at);
    }
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) return from;
    if (byte === QUOTE) this.#inString = true;
    return this.#inItem ? from : this.#begin(at);
  }

  #open(byte: number, at: number, from: number): number {
    if (this.#depth === 0) {
      this.#rootIsObject = byte === OPEN_BRACE;
      this.#depth = 1;
      return at + 1;
    }
    if (this.#awaitsValue && this.#depth === 1) {
      this.#isArray = byte === OPEN_BRACKET;
      if (this.#isArray && this.#key !== undefined && this.#opens.has(this.#key)) {
        this.#depth = 2;
        this.#level = 2;
        this.#inItem = false;
        return at + 1;
      }
    }
    const start = this.#inItem ? from : this.#begin(at);
    this.#depth += 1;
    return start;
  }

  #begin(at: number): number {
    this.#inItem = true;
    this.#length = 0;
    this.#tooLarge = false;
    if (this.#level === 1) {
      this.#key = undefined;
      this.#isArray = false;
      this.#awaitsValue = false;
    }
    return at;
  }

  /** The key is complete; what follows is its value. */
  #named(chunk: Buffer, from: number, at: number): number {
    this.#collect(chunk, from, at);
    const key = this.#tooLarge ? undefined : this.#parse();
    this.#key = typeof key === 'string' ? key : '';
    this.#length = 0;
    this.#tooLarge = false;
    this.#awaitsValue = true;
    return at + 1;
  }

  #finish(chunk: Buffer, from: number, at: number): void {
    this.#collect(chunk, from, at);
    const value = this.#tooLarge ? undefined : this.#parse();
    this.#onItem({
      key: this.#key,
      value,
      tooLarge: this.#tooLarge,
      bytes: this.#length,
      isArray: this.#isArray,
    });
    this.#inItem = false;
    this.#awaitsValue = false;
  }

  #leave(): void {
    this.#depth -= 1;
    if (this.#level === 1) this.#ended = true;
    else {
      this.#level = 1;
      this.#awaitsValue = false;
    }
  }

  #collect(chunk: Buffer, from: number, to: number): void {
    if (this.#tooLarge || to <= from) return;
    const needed = this.#length + to - from;
    if (needed > this.#maxBytes) {
      this.#tooLarge = true;
      return;
    }
    if (needed > this.#buffer.length) {
      const grown = Buffer.allocUnsafeSlow(Math.min(this.#maxBytes, 2 * needed));
      this.#buffer.copy(grown, 0, 0, this.#length);
      this.#buffer = grown;
    }
    chunk.copy(this.#buffer, this.#length, from, to);
    this.#length = needed;
  }

  #parse(): unknown {
    try {
      return JSON.parse(this.#buffer.toString('utf8', 0, this.#length));
    } catch {
      return undefined;
    }
  }
}
