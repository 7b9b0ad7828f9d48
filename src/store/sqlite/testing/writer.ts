/** A process that writes into a store until it is done or killed. Run by the tests: `writer.ts MODE PATH…`. */
import { writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../../open.ts';
import type { Store } from '../../store.ts';
import { denseText, rating, run, session } from '../../testing/records.ts';
import { MIGRATIONS } from '../schema.ts';
import { BATCH } from './writer-batch.ts';

function say(line: string): void {
  // Written synchronously: a line printed here was acknowledged before, whenever the kill comes.
  writeSync(1, `${line}\n`);
}

/** Batches `name/0`, `name/1` …; each is said when it is acknowledged. */
async function forever(store: Store, name: string): Promise<void> {
  for (let batch = 0; ; batch += 1) {
    const ids = Array.from({ length: BATCH }, (_, i) => `${name}/${batch}/${i}`);
    await store.appendSessions(ids.map((id) => session(id, '1')));
    await store.appendRuns(ids.map((id) => run(id)));
    say(`${name}/${batch}`);
  }
}

/** One batch, far larger than the page cache, so that it reaches the disk long before it is committed. */
async function big(store: Store, name: string, size: number): Promise<void> {
  const facts = { text: denseText(2000, 1) };
  const rows = Array.from({ length: size }, (_, i) => session(`${name}/${i}`, '1', { facts }));
  say('begun');
  const { added } = await store.appendSessions(rows);
  say(`stored ${added}`);
}

/** The same records from every process, so that each record is new to exactly one of them. */
async function shared(store: Store, batches: number): Promise<void> {
  let added = 0;
  for (let batch = 0; batch < batches; batch += 1) {
    const ids = Array.from({ length: 10 }, (_, i) => `${batch * 5 + i}`);
    added += (await store.appendRuns(ids.map((id) => run(id)))).added;
    added += (await store.appendSessions(ids.map((id) => session(id, '1')))).added;
    added += (await store.appendRatings(ids.map((id) => rating(id)))).added;
  }
  say(`added ${added}`);
}

/** A later version of Assay, which migrates the store and keeps it open. */
async function newer(path: string): Promise<void> {
  const database = new DatabaseSync(path);
  database.exec(
    `INSERT INTO migration VALUES (${MIGRATIONS.length + 1}, 'from the future', '2030-01-01T00:00:00.000Z')`,
  );
  say('migrated');
  await sleep(60_000);
  database.close();
}

/** All processes open the same new store in the same millisecond, one store after the other. */
async function race(folder: string, name: string, rounds: number, start: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const moment = start + round * 100;
    await sleep(Math.max(0, moment - 5 - Date.now()));
    while (Date.now() < moment);
    const store = await openStore(`${folder}/${round}/.assay/assay.db`);
    await store.appendRatings([rating(name)]);
    await store.close();
  }
  say('finished');
}

const [mode, path = '', name = '', amount = '0', start = '0'] = process.argv.slice(2);
say('ready');
if (mode === 'race') {
  await race(path, name, Number(amount), Number(start));
} else if (mode === 'newer') {
  await newer(path);
} else if (mode !== undefined) {
  const store = await openStore(path);
  if (mode === 'forever') await forever(store, name);
  if (mode === 'big') await big(store, name, Number(amount));
  if (mode === 'shared') await shared(store, Number(amount));
  await store.close();
}
