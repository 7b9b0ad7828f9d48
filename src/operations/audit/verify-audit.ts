/** Whether the audit log is as it was written: each entry names the hash of one before it, and that one must be there. */
import { setImmediate as otherWork } from 'node:timers/promises';
import { contentHash } from '../../store/canonical.ts';
import type { AuditEntry, Position, Store, StoredAuditEntry } from '../../store/store.ts';
import type { Ports } from '../ports.ts';

type AuditFault = { readonly auditId: string; readonly at: string; readonly what: string };

export type AuditVerification = {
  readonly entries: number;
  /** The hash of the last entry. Stored elsewhere, it shows later whether the end was cut off. */
  readonly head: string | undefined;
  /** Whether the one that was asked for is there; undefined: none was. */
  readonly hasAsked: boolean | undefined;
  readonly faults: readonly AuditFault[];
};

const PAGE = 1000;

export async function verifyAudit(
  { head: asked }: { readonly head?: string },
  ports: Ports,
): Promise<AuditVerification> {
  const store = await ports.store('looking');
  const pruned = (await store.upkeep().lastPrunes()).find(({ kind }) => kind === 'audit')?.before ?? '';
  const hashes = new Set<string>();
  const named = new Set<string>();
  const links: (Pick<AuditEntry, 'auditId' | 'at' | 'previous' | 'previousAt'> & {
    readonly hash: string;
    readonly isAltered: boolean;
  })[] = [];
  for await (const entry of entriesOf(store)) {
    // What an altered one was written with: the one after it names that, and fits.
    const hash = entry.alteredFrom ?? contentHash(entry);
    hashes.add(hash);
    const { auditId, at, previous, previousAt } = entry;
    if (previous !== undefined) named.add(previous);
    const isAltered = entry.alteredFrom !== undefined;
    links.push({
      auditId,
      at,
      hash,
      isAltered,
      ...(previous && { previous }),
      ...(previousAt && { previousAt }),
    });
    ports.progress({ what: 'verifying', done: links.length, unit: 'entries' });
    ports.signal.throwIfAborted();
  }
  const isOrphan = ({ previous, previousAt = '' }: (typeof links)[number]) =>
    previous !== undefined && !hashes.has(previous) && !(previousAt < pruned);
  return {
    entries: links.length,
    // By the chain, not by the clock: several servers write to it.
    head: links.find(({ hash }) => !named.has(hash))?.hash,
    hasAsked: asked === undefined ? undefined : hashes.has(asked),
    faults: links.flatMap((link) => {
      if (!link.isAltered && !isOrphan(link)) return [];
      const what = link.isAltered ? 'it was altered' : 'the entry before it is gone or was altered';
      return [{ auditId: link.auditId, at: link.at, what }];
    }),
  };
}

async function* entriesOf(store: Store): AsyncGenerator<StoredAuditEntry> {
  for (let after: Position | undefined; ; ) {
    const page = await store.readAudit({
      order: 'newest',
      includeAltered: true,
      limit: PAGE,
      ...(after && { after }),
    });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = { at: last.at, key: last.auditId };
    // A server answers others meanwhile.
    await otherWork();
  }
}
