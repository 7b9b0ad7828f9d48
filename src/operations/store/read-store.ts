import { inspectStore, openStore } from '../../store/open.ts';
import type { Store } from '../../store/store.ts';
import type { KindSize, LastPrune, StoreState } from '../../store/upkeep.ts';
import type { Ports } from '../ports.ts';

export type StoreReading = StoreState & {
  readonly isMigrationDue: boolean;
  /** Absent where there is no store, or where it has to be migrated first. */
  readonly holding?: StoreHolding;
};

type StoreHolding = {
  readonly kinds: readonly KindSize[];
  readonly lastPrunes: readonly LastPrune[];
  /** Pending deliveries, counted up to `mostPending`. */
  readonly pending: number;
  readonly mostPending: number;
};

/** Deliveries are looked at, not only counted. */
const MOST_PENDING = 10_000;

/** What a store is and holds. It only looks: a store that has to be migrated is not. */
export async function readStore(address: string, { progress }: Ports): Promise<StoreReading> {
  progress({ what: address, done: 0, unit: 'kinds' });
  const state = await inspectStore(address);
  const { applied, known } = state.schema;
  const isMigrationDue = state.exists && applied < known;
  if (!state.exists || applied !== known) return { ...state, isMigrationDue };
  return usingStore(address, async (store) => ({
    ...state,
    isMigrationDue,
    holding: {
      kinds: await store.upkeep().sizes(),
      lastPrunes: await store.upkeep().lastPrunes(),
      pending: (await store.pendingDeliveries({ limit: MOST_PENDING })).length,
      mostPending: MOST_PENDING,
    },
  }));
}

/** Opened for one piece of work, and closed however it ends. */
export async function usingStore<Result>(
  address: string,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openStore(address);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
