/** What `npm start` shows before it serves. */

import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../make-folder.ts';
import { defaultPorts, type OpenPorts } from '../operations/default-ports.ts';
import { listSources } from '../operations/session/list-sources.ts';
import { storeExamples } from '../operations/store-examples.ts';
import { plain } from '../report/unsafe-text.ts';
import type { StoreArguments, Terminal } from './command.ts';
import { parseArguments } from './parse-arguments.ts';
import { machineOf } from './sessions/session-request.ts';
import { readSettings } from './settings.ts';
import { readStore } from './store-place.ts';

/** The same as `assay` alone: scores the sessions it finds, or measures the examples. */
export async function printSummary(args: StoreArguments, terminal: Terminal): Promise<number> {
  const { command: overview } = await import('./overview.ts');
  const { store, config } = args.values;
  const words = Object.entries({ store, config }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}=${value}`],
  );
  return overview.run(await parseArguments(overview, words), terminal);
}

/** Whether you have anything of your own to look at. */
export async function hasOwnData(terminal: Terminal, ports: OpenPorts): Promise<boolean> {
  if (listSources(machineOf(terminal)).sources.some(({ files }) => files.length > 0)) return true;
  const store = await ports.store('looking');
  return (await store.countSessions()) > 0 || (await store.listRuns({ limit: 1 })).length > 0;
}

/** The bundled examples, in a store that is gone when the server stops. */
export async function exampleStore(args: StoreArguments, terminal: Terminal): Promise<OpenPorts> {
  const { decomposition } = (await readSettings(args, terminal)).config;
  const ports = defaultPorts({ store: ':memory:', folder: terminal.cwd });
  const { matchLevel } = decomposition;
  await storeExamples({ ...machineOf(terminal), thresholds: decomposition, matchLevel }, ports);
  return ports;
}

/** CI systems set the variable, and wait for a command to end. */
export function isCi({ env }: Terminal): boolean {
  return !['', '0', 'false'].includes((env.CI ?? '').toLowerCase());
}

/** A home that cannot be written to is no reason to show nothing. */
export async function withUsableStore<Args extends StoreArguments>(
  args: Args,
  terminal: Terminal,
): Promise<Args> {
  const { address, from } = await readStore(args, terminal);
  const folder = dirname(address);
  if (from !== 'default' || canWrite(folder)) return args;
  terminal.note(`assay: Assay cannot write to ${plain(folder)}, so this run stores nothing.\n`);
  return { ...args, values: { ...args.values, store: ':memory:' } };
}

function canWrite(folder: string): boolean {
  try {
    makeFolder(folder, 0o700);
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
