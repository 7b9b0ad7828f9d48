/**
 * `ledger.jsonl` beside the prompts: what was made, promoted, held, rejected and rolled back, by whom and why. Each
 * line carries the hash of the one before, so a line that was changed or taken out is seen.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AssayError } from '../../errors.ts';
import { isAbsent, readText } from '../../files.ts';
import { underLock } from '../../locked-file.ts';
import { outcomeSchema, planSchema } from '../production/experiment/plan.ts';
import { resultSchema } from '../result-file.ts';

const LEDGER_FILE = 'ledger.jsonl';

const LEDGER_ACTIONS = [
  'created',
  'promoted',
  'held',
  'rejected',
  'rolled back',
  'experiment started',
  'experiment stopped',
] as const;

const text = z.string().min(1);

const entrySchema = z.object({
  seq: z.number().int().min(1),
  at: z.iso.datetime(),
  who: text,
  action: z.enum(LEDGER_ACTIONS),
  prompt: text,
  /** Of the prompt's file at that time. */
  sha256: text,
  from: text.optional(),
  reasons: z.array(z.string()),
  /** What was measured, if anything was; kept so that the next version can be compared with it. */
  result: z.unknown().optional(),
  /** Of an experiment that was started: what it is to find out. */
  experiment: planSchema.optional(),
  /** Of one that was stopped: which, and what it had found. */
  outcome: outcomeSchema.optional(),
  previous: z.string(),
  hash: text,
});

export type LedgerEntry = z.infer<typeof entrySchema>;
export type LedgerDecision = Omit<LedgerEntry, 'result' | 'experiment' | 'outcome' | 'previous' | 'hash'>;
export type NewEntry = Omit<LedgerEntry, 'seq' | 'previous' | 'hash'>;

export type Ledger = {
  readonly entries: readonly LedgerEntry[];
  /** Where the chain breaks; entries from there on are not trusted and not read. */
  readonly fault?: string;
};

export function ledgerPath(folder: string): string {
  return join(folder, LEDGER_FILE);
}

/** No file is an empty ledger. */
export function readLedger(folder: string): Ledger {
  const path = ledgerPath(folder);
  if (isAbsent(path)) return { entries: [] };
  const entries: LedgerEntry[] = [];
  const lines = readText(path).split('\n');
  // Nothing is written but whole lines: one without any is not one that was just begun.
  if (lines.every((line) => line.trim() === ''))
    return { entries, fault: `${path}: it is empty, what stood in it was taken out` };
  if (lines.at(-1) === '') lines.pop();
  else return { entries, fault: `${path}: its last line is cut off` };
  for (const [index, line] of lines.entries()) {
    const entry = entryOf(line, entries.at(-1));
    if (typeof entry === 'string') return { entries, fault: `${path}:${index + 1} ${entry}` };
    entries.push(entry);
  }
  return { entries };
}

function entryOf(line: string, before: LedgerEntry | undefined): LedgerEntry | string {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return 'is not JSON';
  }
  const parsed = entrySchema.safeParse(json);
  if (!parsed.success) return `is not an entry: ${parsed.error.issues[0]?.path.join('.')}`;
  const { hash, ...rest } = json as LedgerEntry;
  if (hash !== hashOf(rest)) return 'was changed after it was written';
  if (rest.previous !== (before?.hash ?? '') || rest.seq !== (before?.seq ?? 0) + 1)
    return 'does not follow the line before: one was taken out or put in';
  return parsed.data;
}

export function readWholeLedger(folder: string): Ledger {
  const ledger = readLedger(folder);
  if (ledger.fault === undefined) return ledger;
  throw new AssayError('INPUT_INVALID', `${ledger.fault}; nothing was changed`, { remedy: LEDGER_REMEDY });
}

const LEDGER_REMEDY =
  'Restore the ledger from version control; delete it only if nothing was ever recorded in it.';

/** A broken ledger is not added to: the new line would lend it trust. */
export async function appendLedger(folder: string, entry: NewEntry): Promise<LedgerEntry> {
  const path = ledgerPath(folder);
  return underLock(path, () => {
    const { entries } = readWholeLedger(folder);
    const last = entries.at(-1);
    // Through JSON once, so that what is hashed is what will be read.
    const rest = JSON.parse(
      JSON.stringify({ seq: (last?.seq ?? 0) + 1, ...entry, previous: last?.hash ?? '' }),
    ) as Omit<LedgerEntry, 'hash'>;
    const complete = { ...rest, hash: hashOf(rest) };
    addLine(path, JSON.stringify(complete));
    return complete;
  });
}

function addLine(path: string, line: string): void {
  try {
    const isNew = isAbsent(path);
    const file = openSync(path, 'a');
    const before = fstatSync(file).size;
    try {
      appendFileSync(file, `${line}\n`);
      fsyncSync(file);
    } catch (cause) {
      // Half a line would break the chain, and an empty file look like one that was emptied.
      if (isNew) rmSync(path, { force: true });
      else ftruncateSync(file, before);
      throw cause;
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AssayError('OUTPUT_FAILED', `${path} cannot be written: ${why}`, { cause });
  }
}

function hashOf(entry: object): string {
  return createHash('sha256').update(JSON.stringify(entry)).digest('hex');
}

export type Rollback = { readonly from: string; readonly to: string };

/** The entry that put a version in force, last one first: the first is the one in force now. */
export function inForce(ledger: Ledger, stem: string): LedgerEntry[] {
  return ledger.entries
    .filter(
      ({ action, prompt }) => stemOf(prompt) === stem && (action === 'promoted' || action === 'rolled back'),
    )
    .toReversed();
}

/**
 * The version to go back to when the one in force is taken out: each step back leaves behind what it steps back from,
 * so a second one goes further back and not forward again.
 */
export function versionBehind(ledger: Ledger, stem: string): string | undefined {
  const path: string[] = [];
  for (const { action, prompt } of inForce(ledger, stem).toReversed()) {
    const at = action === 'rolled back' ? path.lastIndexOf(prompt) : -1;
    if (at >= 0) path.length = at;
    path.push(prompt);
  }
  return path.findLast((prompt) => prompt !== path.at(-1));
}

export function measuredIn(ledger: Ledger, prompt: string): z.output<typeof resultSchema> | undefined {
  const entry = ledger.entries.findLast((one) => one.prompt === prompt && one.result !== undefined);
  const parsed = resultSchema.safeParse(entry?.result);
  return parsed.success ? parsed.data : undefined;
}

/**
 * The hash that a version was decided on with: from then on its file never changes, so the first one counts. What was
 * only created is still being written.
 */
export function recordedHash(ledger: Ledger, prompt: string): string | undefined {
  return ledger.entries.find((one) => one.prompt === prompt && one.action !== 'created')?.sha256;
}

function stemOf(prompt: string): string {
  return prompt.replace(/-v\d+\.\d+$/, '');
}
