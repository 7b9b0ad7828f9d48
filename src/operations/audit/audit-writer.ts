import { contentHash } from '../../store/canonical.ts';
import type { AuditEntry, Store, StoredAuditEntry } from '../../store/store.ts';

/** An entry before it is put behind the one before it. */
export type AuditDraft = Omit<AuditEntry, 'auditId' | 'previous' | 'previousAt'>;

export type AuditOrigin = AuditDraft['origin'];

type Head = Pick<AuditEntry, 'previous' | 'previousAt'>;
type Waiting = {
  readonly draft: AuditDraft;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
};

/**
 * Appends entries, each with the hash of the one before. The first follows the newest entry in the store, so that
 * several processes write one chain without waiting for each other.
 */
export class AuditWriter {
  readonly #store: () => Promise<Store>;
  readonly #newId: () => string;
  #head: Head | undefined;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  constructor(store: () => Promise<Store>, newId: () => string) {
    this.#store = store;
    this.#newId = newId;
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
    let head = this.#head ?? (await newestIn(store));
    const entries = drafts.map((draft) => {
      const entry: AuditEntry = { auditId: this.#newId(), ...draft, ...head };
      head = headOf(entry);
      return entry;
    });
    await store.appendAudit(entries);
    this.#head = head;
  }
}

async function newestIn(store: Store): Promise<Head> {
  const [newest] = await store.readAudit({ order: 'newest', limit: 1, includeAltered: true });
  return newest === undefined ? {} : headOf(newest);
}

/** An altered one is named as it was written: work goes on, and the log still does not fit. */
function headOf(entry: StoredAuditEntry): Head {
  return { previous: entry.alteredFrom ?? contentHash(entry), previousAt: entry.at };
}
