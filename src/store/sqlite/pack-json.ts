/** Facts of sessions → as few bytes as `packed-format.ts` describes. */
import type { Json } from '../store.ts';
import {
  DECIMAL_PARTS,
  MEDIUM,
  MEDIUM_END,
  type PackingContext,
  SMALL,
  TAG,
  TEMPLATE,
  WORD,
  WORDS,
} from './packed-format.ts';
import { KNOWN, TEMPLATES } from './packed-words.ts';

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
