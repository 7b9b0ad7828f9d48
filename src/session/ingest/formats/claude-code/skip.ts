/**
 * Lines that need no parsing. A third of a transcript's lines report progress or file snapshots and carry nothing
 * that is measured; they are told by their top-level `type` alone.
 */
const SKIPPED: ReadonlySet<string> = new Set(['progress', 'file-history-snapshot']);

/** The type stands before the data in all versions; further on it is cheaper to parse. */
const LOOKED_AT = 2048;
const SESSION_KEY = Buffer.from('"sessionId":');
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

export function skipsClaudeCodeLine(line: Buffer): boolean {
  const type = topLevelType(line);
  return type !== undefined && SKIPPED.has(type) && isOneWholeRecord(line);
}

/**
 * A line may hold two records, or a torn one and a good one behind it. Good records name their session, and text
 * inside a record cannot look like that key, because its quotes are escaped.
 */
function isOneWholeRecord(line: Buffer): boolean {
  let end = line.length - 1;
  while (end >= 0 && (line[end] as number) <= 0x20) end -= 1;
  if (line[end] !== 0x7d) return false;
  const first = line.indexOf(SESSION_KEY);
  return first === -1 || line.indexOf(SESSION_KEY, first + 1) === -1;
}

/** The value of `"type"` in the outermost object, if it comes early and is plain. */
function topLevelType(line: Buffer): string | undefined {
  const end = Math.min(line.length, LOOKED_AT);
  let depth = 0;
  let at = 0;
  while (at < end) {
    const byte = line[at] as number;
    if (byte === QUOTE) {
      const close = closingQuote(line, at + 1, end);
      if (close === -1) return undefined;
      if (depth === 1 && isTypeKey(line, at, close)) return plainString(line, close + 1, end);
      at = close + 1;
    } else {
      if (byte === 0x7b || byte === 0x5b) depth += 1;
      else if (byte === 0x7d || byte === 0x5d) depth -= 1;
      if (depth <= 0 && at > 0) return undefined;
      at += 1;
    }
  }
  return undefined;
}

function closingQuote(line: Buffer, from: number, end: number): number {
  for (let at = from; at < end; at += 1) {
    if (line[at] === BACKSLASH) at += 1;
    else if (line[at] === QUOTE) return at;
  }
  return -1;
}

/** `"type"` followed by a colon: a value that reads `type` is no key. */
function isTypeKey(line: Buffer, open: number, close: number): boolean {
  return (
    close - open === 5 && line.toString('latin1', open + 1, close) === 'type' && line[close + 1] === 0x3a
  );
}

function plainString(line: Buffer, colon: number, end: number): string | undefined {
  if (line[colon + 1] !== QUOTE) return undefined;
  const close = closingQuote(line, colon + 2, end);
  return close === -1 ? undefined : line.toString('latin1', colon + 2, close);
}
