/**
 * What every store does, as tests. A backend calls `describeStoreContract` from its own test file; a deviation has to
 * be named there with its reason.
 */
import { describe } from 'vitest';
import type { Store } from './store.ts';
import { describeAppending } from './testing/contract-appending.ts';
import { describeLaws } from './testing/contract-laws.ts';
import { describeOpinions, describePruning } from './testing/contract-opinions.ts';
import { describePaging } from './testing/contract-paging.ts';
import {
  describeReadingOpinions,
  describeReadingRuns,
  describeReadingSessions,
} from './testing/contract-reading.ts';
import { describeRefusing } from './testing/contract-refusing.ts';
import { describeSessions } from './testing/contract-sessions.ts';

export type StoreUnderTest = {
  /** A new, empty store. */
  readonly open: () => Promise<Store>;
  /** A second handle on the same store. */
  readonly openAgain: (store: Store) => Promise<Store>;
};

export function describeStoreContract(name: string, { open, openAgain }: StoreUnderTest): void {
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
  describe(`${name}: what is refused`, () => {
    describeRefusing(withStore);
  });
  describe(`${name}: what is read`, () => {
    describeReadingRuns(withStore);
    describeReadingSessions(withStore);
    describeReadingOpinions(withStore);
    describeOpinions(withStore);
    describePaging(withStore);
  });
  describe(`${name}: sessions and their sums`, () => {
    describeSessions(withStore);
  });
  describe(`${name}: what is deleted`, () => {
    describePruning(withStore);
  });
  describe(`${name}: laws`, () => {
    describeLaws(withStore);
  });
}

/** A new store for one test, closed behind it. */
export type WithStore = <T>(work: (store: Store) => Promise<T>) => Promise<T>;
