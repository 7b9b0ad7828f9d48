/**
 * A node of a fleet: a process that writes sessions until it is done or killed. Run by the tests:
 * `writer.ts ADDRESS NAME BATCHES SIZE`. A batch that is not acknowledged is sent again, as long as it takes.
 */
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { AssayError } from '../../../errors.ts';
import { openStore } from '../../open.ts';
import { batchOf } from './writer-batches.ts';

function say(line: string): void {
  writeSync(1, `${line}\n`);
}

/** What a store may recover from. */
const PASSING = new Set(['STORE_UNREACHABLE', 'STORE_BUSY']);

async function persistently<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AssayError) || !PASSING.has(error.code)) throw error;
      say(`again ${error.code}`);
      await sleep(200);
    }
  }
}

const [address = '', name = '', batches = '1', size = '1'] = process.argv.slice(2);
const store = await openStore(address);
say('ready');
for (let batch = 0; batch < Number(batches); batch += 1) {
  await persistently(() => store.appendSessions(batchOf(name, batch, Number(size))));
  say(`stored ${batch}`);
}
await store.close();
