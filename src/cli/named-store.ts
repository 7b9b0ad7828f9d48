import type { StoreArguments, Terminal } from './command.ts';

type NamedStore = { readonly address: string; readonly from: 'flag' | 'environment' };

/** The store that a flag or the environment names: both go before any configuration, and need none. */
export function namedStore(
  { values }: Pick<StoreArguments, 'values'>,
  { env }: Pick<Terminal, 'env'>,
): NamedStore | undefined {
  if (values.store !== undefined) return { address: values.store, from: 'flag' };
  const variable = env.ASSAY_STORE ?? '';
  return variable === '' ? undefined : { address: variable, from: 'environment' };
}
