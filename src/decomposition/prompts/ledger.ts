/**
 * `ledger.jsonl` in the prompt folder records which versions were created, promoted, held, rejected and rolled back, by
 * whom and why. Each line contains the hash of the one before, which reveals changed or removed lines.
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
  /** Hash of the prompt file at that time. */
  sha256: text,
  from: text.optional(),
  reasons: z.array(z.string()),
  /** The measurement, if any, to compare with the next version. */
  result: z.unknown().optional(),
  /** The plan of a started experiment. */
  experiment: planSchema.optional(),
  /** Which experiment was stopped, and its findings. */
  outcome: outcomeSchema.optional(),
  previous: z.string(),
  hash: text,
});

export type LedgerEntry = z.infer<typeof entrySchema>;
export type LedgerDecision = Omit<LedgerEntry, 'result' | 'experiment' | 'outcome' | 'previous' | 'hash'>;
export type NewEntry = Omit<LedgerEntry, 'seq' | 'previous' | 'hash'>;

export type Ledger = {
  readonly entries: readonly LedgerEntry[];
  /** Where the chain breaks; entries from there on are neither trusted nor read. */
  readonly fault?: string;
};

export function ledgerPath(folder: string): string {
  return join(folder, LEDGER_FILE);
}

/** A missing file is an empty ledger. */
export function readLedger(folder: string): Ledger {
  const path = ledgerPath(folder);
  if (isAbsent(path)) return { entries: [] };
  const entries: LedgerEntry[] = [];
  const lines = readText(path).split('\n');
  // Lines are written as a whole, so a file without any is not a new ledger.
  if (lines.every((line) => line.trim() === ''))
    return { entries, fault: `${path}: it is empty, so its entries were removed` };
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
    return 'does not follow the line before: a line was removed or inserted';
  return parsed.data;
}

export function readWholeLedger(folder: string): Ledger {
  const ledger = readLedger(folder);
  if (ledger.fault === undefined) return ledger;
  throw new AssayError('INPUT_INVALID', `${ledger.fault}; nothing was changed`, { remedy: LEDGER_REMEDY });
}

const LEDGER_REMEDY =
  'Restore the ledger from version control; delete it only if nothing was ever recorded in it.';

/** Refuses to extend a broken ledger, which would make it look trustworthy. */
export async function appendLedger(folder: string, entry: NewEntry): Promise<LedgerEntry> {
  const path = ledgerPath(folder);
  return underLock(path, () => {
    const { entries } = readWholeLedger(folder);
    const last = entries.at(-1);
    // Round-trip through JSON, so that the hash matches what will be read.
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
      // A partial line would break the chain, and an empty file would look like a truncated ledger.
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

/** The entries that activated a version, latest first; the first is active now. */
export function inForce(ledger: Ledger, stem: string): LedgerEntry[] {
  return ledger.entries
    .filter(
      ({ action, prompt }) => stemOf(prompt) === stem && (action === 'promoted' || action === 'rolled back'),
    )
    .toReversed();
}

/**
 * The version to roll back to. Each rollback discards the version it leaves, so that a second one goes further back
 * instead of forward again.
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
 * The hash at the first decision on a version, after which its file must not change. A version that was only created
 * may still change.
 */
export function recordedHash(ledger: Ledger, prompt: string): string | undefined {
  return ledger.entries.find((one) => one.prompt === prompt && one.action !== 'created')?.sha256;
}

function stemOf(prompt: string): string {
  return prompt.replace(/-v\d+\.\d+$/, '');
}
