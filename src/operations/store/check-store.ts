import { AssayError } from '../../errors.ts';
import { inspectStore } from '../../store/open.ts';
import { type Damage, STORED_KINDS, type StoreState } from '../../store/upkeep.ts';
import type { Ports } from '../ports.ts';
import { usingStore } from './read-store.ts';

export type StoreCheck = {
  readonly address: string;
  /** Absent where the store is so damaged that it cannot be looked into. */
  readonly state?: StoreState;
  /** In the order in which they were found, at most `mostDamages`. */
  readonly damages: readonly Damage[];
  readonly found: number;
  /** How many records were looked at. */
  readonly records: number;
};

const MOST_DAMAGES = 1000;

const MOVE_ASIDE =
  'Move the file aside and take the store from a backup; scoring the transcripts again makes a new one.';

/** Looks at everything a store holds, and names what is not as it was written. */
export async function checkStore(address: string, { progress }: Ports): Promise<StoreCheck> {
  const damages: Damage[] = [];
  const looked = new Map<string, number>();
  let found = 0;
  const keep = (damage: Damage) => {
    found += 1;
    if (damages.length < MOST_DAMAGES) damages.push(damage);
  };
  const records = () => STORED_KINDS.reduce((sum, kind) => sum + (looked.get(kind) ?? 0), 0);
  const result = () => ({ address, damages, found, records: records() });
  try {
    const state = await inspectStore(address);
    if (!state.exists) throw missingStore(state);
    if (state.schema.applied < state.schema.known) throw migrateFirst(state);
    await usingStore(address, (store) =>
      store.upkeep().check({
        found: keep,
        progress: (what, done) => {
          looked.set(what, done);
          progress({ what: `checking ${what}`, done, unit: 'records' });
        },
      }),
    );
    return { ...result(), state };
  } catch (error) {
    if (!(error instanceof AssayError && error.code === 'STORE_CORRUPT')) throw error;
    keep({ table: 'the file', what: error.message, remedy: MOVE_ASIDE });
    return result();
  }
}

export function missingStore({ address, backend }: StoreState): AssayError {
  const what = backend === 'SQLite' ? `There is no store at ${address}` : `${address} has no store yet`;
  return new AssayError('STORE_UNREADABLE', what, {
    remedy: [
      { say: 'Name another one', options: { store: true } },
      { say: 'make it', step: { operation: 'store migrate', options: { store: address } } },
    ],
  });
}

function migrateFirst({ address, schema }: StoreState): AssayError {
  const message = `${address} has schema ${schema.applied}, and this version of Assay looks into schema ${schema.known}`;
  return new AssayError('STORE_UNREADABLE', message, {
    remedy: [{ say: 'Migrate it first', step: { operation: 'store migrate', options: { store: address } } }],
  });
}
