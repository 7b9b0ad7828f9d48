/**
 * Copies every record of a store into another one. What is missing there is found by going through the keys of both, a page
 * at a time: so a copy that was interrupted goes on where it was, nothing is stored twice, and the same walk verifies it.
 */
import { createHash } from 'node:crypto';
import { inspectStore } from '../../store/open.ts';
import type { Store } from '../../store/store.ts';
import { STORED_KINDS, type StoredItem, type StoredKind } from '../../store/upkeep.ts';
import type { Ports } from '../ports.ts';
import { missingStore } from './check-store.ts';
import { copySums, type SumDifference } from './copy-sums.ts';
import { usingStore } from './read-store.ts';

export type CopyRequest = { readonly from: string; readonly to: string };

/** One side of a kind: how many there are, and a hash over all keys and contents. */
type Side = { readonly records: number; readonly checksum: string };

type CopiedKind = {
  readonly kind: StoredKind;
  /** Stored by this copy; what was there before is not. */
  readonly added: number;
  readonly from: Side;
  readonly to: Side;
  /** In the source and not in the target, after all. */
  readonly missing: Listed;
  /** In both under the same key, with other content. */
  readonly differing: Listed;
  /** Only in the target: it was there before, or was written there meanwhile. */
  readonly more: Listed;
};

/** How many, and the first of them. */
type Listed = { readonly count: number; readonly keys: readonly string[] };

export type StoreCopy = CopyRequest & {
  readonly kinds: readonly CopiedKind[];
  readonly sums: readonly SumDifference[];
  /** Walks over all keys: more than one where the source was written meanwhile. */
  readonly rounds: number;
};

/** The source has nothing that the target has not. */
export function isWholeCopy({ kinds, sums }: StoreCopy): boolean {
  return sums.length === 0 && kinds.every(({ missing, differing }) => missing.count + differing.count === 0);
}

/** A source that is written all the time is not followed for ever. */
const MOST_ROUNDS = 3;

export async function copyStore(request: CopyRequest, ports: Ports): Promise<StoreCopy> {
  const { from, to } = request;
  const state = await inspectStore(from);
  if (!state.exists) throw missingStore(state);
  return usingStore(from, (source) =>
    usingStore(to, async (target) => {
      const added = new Map<StoredKind, number>();
      for (let rounds = 1; ; rounds += 1) {
        let stored = 0;
        for (const kind of STORED_KINDS) {
          const count = await copyKind(source, target, kind, ports);
          added.set(kind, (added.get(kind) ?? 0) + count);
          stored += count;
        }
        const sums = await copySums(source, target);
        const kinds = await verified(source, target, added, ports);
        const copy = { from, to, kinds, sums, rounds };
        if (rounds === MOST_ROUNDS || stored === 0 || isWholeCopy(copy)) return copy;
      }
    }),
  );
}

/** Records on their way at a time; a session may have many facts. */
const BATCH = 2000;

async function copyKind(source: Store, target: Store, kind: StoredKind, ports: Ports): Promise<number> {
  let [added, done] = [0, 0];
  let keys: string[] = [];
  const flush = async () => {
    const records = await source.upkeep().records(kind, keys);
    // A text is no record of production, so the store does not count it.
    const appended = await target.upkeep().append(kind, records);
    added += kind === 'decomposition-texts' ? records.length : appended.added;
    keys = [];
  };
  for await (const { key, side } of pairs(source, target, kind)) {
    done += 1;
    if (done % BATCH === 0) ports.progress({ what: `copying ${kind}`, done, unit: 'records' });
    ports.signal.throwIfAborted();
    // Other content under the same key stays what it is, except that a session is the revision that was scored last.
    if (side === 'from' || (side === 'differing' && kind === 'sessions')) keys.push(key);
    if (keys.length === BATCH) await flush();
  }
  if (keys.length > 0) await flush();
  return added;
}

async function verified(
  source: Store,
  target: Store,
  added: ReadonlyMap<StoredKind, number>,
  ports: Ports,
): Promise<CopiedKind[]> {
  const kinds: CopiedKind[] = [];
  for (const kind of STORED_KINDS) {
    const [from, to] = [new Sum(), new Sum()];
    const [missing, differing, more] = [new List(), new List(), new List()];
    for await (const { key, one, other } of pairs(source, target, kind)) {
      if (one !== undefined) from.add(one);
      if (other !== undefined) to.add(other);
      if (other === undefined) missing.add(key);
      else if (one === undefined) more.add(key);
      else if (one.hash !== other.hash) differing.add(key);
      if (from.records % BATCH === 0)
        ports.progress({ what: `verifying ${kind}`, done: from.records, unit: 'records' });
    }
    kinds.push({
      kind,
      added: added.get(kind) ?? 0,
      from: from.side,
      to: to.side,
      missing: missing.listed,
      differing: differing.listed,
      more: more.listed,
    });
  }
  return kinds;
}

class Sum {
  readonly #hash = createHash('sha256');
  records = 0;

  add({ key, hash }: StoredItem): void {
    this.records += 1;
    this.#hash.update(`${JSON.stringify(key)} ${hash}\n`);
  }

  get side(): Side {
    return { records: this.records, checksum: this.#hash.digest('hex') };
  }
}

const MOST_KEYS = 20;

class List {
  readonly #keys: string[] = [];
  #count = 0;

  add(key: string): void {
    this.#count += 1;
    if (this.#keys.length < MOST_KEYS) this.#keys.push(key);
  }

  get listed(): Listed {
    return { count: this.#count, keys: this.#keys };
  }
}

type Pair = {
  readonly key: string;
  readonly side: 'from' | 'to' | 'same' | 'differing';
  readonly one: StoredItem | undefined;
  readonly other: StoredItem | undefined;
};

/** Both in the order of their keys, side by side. */
async function* pairs(source: Store, target: Store, kind: StoredKind): AsyncGenerator<Pair> {
  const [all, there] = [itemsOf(source, kind), itemsOf(target, kind)];
  let [one, other] = [await nextOf(all), await nextOf(there)];
  for (;;) {
    const first = one ?? other;
    if (first === undefined) return;
    const order = one === undefined ? 1 : other === undefined ? -1 : compare(one.key, other.key);
    if (order < 0) yield { key: first.key, side: 'from', one, other: undefined };
    else if (order > 0) yield { key: other?.key ?? first.key, side: 'to', one: undefined, other };
    else yield { key: first.key, side: one?.hash === other?.hash ? 'same' : 'differing', one, other };
    if (order <= 0) one = await nextOf(all);
    if (order >= 0) other = await nextOf(there);
  }
}

const PAGE = 10_000;

async function* itemsOf(store: Store, kind: StoredKind): AsyncGenerator<StoredItem, undefined> {
  for (let after: string | undefined; ; ) {
    const page = await store.upkeep().items(kind, after, PAGE);
    yield* page;
    if (page.length < PAGE) return undefined;
    after = page.at(-1)?.key;
  }
}

async function nextOf(items: AsyncGenerator<StoredItem, undefined>): Promise<StoredItem | undefined> {
  return (await items.next()).value;
}

function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
