/** What was seen in a file, by hashed key, with a few numbers for each. When too many came, the older half is forgotten. */
import { hashKey } from '../duplicates/entry-keys.ts';

/** Copies within a file stand nearer than this. */
const MOST = 32_768;

export class SeenKeys<Row = true> {
  readonly #most: number;
  readonly #rows = new Map<number, Row>();

  constructor(most = MOST) {
    this.#most = most;
  }

  get(key: string): Row | undefined {
    return this.#rows.get(hashKey(key));
  }

  /** False when it was there already. */
  add(key: string, row: Row): boolean {
    const hash = hashKey(key);
    if (this.#rows.has(hash)) return false;
    this.#set(hash, row);
    return true;
  }

  set(key: string, row: Row): void {
    this.#set(hashKey(key), row);
  }

  #set(hash: number, row: Row): void {
    if (this.#rows.size >= this.#most) {
      let left = this.#most / 2;
      for (const oldest of this.#rows.keys()) {
        if (left-- <= 0) break;
        this.#rows.delete(oldest);
      }
    }
    this.#rows.set(hash, row);
  }

  delete(key: string): void {
    this.#rows.delete(hashKey(key));
  }
}
