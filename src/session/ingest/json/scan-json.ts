/**
 * Where a JSON object ends, found without building it: a state machine over bytes with a stack of brackets instead of
 * recursion. It checks the order of tokens, so that it fails close to the damage, and leaves the rest to JSON.parse.
 */

/**
 * `complete`: it ends before `end`. `broken`: the byte at `end` is invalid there. `open`: valid so far, but the bytes
 * end. `child`: the start of an inner object that ends exactly there; it may be a record after a torn one.
 */
export type Scan = {
  readonly kind: 'complete' | 'broken' | 'open';
  readonly end: number;
  readonly child: number | undefined;
};

const VALUE = 0; // a value must come
const FIRST_VALUE = 1; // a value or ]
const KEY = 2; // a key must come
const FIRST_KEY = 3; // a key or }
const COLON = 4;
const AFTER = 5; // a comma or the end of the object or array

const OBJECT = 1;
const ARRAY = 0;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON_BYTE = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** `bytes[start]` is the opening brace. */
export function scanObject(bytes: Buffer, start: number): Scan {
  const kinds: number[] = [];
  const starts: number[] = [];
  let child: number | undefined;
  let expect = VALUE;
  let at = start;
  while (at < bytes.length) {
    const byte = bytes[at] as number;
    if (byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a) {
      at += 1;
      continue;
    }
    if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (!mayClose(byte, kinds.pop(), expect)) return { kind: 'broken', end: at, child };
      const opened = starts.pop();
      child = byte === CLOSE_BRACE ? opened : undefined;
      at += 1;
      expect = AFTER;
      if (kinds.length === 0) return { kind: 'complete', end: at, child: undefined };
      continue;
    }
    const next = step(bytes, byte, at, expect, kinds, starts);
    if (next === undefined) return { kind: 'broken', end: at, child };
    child = undefined;
    [at, expect] = next;
  }
  return { kind: 'open', end: bytes.length, child };
}

/** Advances over a string, a literal, a separator or an opening bracket; undefined when it is invalid here. */
function step(
  bytes: Buffer,
  byte: number,
  at: number,
  expect: number,
  kinds: number[],
  starts: number[],
): [at: number, expect: number] | undefined {
  if (byte === QUOTE) {
    if (expect > FIRST_KEY) return undefined;
    return [stringEnd(bytes, at + 1), expect < KEY ? AFTER : COLON];
  }
  if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
    if (expect > FIRST_VALUE) return undefined;
    kinds.push(byte === OPEN_BRACE ? OBJECT : ARRAY);
    starts.push(at);
    return [at + 1, byte === OPEN_BRACE ? FIRST_KEY : FIRST_VALUE];
  }
  if (byte === COMMA || byte === COLON_BYTE) {
    if (expect !== (byte === COMMA ? AFTER : COLON)) return undefined;
    return [at + 1, byte === COMMA && kinds.at(-1) === OBJECT ? KEY : VALUE];
  }
  const end = expect < KEY ? literalEnd(bytes, at) : at;
  return end === at ? undefined : [end, AFTER];
}

function mayClose(byte: number, kind: number | undefined, expect: number): boolean {
  if (byte === CLOSE_BRACE) return kind === OBJECT && (expect === AFTER || expect === FIRST_KEY);
  return kind === ARRAY && (expect === AFTER || expect === FIRST_VALUE);
}

/** Behind the closing quote, or the end of the bytes. */
export function stringEnd(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    at += byte === BACKSLASH ? 2 : 1;
  }
  return bytes.length;
}

/** Behind a number, true, false or null; the same place when it is none. */
function literalEnd(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && isLiteralByte(bytes[at] as number)) at += 1;
  return at;
}

function isLiteralByte(byte: number): boolean {
  const isDigit = byte >= 0x30 && byte <= 0x39;
  const isLetter = byte >= 0x61 && byte <= 0x7a;
  return isDigit || isLetter || byte === 0x2d || byte === 0x2b || byte === 0x2e || byte === 0x45;
}

/** Objects, arrays and what they hold; a hundred megabytes at most when parsed. No transcript comes near. */
export const MAX_PARTS = 1_000_000;

/** A line of `{},` becomes forty times its size when it is parsed. None where the bytes are too few for so many parts. */
export function hasTooManyParts(bytes: Buffer, most = MAX_PARTS): boolean {
  if (bytes.length <= most) return false;
  let parts = 0;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) {
      at = stringEnd(bytes, at + 1);
      continue;
    }
    if (byte === COMMA || byte === OPEN_BRACE || byte === OPEN_BRACKET) parts += 1;
    if (parts > most) return true;
    at += 1;
  }
  return false;
}

/** What is nested deeper than that cannot be written again: `JSON.stringify` runs out of stack. */
export function isNestedDeeper(bytes: Buffer, most: number): boolean {
  let depth = 0;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) {
      at = stringEnd(bytes, at + 1);
      continue;
    }
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth -= 1;
    if (depth > most) return true;
    at += 1;
  }
  return false;
}
