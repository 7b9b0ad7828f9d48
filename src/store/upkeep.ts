/**
 * What looking after a store needs beside the contract: every record by its key whatever its kind, how much there is of
 * each kind, and whether all of it is still what was written.
 */
import type { ProductionCell } from '../decomposition/production/cell.ts';
import type { Appended, PrunedKind } from './store.ts';

/** What a store keeps, each with keys of its own. Sums and indexes follow from these. */
export const STORED_KINDS = [
  'runs',
  'sessions',
  'ratings',
  'approvals',
  'alerts',
  'alert-events',
  'feedback',
  'audit',
  'deliveries',
  'delivery-attempts',
  'decompositions',
  'decomposition-texts',
] as const;
export type StoredKind = (typeof STORED_KINDS)[number];

/** A record by its key, and what tells whether another store has the same one. Of a session its current revision. */
export type StoredItem = { readonly key: string; readonly hash: string };

export type KindSize = {
  readonly kind: StoredKind;
  readonly records: number;
  /** On the disk, with indexes and sums; absent where that cannot be told. */
  readonly bytes?: number;
  /** The first and the last, by their time; of sessions by their start. */
  readonly oldest?: string;
  readonly newest?: string;
};

/** When something of a kind was deleted last. */
export type LastPrune = {
  readonly kind: PrunedKind;
  readonly at: string;
  readonly before: string;
  readonly removed: number;
};

/** Something that is not as it was written, or that does not fit to something else. */
export type Damage = {
  readonly table: string;
  /** Of the record, where it is one. */
  readonly key?: string;
  readonly what: string;
  readonly remedy: string;
};

export type Checking = {
  readonly found: (damage: Damage) => void;
  /** Called often: what is being looked at, and how many of it were. */
  readonly progress: (what: string, done: number) => void;
};

export interface StoreUpkeep {
  sizes(): Promise<readonly KindSize[]>;
  /** In the order of their keys (the bytes of their UTF-8), those after `after`. */
  items(kind: StoredKind, after: string | undefined, limit: number): Promise<readonly StoredItem[]>;
  /** Those that are there, in no order; whole, as they were sent. */
  records(kind: StoredKind, keys: readonly string[]): Promise<readonly object[]>;
  /** As the method of the store for this kind does. */
  append(kind: StoredKind, records: readonly object[]): Promise<Appended>;
  /**
   * Sums by the hour of requests that were deleted elsewhere: they are added to those of this store, by hour and by day.
   * There are no sums by the minute before `minutesFrom`, and requests from before are not taken any more.
   */
  addSums(hours: readonly ProductionCell[], minutesFrom: string): Promise<void>;
  /** How many `prune` would delete. */
  olderThan(kind: PrunedKind, before: string): Promise<number>;
  lastPrunes(): Promise<readonly LastPrune[]>;
  /** Looks at everything; it only looks. */
  check(checking: Checking): Promise<void>;
}

/** What can be told of a store without opening it, which would make or migrate it. */
export type StoreState = {
  readonly backend: 'SQLite' | 'ClickHouse';
  /** As it may be shown: it holds no secret. */
  readonly address: string;
  readonly exists: boolean;
  /** Steps of its schema: how many it has, and how many this version knows. */
  readonly schema: { readonly applied: number; readonly known: number };
  /** All of it on the disk. */
  readonly bytes?: number;
};
