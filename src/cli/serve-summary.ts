/** What `npm start` shows before it serves. */

import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../make-folder.ts';
import { defaultPorts, type OpenPorts } from '../operations/default-ports.ts';
import { keepExamples } from '../operations/keep-examples.ts';
import { countSessions } from '../operations/list-runs.ts';
import { listSources } from '../operations/session/list-sources.ts';
import { userDataFolder } from '../own-folder.ts';
import { plain } from '../report/unsafe-text.ts';
import type { StoreArguments, Terminal } from './command.ts';
import { parseArguments } from './parse-arguments.ts';
import { ownStore } from './sessions/own-store.ts';
import { machineOf } from './sessions/session-request.ts';
import { readSettings } from './settings.ts';

/** As `assay` alone does: scores what it finds, or measures the examples. */
export async function printSummary(args: StoreArguments, terminal: Terminal): Promise<number> {
  const { command: overview } = await import('./overview.ts');
  const { store, config } = args.values;
  const words = Object.entries({ store, config }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}=${value}`],
  );
  return overview.run(await parseArguments(overview, words), terminal);
}

/** Whether there is anything of one's own to look at. */
export async function hasSessions(terminal: Terminal, ports: OpenPorts): Promise<boolean> {
  if (listSources(machineOf(terminal)).sources.some(({ files }) => files.length > 0)) return true;
  return (await countSessions(ports)).sessions > 0;
}

/** The bundled examples, in a store that is gone when the server stops. */
export async function exampleStore(args: StoreArguments, terminal: Terminal): Promise<OpenPorts> {
  const { decomposition } = (await readSettings(args, terminal)).config;
  const ports = defaultPorts({ store: ':memory:', folder: terminal.cwd });
  const { matchLevel } = decomposition;
  await keepExamples({ ...machineOf(terminal), thresholds: decomposition, matchLevel }, ports);
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
  const folder = userDataFolder(terminal.env);
  const isUsers = (await ownStore(args, terminal)) === join(folder, 'assay.db');
  if (!isUsers || canWrite(folder)) return args;
  terminal.note(`assay: Assay cannot write to ${plain(folder)}, so it stores nothing this time.\n`);
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
