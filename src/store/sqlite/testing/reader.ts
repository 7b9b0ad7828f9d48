/** A process that reads a store, tries to write it, and says how both went. Run by the tests: `reader.ts PATH`. */
import { writeSync } from 'node:fs';
import { AssayError } from '../../../errors.ts';
import { openStore } from '../../open.ts';
import { rating } from '../../testing/records.ts';

async function attempt(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    return error instanceof AssayError ? error.code : String(error);
  }
}

const path = process.argv[2] ?? '';
const result = await attempt(async () => {
  const store = await openStore(path);
  let sessions = 0;
  for await (const _ of store.readSessions()) sessions += 1;
  const runs = (await store.listRuns()).length;
  const write = await attempt(() => store.appendRatings([rating('new')]));
  await store.close();
  return { sessions, runs, write };
});
writeSync(1, JSON.stringify(result));
