/**
 * What was seen in a file, by hashed key, with a few numbers below 2³² for each, stored as
 * one short text. When too many came, the older half is forgotten.
 */
import { hashKey } from '../duplicates/entry-keys.ts';

export type SeenRow = readonly number[];

/** In the state of an adapter: a text after it was stored, and until it is asked for the first time. */
export type StoredKeys = SeenKeys | string;

/** Copies within a file stand nearer than this, and what is stored stays small, so that going on after an append is cheap. */
const MOST = 32_768;

/** What is appended to a file asks for little: so often, what was stored is looked through. A map of it takes longer to make. */
const LOOKED_THROUGH = 512;

const NO_NUMBERS: SeenRow = [];

/** As they were stored, in the order in which they came. */
type Stored = { readonly keys: Float64Array; readonly rows: Uint32Array };

export class SeenKeys {
  readonly #width: number;
  readonly #most: number;
  #stored: Stored | undefined;
  #looks = 0;
  /** Those that came after the stored ones; all of them once there is nothing else. */
  #rows = new Map<number, SeenRow>();

  constructor(width: number, stored: string, most = MOST) {
    this.#width = width;
    this.#most = most;
    if (stored !== '') this.#stored = unpack(stored, width);
  }

  get(key: string): SeenRow | undefined {
    const hash = hashKey(key);
    const place = this.#placeOf(hash);
    return place === undefined ? this.#rows.get(hash) : this.#rowAt(place);
  }

  set(key: string, row: SeenRow): void {
    this.#set(hashKey(key), row);
  }

  /** Notes a key that has no numbers; false when it was there already. */
  add(key: string): boolean {
    const hash = hashKey(key);
    if (this.#placeOf(hash) !== undefined || this.#rows.has(hash)) return false;
    this.#set(hash, NO_NUMBERS);
    return true;
  }

  #set(hash: number, row: SeenRow): void {
    if (this.#size >= this.#most) this.#forget(this.#most / 2);
    const place = this.#placeOf(hash);
    if (place === undefined) this.#rows.set(hash, row);
    else if (this.#stored !== undefined) this.#write(row, this.#stored.rows, place);
  }

  delete(key: string): void {
    this.#makeMap();
    this.#rows.delete(hashKey(key));
  }

  toJSON(): string {
    const { keys, rows } = this.#stored ?? { keys: new Float64Array(), rows: new Uint32Array() };
    const allKeys = new Float64Array(this.#size);
    const allRows = new Uint32Array(this.#size * this.#width);
    allKeys.set(keys);
    allRows.set(rows);
    let at = keys.length;
    for (const [key, row] of this.#rows) {
      allKeys[at] = key;
      this.#write(row, allRows, at);
      at += 1;
    }
    return Buffer.concat([Buffer.from(allKeys.buffer), Buffer.from(allRows.buffer)]).toString('base64');
  }

  get #size(): number {
    return (this.#stored?.keys.length ?? 0) + this.#rows.size;
  }

  /** Among the stored ones. */
  #placeOf(hash: number): number | undefined {
    if (this.#stored === undefined) return undefined;
    this.#looks += 1;
    if (this.#looks > LOOKED_THROUGH) this.#makeMap();
    const place = this.#stored?.keys.indexOf(hash) ?? -1;
    return place < 0 ? undefined : place;
  }

  #rowAt(place: number): SeenRow {
    return [...(this.#stored?.rows.subarray(place * this.#width, (place + 1) * this.#width) ?? [])];
  }

  /** What a row leaves out is 0. */
  #write(row: SeenRow, rows: Uint32Array, place: number): void {
    for (let i = 0; i < this.#width; i += 1) rows[place * this.#width + i] = row[i] ?? 0;
  }

  #makeMap(): void {
    if (this.#stored === undefined) return;
    const later = this.#rows;
    this.#rows = new Map();
    this.#stored.keys.forEach((key, place) => {
      this.#rows.set(key, this.#rowAt(place));
    });
    for (const [key, row] of later) this.#rows.set(key, row);
    this.#stored = undefined;
  }

  #forget(count: number): void {
    this.#makeMap();
    let left = count;
    for (const key of this.#rows.keys()) {
      if (left-- <= 0) return;
      this.#rows.delete(key);
    }
  }
}

/** Keys first, then all their numbers. */
function unpack(stored: string, width: number): Stored {
  // A copy, because numbers have to lie at places that are multiples of their size.
  const bytes = new Uint8Array(Buffer.from(stored, 'base64')).buffer;
  const count = Math.floor(bytes.byteLength / (8 + 4 * width));
  return {
    keys: new Float64Array(bytes, 0, count),
    rows: new Uint32Array(bytes, 8 * count, count * width),
  };
}

export function seenKeys(seen: StoredKeys, width: number): SeenKeys {
  return typeof seen === 'string' ? new SeenKeys(width, seen) : seen;
}
