import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { configSchema } from '../../src/config.ts';
import { DEFAULT_MATCH_LEVEL } from '../../src/decomposition/evidence.ts';
import { AssayError } from '../../src/errors.ts';
import { defaultPorts } from '../../src/operations/default-ports.ts';
import { measureExample } from '../../src/operations/measure-examples.ts';
import { scoreSessions } from '../../src/operations/session/score-sessions.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { collect } from '../../src/store/testing/records.ts';
import type { Target } from '../target.ts';

/** A store with sessions and a run, in its first state. */
async function makeStore(folder: string): Promise<string> {
  const path = join(folder, 'whole.db');
  const ports = defaultPorts({ store: path, folder });
  await scoreSessions(
    { from: { paths: ['examples/session'], home: folder, environment: {} }, keep: true },
    ports,
    () => {},
  );
  await measureExample(
    { thresholds: configSchema.parse({}).decomposition, matchLevel: DEFAULT_MATCH_LEVEL },
    ports,
  );
  await ports.close();
  const database = new DatabaseSync(path);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE');
  database.close();
  return path;
}

/** `[table, column, row, value]`, one per line: values that a fault or an attacker wrote. */
function damage(path: string, text: string): void {
  const database = new DatabaseSync(path);
  try {
    for (const line of text.split('\n').slice(0, 8)) change(database, line);
  } finally {
    database.close();
  }
}

function change(database: DatabaseSync, line: string): void {
  try {
    const [table, column, row, value] = JSON.parse(line);
    const name = (given: unknown) => `"${String(given).replaceAll('"', '""').replaceAll('\0', '')}"`;
    const put =
      typeof value === 'number' || typeof value === 'string' || value === null
        ? value
        : Buffer.from(JSON.stringify(value));
    database
      .prepare(
        `UPDATE ${name(table)} SET ${name(column)} = ? WHERE rowid = (SELECT rowid FROM ${name(table)} LIMIT 1 OFFSET ?)`,
      )
      .run(put, Math.abs(Number(row)) % 8 || 0);
  } catch {
    // No such place, or one that may not hold it.
  }
}

/** Every query of a store; each is answered, or refused with a known error. */
async function readAllOf(store: Store): Promise<unknown> {
  const answers: unknown[] = [];
  const ask = async (question: () => Promise<unknown>) => {
    try {
      answers.push(await question());
    } catch (error) {
      if (!(error instanceof AssayError) || error.code === 'INTERNAL') throw error;
      answers.push(error.code);
    }
  };
  await ask(() => collect(store.readSessions()));
  await ask(() => store.listRuns());
  await ask(async () => {
    for (const { runId } of await store.listRuns()) await ask(() => store.readRun(runId));
  });
  return answers;
}

export const storeTargets: readonly Target[] = [
  {
    name: 'store/rows',
    seeds: () => [
      Buffer.from('["session","q",0,0.5]\n["session_facts","facts",1,{"x":1}]'),
      Buffer.from('["run","subject",0,"other"]\n["run","body",0,"{}"]'),
      Buffer.from('["session_day","bins",0,"1,2"]\n["migration","number",0,99]'),
    ],
    open: async (folder) => {
      const whole = await makeStore(folder);
      return {
        read: async (input) => {
          const path = join(folder, 'damaged.db');
          for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
          copyFileSync(whole, path);
          damage(path, input.toString('utf8'));
          const store = await openStore(path);
          try {
            return await readAllOf(store);
          } finally {
            await store.close();
          }
        },
      };
    },
  },
  {
    name: 'store/file',
    seeds: () => [smallStore()],
    open: (folder) => ({
      read: async (input) => {
        const path = join(folder, 'store.db');
        for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
        writeFileSync(path, input);
        const store = await openStore(path);
        try {
          return await readAllOf(store);
        } finally {
          await store.close();
        }
      },
    }),
  },
];

/** One that was made, and has nothing in it yet. */
function smallStore(): Buffer {
  const database = new DatabaseSync(':memory:');
  database.exec(`PRAGMA page_size = 512; PRAGMA user_version = 0`);
  const bytes = Buffer.from(database.serialize());
  database.close();
  return bytes;
}
