/** A server process that a test can kill: `node serve-child.ts FOLDER [STORE] [CONFIG]`. */
import { join } from 'node:path';
import { configSchema } from '../../config.ts';
import { defaultPorts } from '../../operations/default-ports.ts';
import { openServer } from '../open-server.ts';

const [folder = '', store = join(folder, 'assay.db'), config = '{}'] = process.argv.slice(2);
const { ASSAY_WEBHOOK_SECRET } = process.env;
const { pageAt } = await openServer({
  host: '127.0.0.1',
  port: 0,
  web: join(folder, 'web'),
  log: { choice: 'errors', write: (line) => process.stderr.write(line) },
  folder,
  machine: { home: folder, environment: { ASSAY_WEBHOOK_SECRET } },
  config: configSchema.parse(JSON.parse(config)),
  sessions: defaultPorts({ store, folder }),
  project: defaultPorts({ store, folder }),
});
process.stdout.write(`${pageAt()}\n`);
