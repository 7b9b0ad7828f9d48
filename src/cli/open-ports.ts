import { randomUUID } from 'node:crypto';
import type { Ports } from '../operations/ports.ts';
import { formatCount } from '../report/number.ts';
import type { Store } from '../store/store.ts';
import type { Arguments, Terminal } from './command.ts';
import { whoIsThere } from './git-identity.ts';
import { type Stopping, stopOnSignal } from './stop-on-signal.ts';

/** What the command line hands to operations. `close` when the command is done; the store is opened when it is used. */
export type OpenPorts = Ports & { readonly close: () => Promise<void> };

export function openPorts(args: Arguments, terminal: Terminal): OpenPorts {
  let stopping: Stopping | undefined;
  let store: Promise<Store> | undefined;
  return {
    store: () => {
      store ??= openStoreOf(args, terminal);
      return store;
    },
    now: () => new Date(),
    newId: randomUUID,
    identity: () => whoIsThere(terminal.cwd),
    progress: ({ what, done, total, unit }) =>
      terminal.progress(
        `${what}: ${formatCount(done)}${total === undefined ? '' : ` of ${formatCount(total)}`} ${unit}`,
      ),
    get signal() {
      // Only an operation that listens takes over what Ctrl-C does.
      stopping ??= stopOnSignal();
      return stopping.signal;
    },
    close: async () => {
      stopping?.end();
      terminal.progress('');
      await (await store)?.close();
    },
  };
}

/** Opens them for one piece of work, and closes them however it ends. */
export async function withPorts<Result>(
  args: Arguments,
  terminal: Terminal,
  work: (ports: Ports) => Promise<Result>,
): Promise<Result> {
  const ports = openPorts(args, terminal);
  try {
    return await work(ports);
  } finally {
    await ports.close();
  }
}

async function openStoreOf(args: Arguments, terminal: Terminal): Promise<Store> {
  const [{ readSettings }, { openStore }] = await Promise.all([
    import('./settings.ts'),
    import('../store/open.ts'),
  ]);
  return openStore((await readSettings(args, terminal)).store.address);
}
