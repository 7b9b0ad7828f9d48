import { dirname, resolve } from 'node:path';
import { type LoadedConfig, loadConfig } from '../config.ts';
import type { Arguments, Terminal } from './command.ts';

export type Settings = LoadedConfig & {
  readonly store: { readonly address: string; readonly from: 'flag' | 'environment' | 'file' | 'default' };
};

/** Flag, then environment, then file, then default. A path in the file starts at the file. */
export async function readSettings({ values }: Arguments, terminal: Terminal): Promise<Settings> {
  const named = typeof values.config === 'string' ? values.config : undefined;
  const loaded = await loadConfig(terminal.cwd, named);
  return { ...loaded, store: storeAddress(loaded, values.store, terminal) };
}

function storeAddress({ config, path }: LoadedConfig, flag: unknown, terminal: Terminal): Settings['store'] {
  if (typeof flag === 'string') return { address: flag, from: 'flag' };
  const variable = terminal.env.ASSAY_STORE;
  if (variable !== undefined && variable !== '') return { address: variable, from: 'environment' };
  if (path === undefined) return { address: config.store, from: 'default' };
  const isUrl = /^[a-z][a-z0-9+.-]+:/i.test(config.store);
  return { address: isUrl ? config.store : resolve(dirname(path), config.store), from: 'file' };
}
