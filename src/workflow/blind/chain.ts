/**
 * The hash chain of a blind evaluation: one JSON object per line, each with the hash of the one before. An altered,
 * removed or inserted entry no longer fits its neighbours; the head (stored separately) reveals a cut tail.
 */
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { z } from 'zod';
import { AssayError } from '../../errors.ts';
import { lockHolder, tryLock } from '../../locked-file.ts';

const HASH = z.string().regex(/^[0-9a-f]{64}$/);

const ENTRY = z.strictObject({
  seq: z.number().int().min(1),
  at: z.string().max(40),
  who: z.string().min(1).max(200),
  step: z.string().max(40),
  payload: z.string(),
  prev: HASH,
  hash: HASH,
});

/** `payload` is the compressed content of the step, so that nobody reads another's answers by accident. */
export type ChainEntry = Readonly<z.infer<typeof ENTRY>>;

export type EntryDraft = Pick<ChainEntry, 'at' | 'who' | 'step' | 'payload'>;

/** How far the chain had come when it was last written: what a cut tail is compared with. */
export type Head = { readonly count: number; readonly hash: string };

export const NOTHING: Head = { count: 0, hash: '0'.repeat(64) };

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function nextEntry(head: Head, { at, who, step, payload }: EntryDraft): ChainEntry {
  const content = { seq: head.count + 1, at, who, step, payload, prev: head.hash };
  return { ...content, hash: sha256(JSON.stringify(content)) };
}

export function headOf(entries: readonly ChainEntry[]): Head {
  const last = entries.at(-1);
  return last === undefined ? NOTHING : { count: entries.length, hash: last.hash };
}

/** The entries up to the first fault, and what that fault is. */
export type ChainReading = {
  readonly entries: readonly ChainEntry[];
  readonly fault?: string;
  /** Bytes of an unfinished last line, which was never acknowledged. */
  readonly torn: number;
  /** Where the last entry ends in the text: before its line break. */
  readonly end: number;
};

/**
 * An editor, or git, may put a byte order mark before the chain, end its lines with CRLF, and add or drop line ends
 * after the last entry. None of these is an edit of an entry.
 */
export function readChain(text: string, head: Head): ChainReading {
  const entries: ChainEntry[] = [];
  let end = text.startsWith(BOM) ? 1 : 0;
  const faulty = (fault: string): ChainReading => ({ entries, fault, torn: 0, end });
  const content = text.trimEnd().length;
  for (let at = end, number = 1; at < content; number += 1) {
    const lineEnd = text.indexOf('\n', at);
    const line = text.slice(at, lineEnd === -1 ? undefined : lineEnd).replace(/\r$/, '');
    const entry = parseEntry(line);
    const before = headOf(entries);
    if (entry === undefined && lineEnd === -1 && isBeginning(line, before)) {
      return { ...endOf(entries, head), torn: Buffer.byteLength(text.slice(at)), end };
    }
    if (entry === undefined) {
      return faulty(`line ${number}: entry ${number} was altered: it is not an entry as it was written`);
    }
    const fault = faultOf(entry, before, number);
    if (fault !== undefined) return faulty(fault);
    entries.push(entry);
    end = at + line.length;
    if (lineEnd === -1) break;
    at = lineEnd + 1;
  }
  return { ...endOf(entries, head), torn: 0, end };
}

const BOM = '\uFEFF';

function endOf(entries: readonly ChainEntry[], head: Head): Pick<ChainReading, 'entries' | 'fault'> {
  const fault = headFault(entries, head);
  return { entries, fault };
}

/** Only the beginning of the next entry is an interrupted write; anything else was added by hand. */
function isBeginning(tail: string, before: Head): boolean {
  const start = `{"seq":${before.count + 1},`;
  return tail.startsWith(start) ? !isJson(tail) : start.startsWith(tail);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Only the exact text that was written counts: another spelling of the same content is an edit too. */
function parseEntry(line: string): ChainEntry | undefined {
  try {
    const { success, data } = ENTRY.safeParse(JSON.parse(line));
    return success && JSON.stringify(data) === line ? data : undefined;
  } catch {
    return undefined;
  }
}

function faultOf(entry: ChainEntry, before: Head, line: number): string | undefined {
  const { hash, ...content } = entry;
  if (sha256(JSON.stringify(content)) !== hash) {
    return `line ${line}: entry ${entry.seq} (${entry.step} of ${entry.who}) was altered`;
  }
  const expected = before.count + 1;
  if (entry.seq > expected) {
    const missing =
      entry.seq - 1 === expected ? `entry ${expected}` : `entries ${expected} to ${entry.seq - 1}`;
    return `line ${line}: ${missing} removed; entry ${entry.seq} follows entry ${before.count}`;
  }
  if (entry.seq < expected) {
    return `line ${line}: an entry numbered ${entry.seq} was inserted after entry ${before.count}`;
  }
  if (entry.prev !== before.hash) {
    return before.count === 0
      ? `line ${line}: entry 1 is not the start of a chain`
      : `line ${line}: entry ${entry.seq} does not follow entry ${before.count}: one of the two was altered or inserted`;
  }
  return undefined;
}

function headFault(entries: readonly ChainEntry[], head: Head): string | undefined {
  if (entries.length < head.count) {
    const missing = head.count - entries.length;
    return `the last ${missing === 1 ? 'entry is' : `${missing} entries are`} missing: the chain ends at entry ${entries.length}, its head says ${head.count}`;
  }
  const last = entries[head.count - 1];
  if (head.count > 0 && last?.hash !== head.hash) {
    return `entry ${head.count} is not the one the head of the chain names: it was altered or replaced`;
  }
  return undefined;
}

const STEP_MS = 15;

/**
 * Runs `work` while this process holds the lock file. Waits for other processes, with a limit; takes over the lock of a
 * dead process of this machine.
 */
export function withLock<Result>(path: string, work: () => Result, waitMs = 2000): Result {
  const until = performance.now() + waitMs;
  while (!tryLock(path)) {
    if (performance.now() >= until) throw busy(path);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STEP_MS);
  }
  try {
    return work();
  } finally {
    rmSync(path, { force: true });
  }
}

function busy(path: string): AssayError {
  const who = lockHolder(path);
  return new AssayError(
    'BLIND_BUSY',
    `${path} is held by another process${who === undefined ? '' : ` (${who})`}`,
  );
}
