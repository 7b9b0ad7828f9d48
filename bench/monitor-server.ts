/** The server that the benchmark of the monitor sends to, in a thread of its own. */
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { loadConfig } from '../src/config.ts';
import { defaultPorts } from '../src/operations/default-ports.ts';
import { openServer } from '../src/server/open-server.ts';

const folder = String(workerData);
const store = join(folder, 'assay.db');
const { url } = await openServer({
  host: '127.0.0.1',
  port: 0,
  web: join(folder, 'web'),
  log: { choice: 'none', write: () => {} },
  folder,
  machine: { home: folder, environment: { HOME: folder } },
  config: (await loadConfig(folder)).config,
  sessions: defaultPorts({ store, folder }),
  project: defaultPorts({ store, folder }),
});
parentPort?.postMessage(url);
