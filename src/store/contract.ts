/**
 * The tests that every store passes. A backend calls `describeStoreContract` from its own test file; a deviation is
 * named there with its reason.
 */
import { describe, it } from 'vitest';
import type { Store } from './store.ts';
import { describeAppending } from './testing/contract-appending.ts';
import { describeIntake } from './testing/contract-intake.ts';
import { describeLaws } from './testing/contract-laws.ts';
import { describeOpinions, describePruning } from './testing/contract-opinions.ts';
import { describePaging } from './testing/contract-paging.ts';
import { describeProduction } from './testing/contract-production.ts';
import { describeProjects } from './testing/contract-projects.ts';
import {
  describeReadingOpinions,
  describeReadingRuns,
  describeReadingSessions,
} from './testing/contract-reading.ts';
import { describeRefusing } from './testing/contract-refusing.ts';
import { describeSessions } from './testing/contract-sessions.ts';
import { describeUpkeep } from './testing/contract-upkeep.ts';

/** What a backend may be unable to promise. Its tests are then skipped, with the reason in their name. */
type StorePromise =
  /** A batch is stored whole or not at all. */
  | 'whole batches'
  /** The same key with other content is refused. */
  | 'no other content'
  /** A reading sees the store as it was when it began. */
  | 'one moment'
  /** A key may be as long as any other text. */
  | 'keys of any length';

export type StoreUnderTest = {
  /** A new, empty store. */
  readonly open: () => Promise<Store>;
  /** A second handle on the same store. */
  readonly openAgain: (store: Store) => Promise<Store>;
  /** How many random stories each law is tried with; fewer where a store is far away. */
  readonly stories?: number;
  /** What it does not promise, and why not. */
  readonly deviations?: Readonly<Partial<Record<StorePromise, string>>>;
};

export function describeStoreContract(
  name: string,
  { open, openAgain, stories = 20, deviations = {} }: StoreUnderTest,
): void {
  const promised: Promised = (promise, title, test) => {
    const reason = deviations[promise];
    if (reason === undefined) it(title, test);
    else it.skip(`${title} (not promised: ${reason})`, test);
  };
  const withStore = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
    const store = await open();
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  };

  describe(`${name}: what is appended`, () => {
    describeAppending(withStore, openAgain);
  });
  describe(`${name}: intake`, () => {
    describeIntake(withStore, openAgain);
  });
  describe(`${name}: what is refused`, () => {
    describeRefusing(withStore, promised);
  });
  describe(`${name}: what is read`, () => {
    describeReadingRuns(withStore, openAgain);
    describeReadingSessions(withStore, promised);
    describeReadingOpinions(withStore);
    describeOpinions(withStore);
    describePaging(withStore);
  });
  describe(`${name}: sessions and their sums`, () => {
    describeSessions(withStore, stories);
  });
  describe(`${name}: production`, () => {
    describeProduction(withStore, promised, stories);
  });
  describe(`${name}: projects`, () => {
    describeProjects(withStore, stories);
  });
  describe(`${name}: what is deleted`, () => {
    describePruning(withStore);
  });
  describe(`${name}: upkeep`, () => {
    describeUpkeep(withStore, stories);
  });
  describe(`${name}: laws`, () => {
    describeLaws(withStore, promised, stories);
  });
}

/** A test of something that a backend may be unable to promise. */
export type Promised = (promise: StorePromise, title: string, test: () => Promise<void>) => void;

/** A new store for one test, closed behind it. */
export type WithStore = <T>(work: (store: Store) => Promise<T>) => Promise<T>;
