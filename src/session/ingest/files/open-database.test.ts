import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { tempFolder } from '../testing/temp-folder.ts';
import { all, close, openDatabase, withIndexes } from './open-database.ts';

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

it('copies nothing where the database has an index of its own', () => {
  const path = databaseWith(
    'indexed.db',
    `CREATE TABLE event (session_id, parent, text); ${ROWS};
     CREATE INDEX theirs ON event (session_id); CREATE INDEX others ON event (parent)`,
  );
  expect(planOf(path)).toMatch(/^SEARCH event USING INDEX theirs/);
});
