/**
 * Short hashes that the fold stores instead of text. 53 bits, so that they are exact JSON numbers. They distinguish
 * calls and messages within one session and do not resist deliberate collisions.
 */

/** Longer texts are hashed by their length and three parts: beginning, middle, end. */
const HEAD = 512;
const PART = 256;
const MAX_NODES = 200;
const MAX_DEPTH = 6;

export function hashText(text: string, seed = 0): number {
  const hash = new Hash(seed);
  hash.text(text);
  return hash.value();
}

/** Hash of any JSON value, in key order. Huge and deep values are hashed only in part. */
export function hashValue(value: unknown, seed = 0): number {
  const hash = new Hash(seed);
  hash.node(value, 0);
  return hash.value();
}

class Hash {
  private high: number;
  private low: number;
  private nodes = 0;
  constructor(seed: number) {
    this.high = 0x2545f491 ^ seed;
    this.low = 0x1b873593 ^ seed;
  }
  add(code: number): void {
    this.high = Math.imul(this.high ^ code, 0x9e3779b1);
    this.low = Math.imul(this.low ^ code, 0x5bd1e995);
    this.high ^= this.high >>> 15;
    this.low ^= this.low >>> 13;
  }
  text(text: string): void {
    const { length } = text;
    this.add(length);
    if (length <= HEAD + 2 * PART) {
      this.range(text, 0, length);
      return;
    }
    const middle = (length - PART) >> 1;
    this.range(text, 0, HEAD);
    this.range(text, middle, middle + PART);
    this.range(text, length - PART, length);
  }
  node(part: unknown, depth: number): void {
    this.nodes += 1;
    if (this.nodes > MAX_NODES) return;
    if (typeof part === 'string') this.text(part);
    else if (typeof part !== 'object' || part === null) this.text(String(part));
    else if (depth >= MAX_DEPTH) this.add(7);
    else if (Array.isArray(part)) {
      this.add(part.length + 11);
      for (let i = 0; i < part.length && i < MAX_NODES; i += 1) this.node(part[i], depth + 1);
    } else {
      this.add(13);
      for (const key in part) {
        if (this.nodes > MAX_NODES) break;
        this.text(key);
        this.node((part as Record<string, unknown>)[key], depth + 1);
      }
    }
  }
  value(): number {
    return (this.high >>> 11) * 0x1_0000_0000 + (this.low >>> 0);
  }
  private range(text: string, from: number, to: number): void {
    let { high, low } = this;
    for (let i = from; i < to; i += 1) {
      const code = text.charCodeAt(i);
      high = Math.imul(high ^ code, 0x9e3779b1);
      low = Math.imul(low ^ code, 0x5bd1e995);
      high ^= high >>> 15;
      low ^= low >>> 13;
    }
    this.high = high;
    this.low = low;
  }
}
