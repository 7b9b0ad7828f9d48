/** Where sessions are kept: a project's in the project, a person's own in their data folder. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { userDataFolder } from '../../own-folder.ts';
import { plain } from '../../report/unsafe-text.ts';
import type { StoreArguments, Terminal } from '../command.ts';
import { hasConfig } from '../has-config.ts';
import { namedStore } from '../named-store.ts';

/** Where every store was before, and where the runs of a folder still are. */
const BESIDE = join('.assay', 'assay.db');

/** Said once, however often the store is asked for. */
const told = new WeakSet<Terminal>();

export async function ownStore(args: StoreArguments, terminal: Terminal): Promise<string> {
  const { env, cwd } = terminal;
  if (hasConfig(args, terminal)) {
    const { readSettings } = await import('../settings.ts');
    const { store, isUsers } = await readSettings(args, terminal);
    if (isUsers !== true || store.from !== 'default') return store.address;
  }
  const named = namedStore(args, terminal);
  if (named !== undefined) return args.values['no-store'] ? ':memory:' : named.address;
  const own = join(userDataFolder(env), 'assay.db');
  if (!existsSync(join(cwd, BESIDE))) return own;
  if (!told.has(terminal))
    terminal.note(
      `assay: sessions are kept in ${BESIDE}, because this folder has that store; anywhere else they are in ${plain(own)}.\n`,
    );
  told.add(terminal);
  return join(cwd, BESIDE);
}
