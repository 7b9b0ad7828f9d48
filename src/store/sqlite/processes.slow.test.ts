import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { openStore } from '../open.ts';
import { collect, rating } from '../testing/records.ts';
import { Connection } from './connection.ts';
import { inspect, MIGRATIONS, migrate } from './schema.ts';
import { openSqliteStore } from './sqlite-store.ts';
import { startWriter } from './testing/processes.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-processes-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

it('takes the same records from several processes at once and counts each as new exactly once', async () => {
  const path = join(root, 'shared.db');
  const writers = Array.from({ length: 4 }, () => startWriter('shared', path, '', '40'));
  await Promise.all(writers.map((writer) => writer.end()));
  const added = writers.map((writer) => Number(writer.lines.at(-1)?.replace('added ', '')));
  // 40 batches of 10, each 5 further than the one before: 205 ids, of three kinds.
  expect(added.reduce((sum, count) => sum + count, 0)).toBe(205 * 3);
  const store = await openStore(path);
  expect(await store.listRuns()).toHaveLength(205);
  expect(await store.readRatings()).toHaveLength(205);
  expect(await collect(store.readSessions())).toHaveLength(205);
  await store.close();
});

it('lets several processes create the same store at the same moment', async () => {
  const rounds = 8;
  const names = ['a', 'b', 'c', 'd', 'e'];
  const start = Date.now() + 1500;
  const writers = names.map((name) => startWriter('race', root, name, String(rounds), String(start)));
  await Promise.all(writers.map((writer) => writer.end()));
  for (let round = 0; round < rounds; round += 1) {
    const path = join(root, `${round}/.assay/assay.db`);
    const store = await openStore(path);
    expect((await store.readRatings()).map((record) => record.ratingId)).toEqual(names);
    await store.close();
    const database = new DatabaseSync(path);
    const applied = database
      .prepare('SELECT number, name FROM migration')
      .all()
      .map((row) => ({ ...row }));
    expect(applied).toEqual(MIGRATIONS.map(({ name }, i) => ({ number: i + 1, name })));
    expect(database.prepare('PRAGMA journal_mode').get()?.journal_mode).toBe('wal');
    database.close();
    expect(readFileSync(join(root, `${round}/.assay/.gitignore`), 'utf8')).toBe('*\n');
    expect(existsSync(`${path}-wal`)).toBe(false);
  }
});

it('streams sessions of which it could not hold all', async () => {
  const path = join(root, 'stream.db');
  await startWriter('big', path, 'a', '15000').end();
  const script = fileURLToPath(new URL('testing/reader.ts', import.meta.url));
  // 15,000 rows with 2 kB of facts each are 30 MB.
  const reader = spawnSync(process.execPath, ['--max-old-space-size=20', script, path], { encoding: 'utf8' });
  expect(reader.stderr).toBe('');
  expect(JSON.parse(reader.stdout)).toMatchObject({ sessions: 15_000 });
});

it('applies each migration once when two connections find the same ones missing', () => {
  const path = join(root, 'migrations.db');
  const steps = [
    { name: 'one', sql: 'CREATE TABLE counter (n INTEGER) STRICT; INSERT INTO counter VALUES (1);' },
    { name: 'two', sql: 'UPDATE counter SET n = n + 1;' },
    { name: 'three', sql: 'UPDATE counter SET n = n + 1;' },
  ];
  const first = new Connection(path, 'write');
  const second = new Connection(path, 'write');
  expect([inspect(first, steps), inspect(second, steps)]).toEqual([0, 0]);
  expect(migrate(first, steps.slice(0, 1))).toEqual([1]);
  expect(migrate(second, steps)).toEqual([2, 3]);
  expect(migrate(second, steps)).toEqual([]);
  expect(second.get('SELECT n FROM counter')).toEqual([3]);
  expect(() => migrate(first, steps.slice(0, 1))).toThrow(expect.objectContaining({ code: 'STORE_NEWER' }));
  first.close();
  second.close();
});

it('leaves nothing of a migration that fails', () => {
  const connection = new Connection(join(root, 'failing.db'), 'write');
  const steps = [
    { name: 'good', sql: 'CREATE TABLE good (n INTEGER) STRICT;' },
    { name: 'bad', sql: 'CREATE TABLE bad (n INTEGER) STRICT; INSERT INTO nowhere VALUES (1);' },
  ];
  expect(() => migrate(connection, steps)).toThrow('no such table');
  expect(inspect(connection, steps)).toBe(0);
  connection.close();
});

it('says that the store is busy when another process keeps it, and goes on afterwards', async () => {
  const path = join(root, 'busy.db');
  const store = await openSqliteStore(path, path, { busyTimeoutMs: 50 });
  const other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  await expect(store.appendRatings([rating('a')])).rejects.toMatchObject({
    code: 'STORE_BUSY',
    message: expect.stringMatching(new RegExp(path)),
  });
  expect(await store.readRatings()).toEqual([]);
  other.exec('ROLLBACK');
  expect(await store.appendRatings([rating('a')])).toEqual({ added: 1, known: 0 });
  other.close();
  await store.close();
});

it('notices that a store it reads without locks is being written', async () => {
  const path = join(root, 'frozen.db');
  await (await openStore(path)).close();
  const frozen = new Connection(path, 'frozen');
  expect(() => frozen.assertUnchanged()).not.toThrow();
  const writing = await openStore(path);
  await writing.appendRatings([rating('a')]);
  expect(() => frozen.assertUnchanged()).toThrow(expect.objectContaining({ code: 'STORE_BUSY' }));
  await writing.close();
  frozen.close();
});
