import { defaultPorts, type OpenPorts } from '../operations/default-ports.ts';
import type { Ports } from '../operations/ports.ts';
import { formatCount } from '../report/number.ts';
import type { StoreArguments, Terminal } from './command.ts';
import { type Stopping, stopOnSignal } from './stop-on-signal.ts';

/** What the command line hands to operations: those of any program, but Ctrl-C stops them and a terminal shows progress. */
export function openPorts(args: StoreArguments, terminal: Terminal, storeOf = projectStore): OpenPorts {
  let stopping: Stopping | undefined;
  const ports = defaultPorts({
    store: () => storeOf(args, terminal),
    ...(storeOf === projectStore && { project: () => projectOf(args, terminal) }),
    folder: terminal.cwd,
    notKept: terminal.failAtEnd,
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
): Promise<Result> {
  const ports = openPorts(args, terminal);
  try {
    return await work(ports);
  } finally {
    await ports.close();
  }
}

async function projectOf(args: StoreArguments, terminal: Terminal): Promise<string | undefined> {
  const { readSettings } = await import('./settings.ts');
  return (await readSettings(args, terminal)).config.project;
}

async function projectStore(args: StoreArguments, terminal: Terminal): Promise<string> {
  const { readSettings } = await import('./settings.ts');
  return (await readSettings(args, terminal)).store.address;
}
