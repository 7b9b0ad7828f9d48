/** The bytes of `pack-json.ts` → what was packed. They may be damaged: then there is nothing. */
import type { Json } from '../store.ts';
import {
  DECIMAL_PARTS,
  MEDIUM,
  type PackingContext,
  SMALL,
  TAG,
  TEMPLATE,
  WORD,
  WORDS,
} from './packed-format.ts';
import { KNOWN, TEMPLATES } from './packed-words.ts';

/** Undefined: these are not bytes that `packJson` gave. */
export function unpackJson(packed: Uint8Array, context: PackingContext = { names: [] }): Json | undefined {
  try {
    const reader = new Reader(packed, context);
    const value = reader.value();
    return reader.isAtEnd ? value : undefined;
  } catch {
    return undefined;
  }
}

class Reader {
  readonly #bytes: Buffer;
  readonly #names: PackingContext['names'];
  readonly #written: string[] = [];
  #at = 0;
  #lastMoment: number;

  constructor(packed: Uint8Array, context: PackingContext) {
    this.#bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
    this.#names = context.names;
    this.#lastMoment = context.moment ?? 0;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  value(): Json {
    const tag = this.#byte();
    if (tag < SMALL) return tag;
    if (tag < TEMPLATE) return wordAt(tag - WORD);
    if (tag < TAG.null) return this.#usual(tag - TEMPLATE);
    if (tag >= MEDIUM) return SMALL + (tag - MEDIUM) * 256 + this.#byte();
    return this.#tagged(tag);
  }

  #tagged(tag: number): Json {
    switch (tag) {
      case TAG.null:
        return null;
      case TAG.true:
        return true;
      case TAG.false:
        return false;
      case TAG.array:
        return this.#list(() => this.value());
      case TAG.object:
        return this.#entries({});
      case TAG.rising: {
        let before = 0;
        return this.#list(() => (before += this.#varint()));
      }
      case TAG.hashes:
        return this.#list(() => this.#bytes.readUInt32LE(this.#skip(4)));
      default:
        return this.#number(tag) ?? this.#text(tag);
    }
  }

  #number(tag: number): number | undefined {
    switch (tag) {
      case TAG.whole:
        return this.#varint();
      case TAG.negative:
        return -this.#varint();
      case TAG.double:
        return this.#bytes.readDoubleLE(this.#skip(8));
      case TAG.decimal:
        return this.#varint() / DECIMAL_PARTS;
      case TAG.hash:
        return this.#bytes.readUInt32LE(this.#skip(4));
      case TAG.moment: {
        const distance = this.#varint();
        this.#lastMoment += distance % 2 === 1 ? -(distance + 1) / 2 : distance / 2;
        return this.#lastMoment;
      }
      default:
        return undefined;
    }
  }

  #text(tag: number): string {
    switch (tag) {
      case TAG.text:
        return this.#writtenOut();
      case TAG.again:
        return this.#writtenBefore(this.#varint());
      case TAG.word:
        return wordAt(WORDS + this.#byte());
      case TAG.context:
        return this.#name();
      case TAG.parts: {
        const name = this.#name();
        const before = this.#textValue();
        return before + name + this.#textValue();
      }
      case TAG.base64:
        return this.#coded('base64', this.#varint());
      case TAG.hex:
        return this.#coded('hex', this.#varint());
      case TAG.uuid:
        return withDashes(this.#coded('hex', 16));
      default:
        throw new RangeError('no such value');
    }
  }

  #writtenOut(): string {
    const text = this.#coded('utf8', this.#varint());
    this.#written.push(text);
    return text;
  }

  #writtenBefore(number: number): string {
    const text = this.#written[number];
    if (text === undefined) throw new RangeError('no such text');
    return text;
  }

  #coded(coding: 'utf8' | 'hex' | 'base64', length: number): string {
    const from = this.#skip(length);
    return this.#bytes.toString(coding, from, from + length);
  }

  #textValue(): string {
    const value = this.value();
    if (typeof value !== 'string') throw new RangeError('no text');
    return value;
  }

  #name(): string {
    const name = this.#names[this.#byte()];
    if (name === undefined) throw new RangeError('no such name');
    return name;
  }

  #list<T>(read: () => T): T[] {
    const length = this.#varint();
    if (length > this.#bytes.length) throw new RangeError('longer than what is there');
    const list: T[] = [];
    for (let i = 0; i < length; i += 1) list.push(read());
    return list;
  }

  #usual(number: number): Json {
    const { keys } = TEMPLATES[number] ?? {};
    if (keys === undefined) throw new RangeError('no such object');
    const bits = this.#skip((keys.length >> 3) + 1);
    const has = (i: number) => ((this.#bytes[bits + (i >> 3)] as number) >> (i & 7)) & 1;
    const value: Record<string, Json> = {};
    for (let i = 0; i < keys.length; i += 1) if (has(i)) value[keys[i] as string] = this.value();
    return has(keys.length) ? this.#entries(value) : value;
  }

  #entries(into: Record<string, Json>): Record<string, Json> {
    const count = this.#varint();
    for (let i = 0; i < count; i += 1) {
      const key = this.#textValue();
      // A key like __proto__ is a key like any other.
      if (key === '__proto__')
        Object.defineProperty(into, key, {
          value: this.value(),
          enumerable: true,
          configurable: true,
          writable: true,
        });
      else into[key] = this.value();
    }
    return into;
  }

  #byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new RangeError('cut off');
    this.#at += 1;
    return byte;
  }

  #varint(): number {
    let [value, scale] = [0, 1];
    for (;;) {
      const byte = this.#byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
      if (scale > 2 ** 56) throw new RangeError('no number');
    }
  }

  /** Where what is skipped begins. */
  #skip(length: number): number {
    const from = this.#at;
    if (from + length > this.#bytes.length) throw new RangeError('cut off');
    this.#at = from + length;
    return from;
  }
}

function withDashes(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

function wordAt(number: number): string {
  const word = KNOWN[number];
  if (word === undefined) throw new RangeError('no such word');
  return word;
}
