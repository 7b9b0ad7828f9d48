/**
 * The chain of entries of a blind evaluation: one JSON object per line, each with the hash of the one before. An entry
 * that is altered, removed or put in between no longer fits its neighbours; the head (kept apart) shows a cut tail.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';

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

/** `payload` is the packed content of the step, so that nobody reads another's answers in passing. */
export type Entry = Readonly<z.infer<typeof ENTRY>>;

export type EntryDraft = Pick<Entry, 'at' | 'who' | 'step' | 'payload'>;

/** How far the chain had come when it was last written: what a cut tail is held against. */
export type Head = { readonly count: number; readonly hash: string };

export const NOTHING: Head = { count: 0, hash: '0'.repeat(64) };

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function nextEntry(head: Head, { at, who, step, payload }: EntryDraft): Entry {
  const content = { seq: head.count + 1, at, who, step, payload, prev: head.hash };
  return { ...content, hash: sha256(JSON.stringify(content)) };
}

export function headOf(entries: readonly Entry[]): Head {
  const last = entries.at(-1);
  return last === undefined ? NOTHING : { count: entries.length, hash: last.hash };
}

/** The entries up to the first fault, and what that fault is. */
export type ChainReading = {
  readonly entries: readonly Entry[];
  readonly fault?: string;
  /** Bytes of a last line that was never finished; nobody was told that it was written. */
  readonly torn: number;
};

export function readChain(text: string, head: Head): ChainReading {
  const end = text.lastIndexOf('\n') + 1;
  const torn = Buffer.byteLength(text.slice(end));
  const lines = text.slice(0, end).split('\n').slice(0, -1);
  const entries: Entry[] = [];
  for (const [index, line] of lines.entries()) {
    const entry = parseEntry(line);
    const fault =
      entry === undefined
        ? `line ${index + 1}: entry ${index + 1} was altered: it is not an entry as it was written`
        : faultOf(entry, headOf(entries), index + 1);
    if (entry === undefined || fault !== undefined) return { entries, fault: fault ?? '', torn };
    entries.push(entry);
  }
  const fault = headFault(entries, head);
  return { entries, torn, ...(fault !== undefined && { fault }) };
}

/** Only the exact text that was written counts: another spelling of the same content is an edit too. */
function parseEntry(line: string): Entry | undefined {
  try {
    const { success, data } = ENTRY.safeParse(JSON.parse(line));
    return success && JSON.stringify(data) === line ? data : undefined;
  } catch {
    return undefined;
  }
}

function faultOf(entry: Entry, before: Head, line: number): string | undefined {
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

function headFault(entries: readonly Entry[], head: Head): string | undefined {
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
