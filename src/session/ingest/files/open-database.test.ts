import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { tempFolder } from '../testing/temp-folder.ts';
import { all, close, columnsOf, type DatabaseRow, openDatabase, some, withIndexes } from './open-database.ts';

const folder = tempFolder();

function databaseWith(name: string, sql: string): string {
  const path = join(folder.path, name);
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
  return path;
}

/** How SQLite would find the rows of one session: by an index, or by going through all of them. */
function planOf(path: string): unknown {
  const store = openDatabase(path) as DatabaseSync;
  try {
    withIndexes(store, 'event', ['session_id', 'parent', 'not a column']);
    const rows = all(store, 'SELECT text FROM event WHERE session_id = ?', ['b']);
    expect(rows.map(({ text }) => text)).toEqual(['two', 'three']);
    expect(() => store.exec('DELETE FROM event')).toThrow();
    return all(store, "EXPLAIN QUERY PLAN SELECT text FROM event WHERE session_id = 'b'")[0]?.detail;
  } finally {
    close(store);
  }
}

const ROWS = `INSERT INTO event VALUES ('a', 'x', 'one'), ('b', 'x', 'two'), ('b', 'y', 'three')`;

it('finds the rows of a session by an index, also where the database has none, and leaves no trace', () => {
  const path = databaseWith('bare.db', `CREATE TABLE event (session_id, parent, text); ${ROWS}`);
  const before = readFileSync(path);
  expect(planOf(path)).toMatch(/^SEARCH event USING INDEX event_by_session_id/);
  expect(readFileSync(path)).toEqual(before);
  expect(readdirSync(dirname(path))).toEqual(['bare.db']);
});

it.each([
  ['garbage', Buffer.from('no log at all '.repeat(99))],
  ['empty', Buffer.alloc(0)],
])('makes no helper file beside a database whose log is %s', (what, log) => {
  const path = databaseWith(`${what}.db`, `CREATE TABLE event (session_id, parent, text); ${ROWS}`);
  writeFileSync(`${path}-wal`, log);
  const before = readdirSync(dirname(path));
  expect(planOf(path)).toMatch(/^SEARCH/);
  expect(readdirSync(dirname(path))).toEqual(before);
});

it('reads what only the log has', () => {
  const path = databaseWith(
    'log.db',
    'PRAGMA journal_mode = WAL; CREATE TABLE event (session_id, parent, text)',
  );
  const writer = new DatabaseSync(path);
  writer.exec(ROWS);
  expect(planOf(path)).toMatch(/^SEARCH/);
  writer.close();
});

it('copies nothing where the database has an index of its own', () => {
  const path = databaseWith(
    'indexed.db',
    `CREATE TABLE event (session_id, parent, text); ${ROWS};
     CREATE INDEX theirs ON event (session_id); CREATE INDEX others ON event (parent)`,
  );
  expect(planOf(path)).toMatch(/^SEARCH event USING INDEX theirs/);
});

it('knows no column that would make a small file a large one, and no view or virtual table', () => {
  const path = databaseWith(
    'hostile.db',
    `CREATE TABLE event (session_id, worked AS (zeroblob(900000000)), text TEXT);
     INSERT INTO event VALUES ('a', 'one'), ('b', 'two'), ('b', 'three');
     ALTER TABLE event ADD COLUMN long TEXT DEFAULT '${'x'.repeat(2000)}';
     CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS session_id FROM n;
     CREATE VIRTUAL TABLE searched USING fts5(session_id);`,
  );
  // As somebody writes it who does not want it to be seen.
  const odd = readFileSync(path, 'latin1').replace('CREATE VIRTUAL', 'CREATE\nVIRTUAL');
  writeFileSync(path, odd, 'latin1');
  const store = openDatabase(path) as DatabaseSync;
  try {
    expect([...columnsOf(store, 'event')]).toEqual(['session_id', 'text']);
    expect([...columnsOf(store, 'endless')]).toEqual([]);
    expect([...columnsOf(store, 'searched')]).toEqual([]);
    // The copy has no other columns either.
    withIndexes(store, 'event', ['session_id']);
    expect(all(store, 'SELECT * FROM event LIMIT 1')).toEqual([{ session_id: 'a', text: 'one' }]);
  } finally {
    close(store);
  }
});

it('stops reading a store that gives far more than it holds', () => {
  const path = databaseWith(
    'amplified.db',
    `CREATE TABLE event (session_id);
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO event SELECT i FROM n;
     ALTER TABLE event ADD COLUMN text TEXT DEFAULT '${'x'.repeat(100_000)}';`,
  );
  const store = openDatabase(path) as DatabaseSync;
  let [rows, bytes] = [0, 0];
  const count = (row: DatabaseRow): boolean => {
    rows += 1;
    bytes += String(row.text).length;
    return false;
  };
  try {
    expect(() => some(store, 'SELECT text FROM event', [], count)).toThrow('more than it holds');
    expect(rows).toBeLessThan(5000);
    expect(bytes).toBeLessThan(300_000_000);
  } finally {
    close(store);
  }
});
