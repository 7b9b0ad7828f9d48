/** A line of `{},` becomes forty times its size when it is parsed: what consists of too many parts is not. */
import { stringEnd } from './scan-json.ts';

/** Objects, arrays and what they hold; a hundred megabytes at most when parsed. No transcript comes near. */
export const MAX_PARTS = 1_000_000;

const [QUOTE, COMMA, OPEN_BRACKET, OPEN_BRACE] = [0x22, 0x2c, 0x5b, 0x7b];

/** One step for each byte; none where the bytes are too few for so many parts. */
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
