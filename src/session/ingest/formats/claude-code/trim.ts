/**
 * Parts of a Claude Code transcript that need not be parsed.
 *
 *  In addition to the text that the model saw, Claude Code writes the result of a tool as data (`toolUseResult`), with
 * whole files in it: two fifths of all bytes. Of tools that read and search files none of it is used, of a write only
 * where and how the file changed, of a command only how it ended; such lines are parsed without the rest.
 *
 *  Text inside a record cannot be mistaken for one of these keys, because its quotes are escaped. Search strings start
 * with a byte that is rare in text, which makes the search fast.
 */
import { stringEnd } from '../../json/scan-json.ts';

const TYPE = Buffer.from('"type":"');
const SKIPPED = ['progress"', 'file-history-snapshot"'].map((type) => Buffer.from(type));
const RESULT = Buffer.from('UseResult":{"');
const RESULT_START = Buffer.from(',"tool');
const SESSION = Buffer.from('Id":');
const SESSION_START = Buffer.from('"session');
/** First keys of results of which nothing is needed: Read, a new file of Write, Grep, Glob. */
const FILE_RESULTS = ['type":"text","file":{', 'type":"create","filePath":"', 'mode":"', 'filenames":['].map(
  (key) => Buffer.from(key),
);
/** First keys of results that describe a change of a file: Write, Edit. */
const CHANGE_RESULTS = ['type":"update","filePath":"', 'filePath":"'].map((key) => Buffer.from(key));
const PATCH = Buffer.from(',"structuredPatch":[{');
const ORIGINAL = Buffer.from(',"originalFile":');
const COMMAND_RESULT = Buffer.from('stdout":"');
const INTERRUPTED = Buffer.from(',"interrupted":');
/** The only key that follows a result. */
const NEXT_KEY = Buffer.from('},"sourceToolAssistantUUID":"');

/** Shorter results are parsed as quickly as they are cut out. */
const WORTH_BYTES = 512;
/** The rest of the line after the result, and how a command ended, are within this many bytes of the end. */
const END_BYTES = 512;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Progress and snapshots, a third of all lines, carry nothing that is measured. The first type of such a line is the
 * record's own when no other object starts before it.
 */
export function skipsAtOnce(line: Buffer): boolean {
  const at = line.indexOf(TYPE) + TYPE.length;
  if (line[at] !== 0x70 && line[at] !== 0x66) return false;
  if (!SKIPPED.some((type) => startsAt(line, type, at))) return false;
  const nested = line.indexOf(OPEN_BRACE, 1);
  const isOwn = nested < 0 || nested > at;
  return (
    isOwn && line[0] === OPEN_BRACE && line[endOfRecord(line) - 1] === CLOSE_BRACE && !namesSession(line, at)
  );
}

export function trimClaudeCodeLine(line: Buffer): Buffer | undefined {
  if (line.length < 2 * WORTH_BYTES || line[line.indexOf(TYPE) + TYPE.length] !== 0x75) return undefined;
  const at = line.indexOf(RESULT);
  if (at < 0 || !startsAt(line, RESULT_START, at - RESULT_START.length)) return undefined;
  const start = at + RESULT.length;
  const end = endOfRecord(line);
  const next = nextKey(line, end);
  if (next === undefined || next - start < WORTH_BYTES) return undefined;
  if (namesSession(line, at)) return undefined;
  const change = CHANGE_RESULTS.find((key) => startsAt(line, key, start));
  if (change !== undefined) return withChange(line, start, start + change.length, next, end);
  const from = keptFrom(line, start, next);
  return from === undefined ? undefined : joined(line, [0, start - 1], [from, end]);
}

/** Of a file that was changed its path and the lines that changed. */
function withChange(line: Buffer, start: number, path: number, next: number, end: number): Buffer {
  const patch = line.lastIndexOf(PATCH, next);
  if (patch < start) return joined(line, [0, start - 1], [next, end]);
  const original = line.indexOf(ORIGINAL, patch);
  const patchEnd = original < 0 || original > next ? next : original;
  return joined(line, [0, stringEnd(line, path)], [patch, patchEnd], [next, end]);
}

/**
 * Whether a session is named from here on, although a record has named its own before: then the line has a second
 * record, whole or torn, and nothing may be skipped.
 */
function namesSession(line: Buffer, from: number): boolean {
  for (let at = line.indexOf(SESSION, from); at >= 0; at = line.indexOf(SESSION, at + 1)) {
    if (startsAt(line, SESSION_START, at - SESSION_START.length)) return true;
  }
  return false;
}

/** Where the used part of the result begins: its closing brace, or how the command ended. */
function keptFrom(line: Buffer, start: number, next: number): number | undefined {
  if (FILE_RESULTS.some((key) => startsAt(line, key, start))) return next;
  if (!startsAt(line, COMMAND_RESULT, start)) return undefined;
  const kept = line.lastIndexOf(INTERRUPTED, next);
  return kept > start && next - kept < END_BYTES ? kept + 1 : undefined;
}

/** Behind the closing brace of the record. */
function endOfRecord(line: Buffer): number {
  let end = line.length;
  while (end > 0 && (line[end - 1] as number) <= 0x20) end -= 1;
  return end;
}

/** The closing brace of the result: before the keys that follow, or before the end of the record. */
function nextKey(line: Buffer, end: number): number | undefined {
  if (line[end - 1] !== CLOSE_BRACE) return undefined;
  if (line[end - 2] === CLOSE_BRACE) return end - 2;
  const at = line.lastIndexOf(NEXT_KEY, end);
  return at > 0 && end - at < END_BYTES ? at : undefined;
}

function startsAt(line: Buffer, key: Buffer, at: number): boolean {
  if (at < 0 || at + key.length > line.length) return false;
  // Most differ in the first byte: cheaper to see here than by a call.
  for (let i = 0; i < key.length; i += 1) if (line[at + i] !== key[i]) return false;
  return true;
}

let buffer = Buffer.allocUnsafeSlow(64 * 1024);

function joined(line: Buffer, ...parts: readonly (readonly [from: number, to: number])[]): Buffer {
  if (line.length > buffer.length) buffer = Buffer.allocUnsafeSlow(2 * line.length);
  let length = 0;
  for (const [from, to] of parts) length += line.copy(buffer, length, from, to);
  return buffer.subarray(0, length);
}
