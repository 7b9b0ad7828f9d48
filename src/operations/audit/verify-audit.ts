/** Whether the audit log is as it was written: each entry names the hash of one before it, and that one must be there. */
import { setImmediate as otherWork } from 'node:timers/promises';
import { AssayError } from '../../errors.ts';
import { contentHash } from '../../store/canonical.ts';
import type { AuditEntry, Position, Store } from '../../store/store.ts';
import type { Ports } from '../ports.ts';

export type AuditFault = { readonly auditId: string; readonly at: string; readonly what: string };

export type AuditVerification = {
  readonly entries: number;
  /** The newest one's hash: kept elsewhere, it shows later whether the end was cut off. */
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
  const links: Pick<AuditEntry, 'auditId' | 'at' | 'previous' | 'previousAt'>[] = [];
  let head: string | undefined;
  for await (const entry of entriesOf(store)) {
    const hash = contentHash(entry);
    head ??= hash;
    hashes.add(hash);
    const { auditId, at, previous, previousAt } = entry;
    links.push({ auditId, at, ...(previous && { previous }), ...(previousAt && { previousAt }) });
    ports.progress({ what: 'verifying', done: links.length, unit: 'entries' });
    ports.signal.throwIfAborted();
  }
  const broken = links.filter(
    ({ previous, previousAt = '' }) =>
      previous !== undefined && !hashes.has(previous) && !(previousAt < pruned),
  );
  return {
    entries: links.length,
    head,
    hasAsked: asked === undefined ? undefined : hashes.has(asked),
    faults: broken.map(({ auditId, at }) => ({
      auditId,
      at,
      what: 'the entry before it is gone or was altered',
    })),
  };
}

async function* entriesOf(store: Store): AsyncGenerator<AuditEntry> {
  for (let after: Position | undefined; ; ) {
    const page = await readPage(store, after);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = { at: last.at, key: last.auditId };
    // A server answers others meanwhile.
    await otherWork();
  }
}

async function readPage(store: Store, after: Position | undefined): Promise<readonly AuditEntry[]> {
  try {
    return await store.readAudit({ order: 'newest', limit: PAGE, ...(after && { after }) });
  } catch (cause) {
    if (!(cause instanceof AssayError) || cause.code !== 'STORE_CORRUPT') throw cause;
    throw new AssayError('STORE_CORRUPT', `an entry of the audit log was altered: ${cause.message}`, {
      cause,
      remedy: [{ say: 'See which one', step: { operation: 'store check' } }],
    });
  }
}
