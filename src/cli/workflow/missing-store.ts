import { hasStore } from '../../operations/has-store.ts';
import type { Arguments, Terminal } from '../command.ts';
import { readSettings } from '../settings.ts';

/** Where the store would be, when there is none: looking something up must not make one. */
export async function missingStore(args: Arguments, terminal: Terminal): Promise<string | undefined> {
  const { store } = await readSettings(args, terminal);
  return hasStore(store.address) ? undefined : store.address;
}
