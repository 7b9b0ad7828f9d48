import { randomUUID } from 'node:crypto';
import { fileOfStore, openEmptyStore, openStore, storeExists } from '../store/open.ts';
import { type ProjectScope, scopedStore } from '../store/scoped-store.ts';
import type { Store } from '../store/store.ts';
import { gitIdentity } from './git-identity.ts';
import type { Ports } from './ports.ts';

/** `close` when the work is done; the store is opened when it is first used. */
export type OpenPorts = Ports & { readonly close: () => Promise<void> };

export type PortChoices = Partial<Omit<Ports, 'store'>> & {
  /** The address of the store, or how to get it. Without one, results stay in memory until `close`. */
  readonly store?: string | (() => Promise<string>);
  /** Which projects are read and written, or how to get it; absent: all of the store. */
  readonly scope?: ProjectScope | (() => Promise<ProjectScope>);
  /** How long the store waits for other processes. */
  readonly storeWaitMs?: number;
  /** Whose Git settings say who is there; by default the folder the program runs in. */
  readonly folder?: string;
};

/** Whether two addresses name the same store, however they are written. */
export function isSameStore(address: string, other: string): boolean {
  const file = fileOfStore(address);
  return file === undefined ? address === other : file === fileOfStore(other);
}

/** Default ports of a program: the system clock, random ids, the user's name from Git, no progress. */
export function defaultPorts(choices: PortChoices = {}): OpenPorts {
  const { store: address = ':memory:', storeWaitMs, folder, scope = {}, ...own } = choices;
  let store: ReturnType<typeof open> | undefined;
  let empty: Promise<Store> | undefined;
  const addressOf = async () => (typeof address === 'string' ? address : await address());
  const open = async () => {
    const opened = await openStore(await addressOf(), { waitMs: storeWaitMs });
    return { opened, store: scopedStore(opened, typeof scope === 'function' ? await scope() : scope) };
  };
  const look = async () => {
    const where = await addressOf();
    if (store !== undefined || storeExists(where)) return undefined;
    empty ??= openEmptyStore(where);
    return empty;
  };
  return {
    now: () => new Date(),
    newId: randomUUID,
    identity: () => gitIdentity(folder),
    progress: () => {},
    reportStorageFailure: (error) => {
      throw error;
    },
    signal: new AbortController().signal,
    ...own,
    store: async (use) => {
      const nothing = use === 'looking' ? await look() : undefined;
      if (nothing !== undefined) return nothing;
      store ??= open();
      return (await store).store;
    },
    close: async () => {
      // A store that cannot be opened was already reported.
      const [opened, nothing] = [await store?.catch(() => undefined), await empty];
      store = empty = undefined;
      await opened?.opened.close();
      await nothing?.close();
    },
  };
}
