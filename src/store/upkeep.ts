/**
 * Maintenance of a store beyond the contract: every record by its key, sizes per kind, and a check that all of it is as
 * it was written.
 */
import type { ProductionCell } from '../decomposition/production/cell.ts';
import type { Appended, PrunedKind } from './store.ts';

/** What a store contains, each kind with keys of its own. Sums and indexes derive from these. */
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

/**
 * A record's key, and what tells whether another store has the same one. For a session that of its current revision.
 */
export type StoredItem = { readonly key: string; readonly hash: string };

export type KindSize = {
  readonly kind: StoredKind;
  readonly records: number;
  /** On disk, with indexes and sums; absent where unknown. */
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
  /** Called often: what is being checked, and how many so far. */
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
   * Hourly sums of requests that were deleted in another store: added to those of this store, by hour and by day. There
   * are no sums by the minute before `minutesFrom`, and requests from before are refused.
   */
  addSums(hours: readonly ProductionCell[], minutesFrom: string): Promise<void>;
  /** How many `prune` would delete. */
  olderThan(kind: PrunedKind, before: string): Promise<number>;
  lastPrunes(): Promise<readonly LastPrune[]>;
  /** Looks at everything; it only looks. */
  check(checking: Checking): Promise<void>;
}

/** The state of a store without opening it, which would create or migrate it. */
export type StoreState = {
  readonly backend: 'SQLite' | 'ClickHouse';
  /** As it may be shown: it holds no secret. */
  readonly address: string;
  readonly exists: boolean;
  /** Steps of its schema: applied, and known to this version. */
  readonly schema: { readonly applied: number; readonly known: number };
  /** Its size on disk. */
  readonly bytes?: number;
};
