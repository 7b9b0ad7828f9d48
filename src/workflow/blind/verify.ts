/** Is the evaluation as Assay wrote it? Names the first place that does not fit. */
import { AssayError } from '../../errors.ts';
import { type BlindSession, readEntries, readSession, type Start } from './folder.ts';

export type Verification = {
  readonly intact: boolean;
  /** Entries that can be trusted: those before the fault. */
  readonly entries: number;
  readonly head?: string;
  readonly fault?: string;
  readonly notes: readonly string[];
  readonly session?: BlindSession;
};

/** Said with every verification, because a chain without a witness outside cannot show it. */
export const NOT_SEEN =
  'Not seen: a chain cut or rewritten together with its head. A receipt that was kept elsewhere shows that.';

/** `receipt` is `COUNT:HASH` as a seal printed it; `truthHash` is that of the file that should have been sealed. */
export function verifySession(
  folder: string,
  { receipt, truthHash }: { readonly receipt?: string; readonly truthHash?: string } = {},
): Verification {
  try {
    const { entries, fault, torn, afterHead } = readEntries(folder);
    if (fault !== undefined) return { intact: false, entries: entries.length, fault, notes: [] };
    const session = readSession(folder);
    const wrong = receiptFault(session, receipt) ?? truthFault(session.start, truthHash);
    const notes = [
      ...(torn > 0
        ? [
            `${torn} bytes after entry ${entries.length} are a write that never ended; the next one replaces them.`,
          ]
        : []),
      ...(afterHead > 0
        ? [
            `The last ${afterHead} of the entries came after the head: a write was interrupted, or they were added by hand.`,
          ]
        : []),
    ];
    return {
      intact: wrong === undefined,
      entries: entries.length,
      head: session.head.hash,
      fault: wrong,
      notes,
      session,
    };
  } catch (cause) {
    if (!(cause instanceof AssayError) || cause.code !== 'BLIND_TAMPERED') throw cause;
    return { intact: false, entries: 0, fault: cause.message, notes: [] };
  }
}

function receiptFault({ entries }: BlindSession, receipt: string | undefined): string | undefined {
  if (receipt === undefined) return undefined;
  const [, count, hash] = /^(\d{1,9}):([0-9a-f]{64})$/.exec(receipt) ?? [];
  if (hash === undefined)
    throw new AssayError('USAGE', `a receipt is NUMBER:HASH as a seal printed it, not "${receipt}"`);
  if (Number(count) > entries.length) {
    return `the receipt is of entry ${count}, the chain has ${entries.length}: its tail was cut`;
  }
  return entries[Number(count) - 1]?.hash === hash
    ? undefined
    : `entry ${count} is not the one of the receipt: the chain was rewritten`;
}

export function truthFault(start: Start, hash: string | undefined): string | undefined {
  if (hash === undefined || hash === start.truth) return undefined;
  return `the ground truth given has hash ${hash.slice(0, 12)}, the sealed one ${start.truth.slice(0, 12)}: it was changed since, or is another one`;
}
