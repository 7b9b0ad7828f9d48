import { basename, dirname, resolve } from 'node:path';
import { type LoadedConfig, loadConfig } from '../config.ts';
import { CONFIG_FILES, nearestFile, PROGRAM_FILES } from '../config-files.ts';
import { isSameStore } from '../operations/default-ports.ts';
import type { ProjectScope } from '../operations/ports.ts';
import { plain } from '../report/unsafe-text.ts';
import type { StoreArguments, Terminal } from './command.ts';
import { type StorePlace, storePlace, userStore } from './store-place.ts';

/** Where a value comes from, strongest first. */
export type Origin = 'flag' | 'environment' | 'file' | 'default';

export type Settings = LoadedConfig & { readonly store: StorePlace };

/** Flag, then environment, then file, then default. A path in the file starts at the file. */
export async function readSettings(args: StoreArguments, terminal: Terminal): Promise<Settings> {
  const { cwd, env, dataOnly } = terminal;
  const loaded = await loadConfig(cwd, { file: args.values.config, env, dataOnly });
  return { ...loaded, store: storePlace(args, terminal) ?? configuredStore(loaded) ?? userStore(terminal) };
}

function configuredStore({ config: { store }, path }: LoadedConfig): StorePlace | undefined {
  if (store === undefined || path === undefined) return undefined;
  const isUrl = /^[a-z][a-z0-9+.-]+:/i.test(store);
  return { address: isUrl ? store : resolve(dirname(path), store), from: 'file' };
}

/** In the user's store, which has the runs of all folders, a project without a name is identified by its folder. */
export async function scopeOf(
  args: StoreArguments,
  terminal: Terminal,
  reach: 'folder' | 'project',
): Promise<ProjectScope> {
  const { config, path, isUsers, store } = await readSettings(args, terminal);
  if (reach === 'project' || !isSameStore(store.address, userStore(terminal).address))
    return { writes: config.project };
  const repository = nearestFile(terminal.cwd, ['.git']);
  const root = isUsers === true ? undefined : (path ?? repository);
  const folder = root === undefined ? terminal.cwd : dirname(root);
  // Runs stored before the project got its name belong to it; a folder elsewhere that ends in that name does not.
  const sees = config.project === undefined ? [folder] : [config.project, folder];
  return { writes: sees[0], sees, isExact: true };
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
