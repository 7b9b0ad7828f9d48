/**
 * What was seen in a file, by hashed key, with a few numbers below 2³² for each, stored as
 * one short text. When too many came, the older half is forgotten.
 */
import { hashKey } from '../copies/entry-keys.ts';

export type SeenRow = readonly number[];

/** In the state of an adapter: a text after it was stored, and until it is asked for the first time. */
export type StoredKeys = SeenKeys | string;

/** Copies within a file stand nearer than this, and what is stored stays small, so that going on after an append is cheap. */
const MOST = 32_768;

export class SeenKeys {
  readonly #rows: Map<number, SeenRow>;
  readonly #width: number;
  readonly #most: number;

  constructor(width: number, stored: string, most = MOST) {
    this.#width = width;
    this.#most = most;
    this.#rows = new Map();
    const bytes = Buffer.from(stored, 'base64');
    const size = 8 + 4 * width;
    for (let at = 0; at + size <= bytes.length; at += size) {
      const row: number[] = [];
      for (let i = 0; i < width; i++) row.push(bytes.readUInt32LE(at + 8 + 4 * i));
      this.#rows.set(bytes.readDoubleLE(at), row);
    }
  }

  get(key: string): SeenRow | undefined {
    return this.#rows.get(hashKey(key));
  }

  set(key: string, row: SeenRow): void {
    this.#set(hashKey(key), row);
  }

  /** Notes a key that has no numbers; false when it was there already. */
  add(key: string): boolean {
    const hash = hashKey(key);
    if (this.#rows.has(hash)) return false;
    this.#set(hash, []);
    return true;
  }

  #set(hash: number, row: SeenRow): void {
    if (this.#rows.size >= this.#most) this.#forget(this.#most / 2);
    this.#rows.set(hash, row);
  }

  delete(key: string): void {
    this.#rows.delete(hashKey(key));
  }

  toJSON(): string {
    const bytes = Buffer.alloc(this.#rows.size * (8 + 4 * this.#width));
    let at = 0;
    for (const [key, row] of this.#rows) {
      at = bytes.writeDoubleLE(key, at);
      for (let i = 0; i < this.#width; i++) at = bytes.writeUInt32LE((row[i] ?? 0) >>> 0, at);
    }
    return bytes.toString('base64');
  }

  #forget(count: number): void {
    let left = count;
    for (const key of this.#rows.keys()) {
      if (left-- <= 0) return;
      this.#rows.delete(key);
    }
  }
}

export function seenKeys(seen: StoredKeys, width: number): SeenKeys {
  return typeof seen === 'string' ? new SeenKeys(width, seen) : seen;
}
