import { fileURLToPath } from 'node:url';
import { AssayError } from '../errors.ts';
import { defaultPorts } from '../operations/default-ports.ts';
import { type Arguments, CONFIG_OPTION, type Command, type Terminal } from './command.ts';
import { OWN_STORE_OPTION } from './sessions/options.ts';
import { ownStore } from './sessions/own-store.ts';
import { machineOf } from './sessions/session-request.ts';
import { readSettings } from './settings.ts';
import { stopOnSignal } from './stop-on-signal.ts';
import { textOf } from './text-of.ts';

const STORE_WAIT_MS = 500;

const WEB = fileURLToPath(new URL('../../dist/web', import.meta.url));

export const command: Command = {
  name: 'serve',
  summary: 'Open the dashboard and the HTTP API on this machine',
  options: {
    host: { type: 'string', value: 'ADDRESS', default: '127.0.0.1', doc: 'Address to listen at' },
    port: {
      type: 'string',
      value: 'PORT',
      default: '4117',
      doc: 'Port to listen at; 0 takes any that is free',
    },
    'allow-host': {
      type: 'string',
      value: 'NAME',
      list: true,
      doc: 'Name under which others reach it, several with commas; a token is needed then',
    },
    log: {
      type: 'string',
      choices: ['all', 'errors', 'none'],
      default: 'errors',
      doc: 'What is logged on standard error, one JSON object a line',
    },
    ...OWN_STORE_OPTION,
    ...CONFIG_OPTION,
  },
  examples: ['assay serve', 'assay serve --port 8080 --log all'],
  run: async (args, terminal) => {
    const stopping = stopOnSignal();
    const { url, stop } = await start(args, terminal);
    terminal.print(`Assay is at ${url}\nCtrl-C stops it.\n`);
    await new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()));
    await stop();
    stopping.end();
    return 0;
  },
};

/** Loaded here: no other command pays for the server. */
async function start(args: Arguments, terminal: Terminal) {
  const { openServer } = await import('../server/open-server.ts');
  const { config, store } = await readSettings(args, terminal);
  // Who waits keeps all others waiting; whoever asked is told to ask again.
  const ports = { folder: terminal.cwd, storeWaitMs: STORE_WAIT_MS };
  return openServer({
    host: textOf(args, 'host') ?? '',
    port: portOf(args),
    allowedHosts: (textOf(args, 'allow-host') ?? '').split(',').filter((name) => name !== ''),
    web: WEB,
    log: { choice: args.values.log as 'all', write: terminal.note },
    folder: terminal.cwd,
    machine: machineOf(terminal),
    config,
    sessions: defaultPorts({ ...ports, store: () => ownStore(args, terminal) }),
    project: defaultPorts({ ...ports, store: store.address }),
  });
}

function portOf(args: Arguments): number {
  const port = Number(textOf(args, 'port'));
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new AssayError('USAGE', `--port is a number from 0 to 65535, not "${textOf(args, 'port')}"`);
}
