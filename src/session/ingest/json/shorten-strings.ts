/**
 * A very long line is mostly one very long string: a picture, a log, a file. Of strings beyond any length that is
 * looked at only the beginning and the end are parsed, so that one line does not take many times its size in memory.
 */
import { stringEnd } from './scan-json.ts';

/** Lines shorter than this are parsed as they are. */
const LONG_LINE_BYTES = 1024 * 1024;
const LONG_STRING_BYTES = 256 * 1024;
const KEPT_BYTES = 64 * 1024;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

/** The bytes themselves, shortened in place where a string is too long. */
export function shortenStrings(bytes: Buffer): Buffer {
  if (bytes.length < LONG_LINE_BYTES) return bytes;
  let length = 0;
  let from = 0;
  for (let open = bytes.indexOf(QUOTE); open >= 0; ) {
    const end = stringEnd(bytes, open + 1);
    if (end - open > LONG_STRING_BYTES) {
      const cut = nextCharacter(bytes, open + 1, open + KEPT_BYTES);
      const rest = nextCharacter(bytes, cut, end - KEPT_BYTES);
      length = move(bytes, from, cut, length);
      from = rest;
    }
    open = bytes.indexOf(QUOTE, end);
  }
  return from === 0 ? bytes : bytes.subarray(0, move(bytes, from, bytes.length, length));
}

function move(bytes: Buffer, from: number, to: number, target: number): number {
  bytes.copyWithin(target, from, to);
  return target + to - from;
}

/**
 * The first character at `near` or behind it, going on from one at `from`: an escape must not be torn. (A character of
 * several bytes may be; it is then read as a replacement character.)
 */
function nextCharacter(bytes: Buffer, from: number, near: number): number {
  let at = from;
  while (at < near) {
    if (bytes[at] !== BACKSLASH) at += 1;
    else at += bytes[at + 1] === LETTER_U ? 6 : 2;
  }
  return at;
}
