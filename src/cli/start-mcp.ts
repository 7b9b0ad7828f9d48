import { once } from 'node:events';
import { serveMcp } from '../server/mcp/serve-stdio.ts';
import type { StoreArguments, Terminal } from './command.ts';
import { storesOf } from './serving.ts';
import { machineOf } from './sessions/session-request.ts';
import { noteSkippedSettings, readSettings } from './settings.ts';
import { stopOnSignal } from './stop-on-signal.ts';

/** Runs until the client closes standard input. */
export async function startMcp(args: StoreArguments, terminal: Terminal): Promise<void> {
  const { config } = await readSettings(args, terminal);
  await noteSkippedSettings(args, terminal);
  const ports = await storesOf(args, terminal);
  const stopping = stopOnSignal();
  await serveMcp(
    {
      log: { choice: 'errors', write: terminal.note },
      folder: terminal.cwd,
      machine: machineOf(terminal),
      config,
      ...ports,
    },
    Promise.race([once(process.stdin, 'end'), once(stopping.signal, 'abort')]),
  );
  stopping.end();
  await ports.sessions.close();
  await ports.project.close();
}
