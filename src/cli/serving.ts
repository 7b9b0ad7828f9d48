import type { Config } from '../config.ts';
import { defaultPorts, type OpenPorts } from '../operations/default-ports.ts';
import { plain } from '../report/unsafe-text.ts';
import { BUILT_WEB, buildWeb } from '../server/build-web.ts';
import { openServer } from '../server/open-server.ts';
import type { Arguments, StoreArguments, Terminal } from './command.ts';
import type { SERVE_OPTIONS } from './serve.ts';
import { machineOf } from './sessions/session-request.ts';
import { noteSkippedSettings, readSettings } from './settings.ts';
import { storeToOpen } from './store-place.ts';

/** A waiting request blocks all others, so it soon gets an answer to try again. */
const STORE_WAIT_MS = 500;

const MORE_PORTS = 100;

export async function startServing(args: Arguments<typeof SERVE_OPTIONS>, terminal: Terminal) {
  const { host, port, summary, log, 'allow-host': allowedHosts = [] } = args.values;
  const { config } = await readSettings(args, terminal);
  await noteSkippedSettings(args, terminal);
  await buildWeb((text) => terminal.note(`assay: ${plain(text)}\n`));
  return openServer({
    host,
    port,
    // Agents and services send to a certain port: the server is there, or does not start. To look, any port will do.
    morePorts: summary ? MORE_PORTS : 0,
    allowedHosts,
    web: BUILT_WEB,
    log: { choice: log, write: terminal.note },
    folder: terminal.cwd,
    machine: machineOf(terminal),
    config,
    ...(await storesOf(args, terminal)),
  });
}

/**
 * Serves a temporary store on a free port while the command runs. The server reads only that folder, not the user's
 * sessions.
 */
export async function serveStore(terminal: Terminal, config: Config, folder: string, project: OpenPorts) {
  await buildWeb((text) => terminal.note(`assay: ${plain(text)}\n`));
  return openServer({
    host: '127.0.0.1',
    port: 0,
    web: BUILT_WEB,
    log: { choice: 'none', write: terminal.note },
    folder,
    machine: { home: folder, environment: {} },
    config,
    sessions: project,
    project,
  });
}

type ServeStores = { readonly values: StoreArguments['values'] & { readonly summary?: boolean } };

/** Whoever starts with nothing of their own sees the examples. */
export async function storesOf(args: ServeStores, terminal: Terminal) {
  const store = () => storeToOpen(args, terminal);
  const ports = defaultPorts({ folder: terminal.cwd, storeWaitMs: STORE_WAIT_MS, store });
  if (args.values.summary) {
    const { exampleStore, hasOwnData } = await import('./serve-summary.ts');
    if (!(await hasOwnData(terminal, ports))) {
      const examples = await exampleStore(args, terminal);
      return { sessions: examples, project: examples };
    }
  }
  return { sessions: ports, project: ports };
}
