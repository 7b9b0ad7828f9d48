import { basename, dirname, resolve } from 'node:path';
import { type LoadedConfig, loadConfig } from '../config.ts';
import { CONFIG_FILES, nearestFile, PROGRAM_FILES } from '../config-files.ts';
import { plain } from '../report/unsafe-text.ts';
import type { StoreArguments, Terminal } from './command.ts';
import { namedStore } from './named-store.ts';

/** Where a value comes from, strongest first. */
export type Origin = 'flag' | 'environment' | 'file' | 'default';

export type Settings = LoadedConfig & {
  readonly store: { readonly address: string; readonly from: Origin };
};

/** Flag, then environment, then file, then default. A path in the file starts at the file. */
export async function readSettings(args: StoreArguments, terminal: Terminal): Promise<Settings> {
  const { values } = args;
  const { cwd, env, dataOnly } = terminal;
  const loaded = await loadConfig(cwd, { file: values.config, env, dataOnly });
  if (values['no-store']) return { ...loaded, store: { address: ':memory:', from: 'flag' } };
  return { ...loaded, store: namedStore(args, terminal) ?? storeAddress(loaded) };
}

function storeAddress({ config, path, isUsers, named }: LoadedConfig): Settings['store'] {
  const isNamed = named.includes('store');
  // The user's own file is for all folders: unless it names a store, each keeps its own.
  if (path === undefined || (isUsers === true && !isNamed)) return { address: config.store, from: 'default' };
  const isUrl = /^[a-z][a-z0-9+.-]+:/i.test(config.store);
  // Also the default lies beside the file: every folder of a project shares one store.
  const address = isUrl ? config.store : resolve(dirname(path), config.store);
  return { address, from: isNamed ? 'file' : 'default' };
}

/** Says what this command skipped and a command that you type would have read. */
export async function noteSkippedSettings(args: StoreArguments, terminal: Terminal): Promise<void> {
  const { cwd, note } = terminal;
  const nearest = args.values.config === undefined ? nearestFile(cwd, CONFIG_FILES) : undefined;
  if (nearest !== undefined && (PROGRAM_FILES as readonly string[]).includes(basename(nearest)))
    note(
      `assay: Skipped ${plain(nearest)}: this command does not run .ts or .js configuration. Move its settings to assay.config.yaml.\n`,
    );
  const { untrusted = [], path = '' } = await readSettings(args, terminal);
  if (untrusted.length > 0)
    note(
      `assay: Skipped ${untrusted.join(', ')} of ${plain(path)}: you do not trust this configuration yet. Run assay trust, or name the file with --config.\n`,
    );
}
