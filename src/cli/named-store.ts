import type { Arguments, Terminal } from './command.ts';

type NamedStore = { readonly address: string; readonly from: 'flag' | 'environment' };

/** The store that a flag or the environment names: both go before any configuration, and need none. */
export function namedStore(
  { values }: Pick<Arguments, 'values'>,
  { env }: Pick<Terminal, 'env'>,
): NamedStore | undefined {
  if (typeof values.store === 'string') return { address: values.store, from: 'flag' };
  const variable = env.ASSAY_STORE ?? '';
  return variable === '' ? undefined : { address: variable, from: 'environment' };
}
