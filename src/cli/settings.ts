import { dirname, resolve } from 'node:path';
import { type LoadedConfig, loadConfig } from '../config.ts';
import { AssayError } from '../errors.ts';
import type { Arguments, Terminal } from './command.ts';
import { namedStore } from './named-store.ts';

/** Where a value comes from, strongest first. */
export type Origin = 'flag' | 'environment' | 'file' | 'default';

export type Settings = LoadedConfig & {
  readonly store: { readonly address: string; readonly from: Origin };
};

/** Flag, then environment, then file, then default. A path in the file starts at the file. */
export async function readSettings(args: Arguments, terminal: Terminal): Promise<Settings> {
  const { values } = args;
  const file = typeof values.config === 'string' ? values.config : undefined;
  if (file === '') throw new AssayError('USAGE', '--config needs the path of a file');
  const loaded = await loadConfig(terminal.cwd, file);
  if (values['no-store'] === true) return { ...loaded, store: { address: ':memory:', from: 'flag' } };
  return { ...loaded, store: namedStore(args, terminal) ?? storeAddress(loaded) };
}

function storeAddress({ config, path, named }: LoadedConfig): Settings['store'] {
  if (path === undefined) return { address: config.store, from: 'default' };
  const isUrl = /^[a-z][a-z0-9+.-]+:/i.test(config.store);
  // Also the default lies beside the file: every folder of a project shares one store.
  const address = isUrl ? config.store : resolve(dirname(path), config.store);
  return { address, from: named.includes('store') ? 'file' : 'default' };
}
