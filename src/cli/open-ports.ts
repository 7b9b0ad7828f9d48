import { defaultPorts, type OpenPorts } from '../operations/default-ports.ts';
import type { Ports } from '../operations/ports.ts';
import { formatCount } from '../report/number.ts';
import type { StoreArguments, Terminal } from './command.ts';
import { type Stopping, stopOnSignal } from './stop-on-signal.ts';
import { storeToOpen } from './store-place.ts';

/**
 * `folder`: reads and writes the runs of this folder's project. `project`: reads everything and writes for the project that
 * the configuration names. `all`: reads and writes everything, and loads no configuration where there is none.
 */
export type Reach = 'folder' | 'project' | 'all';

/** The ports that the command line gives to operations: Ctrl-C stops them, and a terminal shows progress. */
export function openPorts(args: StoreArguments, terminal: Terminal, reach: Reach = 'folder'): OpenPorts {
  let stopping: Stopping | undefined;
  const ports = defaultPorts({
    store: () => storeToOpen(args, terminal),
    ...(reach !== 'all' && {
      scope: async () => (await import('./settings.ts')).scopeOf(args, terminal, reach),
    }),
    folder: terminal.cwd,
    reportStorageFailure: terminal.failAtEnd,
    progress: ({ what, done, total, unit }) =>
      terminal.progress(
        `${what}: ${formatCount(done)}${total === undefined ? '' : ` of ${formatCount(total)}`} ${unit}`,
      ),
  });
  return {
    ...ports,
    get signal() {
      // Only an operation that listens takes over what Ctrl-C does.
      stopping ??= stopOnSignal();
      return stopping.signal;
    },
    close: async () => {
      stopping?.end();
      terminal.progress('');
      await ports.close();
    },
  };
}

/** Opens them for one piece of work, and closes them however it ends. */
export async function withPorts<Result>(
  args: StoreArguments,
  terminal: Terminal,
  work: (ports: Ports) => Promise<Result>,
  reach?: Reach,
): Promise<Result> {
  const ports = openPorts(args, terminal, reach);
  try {
    return await work(ports);
  } finally {
    await ports.close();
  }
}
