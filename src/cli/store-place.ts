/** Where results are stored, as far as no configuration has to be read for it. */
import { dirname, join } from 'node:path';
import { keepOthersOut, userDataFolder } from '../own-folder.ts';
import type { StoreArguments, Terminal } from './command.ts';
import { hasConfig } from './has-config.ts';

export type StorePlace = {
  readonly address: string;
  readonly from: 'flag' | 'environment' | 'file' | 'default';
};

/** The store that a flag or the environment names: both go before any configuration, and need none. */
export function storePlace(
  { values }: Pick<StoreArguments, 'values'>,
  { env }: Pick<Terminal, 'env'>,
): StorePlace | undefined {
  if (values['no-store']) return { address: ':memory:', from: 'flag' };
  if (values.store !== undefined) return { address: values.store, from: 'flag' };
  const variable = env.ASSAY_STORE ?? '';
  return variable === '' ? undefined : { address: variable, from: 'environment' };
}

/** One store of the user for everything, unless another one is named. */
export function userStore({ env }: Pick<Terminal, 'env'>): StorePlace {
  return { address: join(userDataFolder(env), 'assay.db'), from: 'default' };
}

/** A configuration is only loaded where there is one: that takes longer than seeing none. */
export async function readStore(args: StoreArguments, terminal: Terminal): Promise<StorePlace> {
  const named = storePlace(args, terminal);
  if (named !== undefined) return named;
  if (!hasConfig(args, terminal)) return userStore(terminal);
  const { readSettings } = await import('./settings.ts');
  return (await readSettings(args, terminal)).store;
}

/** Its address. The folder of the user's own store is closed to others first: titles of sessions are in it. */
export async function storeToOpen(args: StoreArguments, terminal: Terminal): Promise<string> {
  const { address, from } = await readStore(args, terminal);
  if (from === 'default') keepOthersOut(dirname(address));
  return address;
}
