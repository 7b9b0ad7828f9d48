/** What a terminal reads as colours, titles and movements. In JSON an escape character is always written out. */
const ESCAPE = 0x1b;
const BELL = 0x07;

/** The same object when there is none. */
export function withoutTerminalCodes(bytes: Buffer): Buffer {
  let code = bytes.indexOf(ESCAPE);
  if (code < 0) return bytes;
  const parts: Buffer[] = [];
  let from = 0;
  for (; code >= 0; code = bytes.indexOf(ESCAPE, from)) {
    parts.push(bytes.subarray(from, code));
    from = endOfCode(bytes, code + 1);
  }
  parts.push(bytes.subarray(from));
  return Buffer.concat(parts);
}

/** `ESC [ 3 2 m`, `ESC ] 0 ; title BEL`, or two characters. */
function endOfCode(bytes: Buffer, at: number): number {
  if (bytes[at] === 0x5b) return afterFirst(bytes, at + 1, (byte) => byte >= 0x40 && byte <= 0x7e);
  if (bytes[at] === 0x5d) return afterFirst(bytes, at + 1, (byte) => byte === BELL || byte === 0x5c);
  return Math.min(at + 1, bytes.length);
}

function afterFirst(bytes: Buffer, from: number, isLast: (byte: number) => boolean): number {
  for (let at = from; at < bytes.length; at++) if (isLast(bytes[at] as number)) return at + 1;
  return bytes.length;
}
