/**
 * JSON as few bytes, for facts of sessions: usual objects and words by their number (packed-words.ts), small numbers in
 * one byte, times as the distance from the one before, hashes as bytes, and names that the row has anyway by their place
 * in `context`. What is not usual costs more room and is kept all the same. Several times faster than compressing text,
 * and smaller, because hashes do not compress. The first byte of a value says what it is.
 */
import type { Json } from '../store.ts';
import { KNOWN, TEMPLATES } from './packed-words.ts';

/** Whole numbers below take one byte, and those of the next eight blocks of 256 two. */
const SMALL = 0x80;
/** The first words of `KNOWN` from here on. */
const [WORD, WORDS] = [0x80, 64];
/** Templates from here on. */
const TEMPLATE = 0xc0;
const TAGS = [
  'null',
  'true',
  'false',
  'whole',
  'negative',
  'double',
  'decimal',
  'moment',
  'hash',
  'text',
  'word',
  'context',
  'parts',
  'base64',
  'uuid',
  'hex',
  'array',
  'rising',
  'hashes',
  'object',
  'again',
] as const;
const TAG = Object.fromEntries(TAGS.map((name, i) => [name, 0xe0 + i])) as Record<
  (typeof TAGS)[number],
  number
>;
const MEDIUM = 0xf8;
const MEDIUM_END = SMALL + 8 * 256;

/** What the row has beside what is packed; the same is given to unpack it. */
export type PackingContext = {
  /** Each may be part of other texts. */
  readonly names: readonly (string | undefined)[];
  /** Milliseconds since 1970 that moments are likely to be near. */
  readonly moment?: number | undefined;
};

const WORD_NUMBERS = new Map(KNOWN.map((word, i) => [word, i]));
const MARKS = new Map(TEMPLATES.flatMap(({ mark }, i) => mark.map((key) => [key, i] as const)));
const TEMPLATE_KEYS = TEMPLATES.map(({ keys }) => new Set(keys));

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const HEX = /^[0-9a-f]+$/;
const BASE64 = /^[A-Za-z0-9+/]+$/;
/** Shorter texts are not worth looking at. */
const SHORTEST_CODED = 12;
/** Moments of this century, as milliseconds. */
const [FIRST_MOMENT, LAST_MOMENT] = [9e11, 5e12];
const [FIRST_HASH, LAST_HASH] = [2 ** 21, 2 ** 32];
/** Shorter names are not looked for in other texts. */
const SHORTEST_PART = 6;

/** Packs one value at a time, so one scratch is enough. */
let scratch = Buffer.alloc(1 << 16);
let end = 0;
let lastMoment = 0;
let names: PackingContext['names'] = [];
/** Texts that were written out → which of them. */
const written = new Map<string, number>();

export function packJson(value: Json, context: PackingContext = { names: [] }): Uint8Array {
  [end, lastMoment, names] = [0, context.moment ?? 0, context.names];
  written.clear();
  writeValue(value);
  return Buffer.from(scratch.subarray(0, end));
}

function room(bytes: number): void {
  if (end + bytes <= scratch.length) return;
  const larger = Buffer.alloc(Math.max(scratch.length * 2, end + bytes));
  scratch.copy(larger, 0, 0, end);
  scratch = larger;
}

function writeByte(byte: number): void {
  room(1);
  scratch[end] = byte;
  end += 1;
}

/** Seven bits at a time, the lowest first. */
function writeVarint(value: number): void {
  room(8);
  let rest = value;
  while (rest >= 0x80) {
    scratch[end++] = (rest % 0x80) | 0x80;
    rest = Math.floor(rest / 0x80);
  }
  scratch[end++] = rest;
}

function writeValue(value: Json): void {
  if (typeof value === 'number') writeNumber(value);
  else if (typeof value === 'string') writeText(value);
  else if (typeof value === 'boolean') writeByte(value ? TAG.true : TAG.false);
  else if (value === null) writeByte(TAG.null);
  else if (Array.isArray(value)) writeArray(value);
  else writeObject(value as Readonly<Record<string, Json>>);
}

function writeNumber(value: number): void {
  if (!Number.isSafeInteger(value)) writeFraction(value);
  else if (value < 0) {
    writeByte(TAG.negative);
    writeVarint(-value);
  } else if (value < SMALL) writeByte(value);
  else if (value < MEDIUM_END) {
    writeByte(MEDIUM + ((value - SMALL) >> 8));
    writeByte((value - SMALL) & 0xff);
  } else if (value >= FIRST_MOMENT && value < LAST_MOMENT) {
    writeByte(TAG.moment);
    const distance = value - lastMoment;
    writeVarint(distance < 0 ? -distance * 2 - 1 : distance * 2);
    lastMoment = value;
  } else if (value >= FIRST_HASH && value < LAST_HASH) {
    writeByte(TAG.hash);
    room(4);
    end = scratch.writeUInt32LE(value, end);
  } else {
    writeByte(TAG.whole);
    writeVarint(value);
  }
}

const DECIMALS = 6;
const DECIMAL_PARTS = 10 ** DECIMALS;

/** Amounts of money and shares that people write down have few digits. */
function writeFraction(value: number): void {
  const parts = Math.round(value * DECIMAL_PARTS);
  if (parts >= 0 && parts < 2 ** 40 && parts / DECIMAL_PARTS === value) {
    writeByte(TAG.decimal);
    writeVarint(parts);
    return;
  }
  writeByte(TAG.double);
  room(8);
  end = scratch.writeDoubleLE(value, end);
}

function writeText(text: string): void {
  const word = WORD_NUMBERS.get(text);
  const place = word === undefined ? names.indexOf(text) : -1;
  if (word !== undefined) writeWord(word);
  else if (place !== -1) {
    writeByte(TAG.context);
    writeByte(place);
  } else if (text.length === 36 && UUID.test(text)) {
    writeByte(TAG.uuid);
    room(16);
    end += scratch.write(text.replaceAll('-', ''), end, 'hex');
  } else if (isCoded(text, 2, HEX)) writeCoded(TAG.hex, text, 'hex', text.length / 2);
  else if (isCoded(text, 4, BASE64)) writeCoded(TAG.base64, text, 'base64', (text.length / 4) * 3);
  else if (!writeParts(text)) writeOut(text);
}

/** The second time by its number: keys of unusual objects come again and again. */
function writeOut(text: string): void {
  const before = written.get(text);
  if (before !== undefined) {
    writeByte(TAG.again);
    writeVarint(before);
    return;
  }
  written.set(text, written.size);
  writeByte(TAG.text);
  writeUtf8(text);
}

function writeWord(word: number): void {
  if (word >= WORDS) writeByte(TAG.word);
  writeByte(word < WORDS ? WORD + word : word - WORDS);
}

function writeUtf8(text: string): void {
  const bytes = Buffer.byteLength(text);
  writeVarint(bytes);
  room(bytes);
  end += scratch.write(text, end, 'utf8');
}

function writeCoded(tag: number, text: string, coding: 'hex' | 'base64', bytes: number): void {
  writeByte(tag);
  writeVarint(bytes);
  room(bytes);
  end += scratch.write(text, end, coding);
}

/** Whole groups of letters without filling, which decoding gives back as they were. */
function isCoded(text: string, group: number, letters: RegExp): boolean {
  return text.length >= SHORTEST_CODED && text.length % group === 0 && letters.test(text);
}

/** A text with a name of the row in it: what is before that, the name, and what is after it. */
function writeParts(text: string): boolean {
  if (text.length <= SHORTEST_PART) return false;
  for (let i = 0; i < names.length; i += 1) {
    const name = names[i];
    if (name === undefined || name.length < SHORTEST_PART) continue;
    const at = text.indexOf(name);
    if (at === -1) continue;
    writeByte(TAG.parts);
    writeByte(i);
    writeText(text.slice(0, at));
    writeText(text.slice(at + name.length));
    return true;
  }
  return false;
}

function writeArray(list: readonly Json[]): void {
  const kind = kindOf(list);
  writeByte(kind);
  writeVarint(list.length);
  if (kind === TAG.array) for (const value of list) writeValue(value);
  else if (kind === TAG.hashes) {
    room(4 * list.length);
    for (const value of list) end = scratch.writeUInt32LE(value as number, end);
  } else {
    let before = 0;
    for (const value of list) {
      writeVarint((value as number) - before);
      before = value as number;
    }
  }
}

/** Lines rise, and hashes are large. */
function kindOf(list: readonly Json[]): number {
  let [rising, hashes, before] = [list.length > 0, list.length > 0, 0];
  for (const value of list) {
    if (!Number.isSafeInteger(value)) return TAG.array;
    const number = value as number;
    rising &&= number >= before;
    hashes &&= number >= FIRST_HASH && number < LAST_HASH;
    before = number;
  }
  return hashes ? TAG.hashes : rising ? TAG.rising : TAG.array;
}

function writeObject(value: Readonly<Record<string, Json>>): void {
  const keys = Object.keys(value);
  const template = templateOf(keys);
  if (template === undefined) {
    writeByte(TAG.object);
    writeEntries(value, keys);
    return;
  }
  const usual = TEMPLATES[template]?.keys ?? [];
  writeByte(TEMPLATE + template);
  // One bit for each usual key that is there, and the last one says that there are others.
  const bits = end;
  const width = (usual.length >> 3) + 1;
  room(width);
  scratch.fill(0, bits, bits + width);
  end += width;
  let found = 0;
  for (let i = 0; i < usual.length; i += 1) {
    const own = value[usual[i] as string];
    if (own === undefined) continue;
    setBit(bits, i);
    writeValue(own);
    found += 1;
  }
  if (found === keys.length) return;
  setBit(bits, usual.length);
  writeEntries(
    value,
    keys.filter((key) => !TEMPLATE_KEYS[template]?.has(key)),
  );
}

function setBit(bits: number, i: number): void {
  const at = bits + (i >> 3);
  scratch[at] = (scratch[at] as number) | (1 << (i & 7));
}

function templateOf(keys: readonly string[]): number | undefined {
  for (const key of keys) {
    const found = MARKS.get(key);
    if (found !== undefined) return found;
  }
  return undefined;
}

function writeEntries(value: Readonly<Record<string, Json>>, keys: readonly string[]): void {
  writeVarint(keys.length);
  for (const key of keys) {
    writeText(key);
    writeValue(value[key] as Json);
  }
}

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
