/**
 * A JSON document of any size → its members or elements one by one, without ever holding the whole. Brackets are
 * counted, strings passed over; each item is handed on as bytes for JSON.parse.
 */

export type Item = {
  /** Key of the member, or of the array whose element it is; undefined for elements of the outermost array. */
  readonly key: string | undefined;
  /** The value; undefined when it is larger than the limit or not JSON. */
  readonly value: unknown;
  readonly tooLarge: boolean;
  readonly bytes: number;
  /** True when the value is an array. */
  readonly isArray: boolean;
  /** How many containers are open around it: 1 for members of the root, 2 for elements of its arrays, and so on. */
  readonly level: number;
  /** How many elements of the root's arrays have begun, where these are themselves split. */
  readonly element: number;
};

/** A container that is split into its items. */
type Open = { readonly isObject: boolean; readonly key: string | undefined };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const OPENS = 1;
const CLOSES = 2;
const KIND = new Uint8Array(256);
KIND[OPEN_BRACE] = OPENS;
KIND[OPEN_BRACKET] = OPENS;
KIND[CLOSE_BRACE] = CLOSES;
KIND[CLOSE_BRACKET] = CLOSES;
KIND[QUOTE] = 3;

export class DocumentSplitter {
  readonly #path: readonly ReadonlySet<string>[];
  readonly #maxBytes: number;
  readonly #onItem: (item: Item) => void;
  #depth = 0;
  readonly #open: Open[] = [];
  /** How many containers are open, once the root is. */
  #level = 1;
  #element = 0;
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

  /**
   * `path`: first the keys of the root whose arrays are split into their elements instead of being items themselves;
   * with more, their elements are split as well, at the arrays of the next keys.
   */
  constructor(path: readonly ReadonlySet<string>[], maxBytes: number, onItem: (item: Item) => void) {
    this.#path = path;
    this.#maxBytes = maxBytes;
    this.#onItem = onItem;
  }

  /** True once the outermost value is closed. */
  get ended(): boolean {
    return this.#ended;
  }

  /** The key of the array in the middle of which the bytes ended. */
  get unfinishedArray(): string | undefined {
    return this.#depth > 0 && this.#inItem && this.#isArray ? this.#key : undefined;
  }

  push(chunk: Buffer): void {
    let from = 0;
    let at = 0;
    while (at < chunk.length && !this.#ended) {
      if (this.#inString) at = this.#passString(chunk, at);
      else if (this.#depth > this.#level) at = this.#passNested(chunk, at);
      else {
        from = this.#structure(chunk, chunk[at] as number, at, from);
        at += 1;
      }
    }
    if (this.#inItem) this.#collect(chunk, from, chunk.length);
  }

  #passString(chunk: Buffer, start: number): number {
    let at = this.#escaped ? start + 1 : start;
    this.#escaped = false;
    for (; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) {
        this.#inString = false;
        return at + 1;
      }
    }
    this.#escaped = at > chunk.length;
    return chunk.length;
  }

  /** Inside of an item only its strings and brackets matter. */
  #passNested(chunk: Buffer, start: number): number {
    let depth = this.#depth;
    let at = start;
    for (; at < chunk.length; at++) {
      const kind = KIND[chunk[at] as number];
      if (kind === 0) continue;
      if (kind === OPENS) depth += 1;
      else if (kind === CLOSES) {
        depth -= 1;
        if (depth === this.#level) break;
      } else {
        this.#inString = true;
        break;
      }
    }
    this.#depth = depth;
    return Math.min(at + 1, chunk.length);
  }

  /** A byte outside of strings that may open, close or separate something; returns where the item's bytes start. */
  #structure(chunk: Buffer, byte: number, at: number, from: number): number {
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) return this.#enter(byte, at, from);
    // A byte order mark, or blanks.
    if (this.#depth === 0) return from;
    const closes = byte === CLOSE_BRACE || byte === CLOSE_BRACKET;
    if (this.#depth === this.#level && (closes || byte === COMMA)) {
      if (this.#inItem) this.#finish(chunk, from, at);
      if (closes) this.#leave();
      return at + 1;
    }
    if (
      byte === COLON &&
      this.#depth === this.#level &&
      this.#inObject &&
      this.#inItem &&
      !this.#awaitsValue
    ) {
      return this.#named(chunk, from, at);
    }
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) return from;
    if (byte === QUOTE) this.#inString = true;
    return this.#inItem ? from : this.#begin(at);
  }

  #enter(byte: number, at: number, from: number): number {
    if (this.#depth === 0) {
      this.#open.push({ isObject: byte === OPEN_BRACE, key: undefined });
      this.#depth = 1;
      return at + 1;
    }
    if (this.#isSplit(byte)) {
      if (this.#level === 2) this.#element += 1;
      this.#open.push({ isObject: byte === OPEN_BRACE, key: this.#key });
      this.#depth += 1;
      this.#level += 1;
      this.#inItem = false;
      this.#awaitsValue = false;
      return at + 1;
    }
    if (this.#awaitsValue && this.#depth === this.#level) this.#isArray = byte === OPEN_BRACKET;
    const start = this.#inItem ? from : this.#begin(at);
    this.#depth += 1;
    return start;
  }

  get #inObject(): boolean {
    return this.#open.at(-1)?.isObject === true;
  }

  /** Whether a container that begins here is split: an array of the path, or an element on the way to one. */
  #isSplit(byte: number): boolean {
    if (this.#depth !== this.#level) return false;
    const next = this.#path[this.#level >> 1];
    if (next === undefined) return false;
    if (!this.#inObject) return this.#level > 1 && !this.#inItem && byte === OPEN_BRACE;
    return this.#awaitsValue && byte === OPEN_BRACKET && this.#key !== undefined && next.has(this.#key);
  }

  #begin(at: number): number {
    this.#inItem = true;
    this.#length = 0;
    this.#tooLarge = false;
    if (this.#inObject) {
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
      level: this.#level,
      element: this.#element,
    });
    this.#inItem = false;
    this.#awaitsValue = false;
  }

  #leave(): void {
    this.#depth -= 1;
    this.#open.pop();
    if (this.#level === 1) {
      this.#ended = true;
      return;
    }
    this.#level -= 1;
    this.#key = this.#open.at(-1)?.key;
    this.#awaitsValue = false;
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
