/** Keys of entries, hashed to 53 bits: 8 bytes each, whatever the format uses as identity. */

/** Two multiplicative lanes; a million keys collide with a chance of 1 in 18,000. */
export function hashKey(key: string): number {
  let low = 0x9e3779b9;
  let high = 0x85ebca6b;
  for (let i = 0; i < key.length; i++) {
    const code = key.charCodeAt(i);
    low = Math.imul(low ^ code, 0x9e3779b1);
    high = Math.imul(high ^ code, 0x5f356495);
  }
  low = Math.imul(low ^ (low >>> 15), 0x85ebca77) ^ (high >>> 13);
  high = Math.imul(high ^ (high >>> 16), 0xc2b2ae3d) ^ (low >>> 16);
  return (high >>> 11) * 0x1_0000_0000 + (low >>> 0);
}

/** Longer keys are globally unique; shorter ones are unique within their session only. */
const UNIQUE_KEY_CHARS = 20;

/** Identifies a transcript by its first entry; undefined when other transcripts may have one with the same key. */
export function originOf(key: string, record: unknown): string | undefined {
  const time = timeOf(record);
  if (key.length >= UNIQUE_KEY_CHARS) return hashKey(key).toString(36);
  return time === undefined ? undefined : hashKey(`${key} ${time}`).toString(36);
}

/** Identity of an entry across files. A copy has the time of its original, so the time distinguishes short keys. */
export function copyKey(key: string, hash: number, record: unknown): number {
  const time = key.length >= UNIQUE_KEY_CHARS ? undefined : timeOf(record);
  return time === undefined ? hash : hashKey(`${key} ${time}`);
}

function timeOf(record: unknown): string | number | undefined {
  if (typeof record !== 'object' || record === null || !('timestamp' in record)) return undefined;
  const { timestamp } = record;
  return typeof timestamp === 'string' || typeof timestamp === 'number' ? timestamp : undefined;
}

export function joinKeys(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const BLOCK = 1024;

/** A list of numbers that grows by blocks, so that it is never copied while a large file is read. */
export class KeyList {
  readonly #blocks: Float64Array[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(key: number): void {
    const place = this.#length % BLOCK;
    if (place === 0) this.#blocks.push(new Float64Array(BLOCK));
    (this.#blocks.at(-1) as Float64Array)[place] = key;
    this.#length += 1;
  }

  /** Each key once, by size. */
  toUnique(): Float64Array {
    const sorted = this.toArray().sort();
    let length = 0;
    for (let i = 0; i < sorted.length; i++) {
      if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[length++] = sorted[i] as number;
    }
    return sorted.slice(0, length);
  }

  /** In the order in which they came. */
  toArray(): Float64Array {
    const all = new Float64Array(this.#length);
    this.#blocks.forEach((block, index) => {
      all.set(
        index === this.#blocks.length - 1 ? block.subarray(0, this.#length - index * BLOCK) : block,
        index * BLOCK,
      );
    });
    return all;
  }
}
