import { stringEnd } from './scan-json.ts';

const [QUOTE, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x22, 0x5b, 0x5d, 0x7b, 0x7d];
/** Lists of the document itself, or of an object that it is. */
const MAX_DEPTH = 2;

/** A document whose end is missing, closed behind the last object in one of its lists. Undefined: it has none. */
export function closedDocument(bytes: Buffer): Buffer | undefined {
  const open: number[] = [];
  let end = 0;
  let closing: number[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) at = stringEnd(bytes, at + 1) - 1;
    else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) open.push(byte + 2);
    else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) {
      if (open.pop() !== byte) break;
      if (byte !== CLOSE_BRACE || open.length > MAX_DEPTH || open.at(-1) !== CLOSE_BRACKET) continue;
      end = at + 1;
      closing = open.toReversed();
    }
  }
  return end === 0 ? undefined : Buffer.concat([bytes.subarray(0, end), Buffer.from(closing)]);
}
