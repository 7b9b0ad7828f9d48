/** Whether a file has lines or is one JSON document, by its beginning. */
import { isBlank } from './recover.ts';

/** `long line`: no newline yet; only the rest of the file can decide. */
export type LinesOrDocument = 'lines' | 'document' | 'long line';

const LOOKED_AT_LINES = 20;

export function linesOrDocument(head: Buffer, isWhole: boolean): LinesOrDocument {
  const start = firstByte(head);
  if (head[start] !== 0x7b && head[start] !== 0x5b) return 'lines';
  const end = head.indexOf(10, start);
  // One line that is not JSON may be a truncated document.
  if (end < 0) return isWhole ? 'document' : 'long line';
  if (isJson(head.subarray(start, end))) return documentIf(isWhole && isBlank(head, end, head.length));
  return documentIf(!mostLinesAreRecords(head, end + 1));
}

function documentIf(condition: boolean): LinesOrDocument {
  return condition ? 'document' : 'lines';
}

function firstByte(head: Buffer): number {
  let at = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  while (at < head.length && isBlank(head, at, at + 1)) at += 1;
  return at;
}

/** A damaged first line does not make a document: in one, hardly a line is an object by itself. */
function mostLinesAreRecords(head: Buffer, from: number): boolean {
  let lines = 0;
  let records = 0;
  let start = from;
  for (
    let end = head.indexOf(10, start);
    end >= 0 && lines < LOOKED_AT_LINES;
    end = head.indexOf(10, start)
  ) {
    if (!isBlank(head, start, end)) {
      lines += 1;
      if (head[start] === 0x7b && isJson(head.subarray(start, end))) records += 1;
    }
    start = end + 1;
  }
  return records > 0 && 2 * records >= lines;
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}
