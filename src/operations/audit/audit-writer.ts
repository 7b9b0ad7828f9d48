import { contentHash } from '../../store/canonical.ts';
import type { AuditEntry, Store, StoredAuditEntry } from '../../store/store.ts';
import { isNew } from '../deliveries/is-new.ts';

/** An entry before it is put behind the one before it. */
export type AuditDraft = Omit<AuditEntry, 'auditId' | 'previous' | 'previousAt'>;

export type AuditOrigin = AuditDraft['origin'];

type Head = { readonly previous: string; readonly previousAt: string };

type Waiting = {
  readonly draft: AuditDraft;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
};

/**
 * Appends entries to the one chain of a store. The key of an entry is the hash of the one before, and a store takes one record
 * per key: of two processes that write at once, the second is refused and follows the first.
 */
export class AuditWriter {
  readonly #store: () => Promise<Store>;
  #head: Head | undefined;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  constructor(store: () => Promise<Store>) {
    this.#store = store;
  }

  /** Resolves when the entry is stored. Entries that arrive during a write are written together. */
  write(draft: AuditDraft): Promise<void> {
    const written = new Promise<void>((done, failed) => {
      this.#waiting.push({ draft, done, failed });
    });
    this.#writing ??= this.#work();
    return written;
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        await this.#append(batch.map(({ draft }) => draft));
        for (const { done } of batch) done();
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
    this.#writing = undefined;
  }

  async #append(drafts: readonly AuditDraft[]): Promise<void> {
    const store = await this.#store();
    // Without transactions the rest of a batch would stay where its first entry came too late.
    const together = store.intake.isShared ? 1 : drafts.length;
    for (let from = 0; from < drafts.length; ) {
      let head = await newestOf(store, this.#head);
      const entries = drafts.slice(from, from + together).map((draft) => {
        const entry: AuditEntry = { auditId: head?.previous ?? rootOf(store), ...draft, ...head };
        head = linkTo(entry);
        return entry;
      });
      if (!(await isNew(store.appendAudit(entries)))) continue;
      this.#head = head;
      from += entries.length;
    }
  }
}

/** Copied stores have several chains: each begins by its own name. */
function rootOf({ address }: Store): string {
  return `first ${contentHash(address)}`;
}

/** The end of the chain, from where this process knows it. The clocks of others do not matter. */
async function newestOf(store: Store, known: Head | undefined): Promise<Head | undefined> {
  let head = known;
  let [next] =
    head === undefined ? await store.readAudit({ order: 'newest', limit: 1, includeAltered: true }) : [];
  for (;;) {
    if (next !== undefined) head = linkTo(next);
    if (head === undefined) return undefined;
    [next] = await store.readAudit({ auditId: head.previous, includeAltered: true });
    if (next === undefined) return head;
  }
}

/** An altered one is named as it was written: work goes on, and the log still does not fit. */
function linkTo(entry: StoredAuditEntry): Head {
  return { previous: entry.alteredFrom ?? contentHash(entry), previousAt: entry.at };
}
