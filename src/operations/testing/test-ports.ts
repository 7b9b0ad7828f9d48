import type { Store } from '../../store/store.ts';
import type { Ports } from '../ports.ts';

/** Ports on a store with a fixed clock; throws when the store fails. */
export function testPorts(store: () => Store, own: Partial<Ports> = {}): Ports {
  let ids = 0;
  return {
    store: async () => store(),
    now: () => new Date('2026-11-12T00:00:00Z'),
    newId: () => {
      ids += 1;
      return `id-${ids}`;
    },
    identity: () => 'ada',
    progress: () => {},
    reportStorageFailure: (error) => {
      throw error;
    },
    signal: new AbortController().signal,
    ...own,
  };
}
