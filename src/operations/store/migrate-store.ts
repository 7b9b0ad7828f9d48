import { inspectStore } from '../../store/open.ts';
import type { StoreState } from '../../store/upkeep.ts';
import { usingStore } from './read-store.ts';

export type StoreMigration = StoreState & {
  /** The schema it had; 0: there was no store, and it was made. */
  readonly before: number;
};

/** Brings a store to the schema of this version, or makes it. Others may do the same at once. */
export async function migrateStore(address: string): Promise<StoreMigration> {
  const before = await inspectStore(address);
  await usingStore(address, async () => {});
  return { ...(await inspectStore(address)), before: before.schema.applied };
}
