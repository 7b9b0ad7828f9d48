import { statSync } from 'node:fs';
import { AssayError } from '../../errors.ts';
import type { StoreState } from '../upkeep.ts';
import { Connection, sizeOf } from './connection.ts';
import { inspect } from './migrate.ts';
import { MIGRATIONS } from './migrations.ts';
import { isMoving } from './move-sessions.ts';
import { needsWritableFolder, toAssayError } from './sqlite-error.ts';

/** Only looks: nothing is made and nothing is migrated. A store of a newer version is told as such. */
export function inspectSqlite(path: string, address: string): StoreState {
  const state = { backend: 'SQLite', address } as const;
  const known = MIGRATIONS.length;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { ...state, exists: false, schema: { applied: 0, known } };
  if (!stats.isFile())
    throw new AssayError('STORE_UNREADABLE', `${path} is ${stats.isDirectory() ? 'a folder' : 'not a file'}`);
  const connection = connectionTo(path);
  try {
    const applied = inspect(connection);
    // What was begun and is not done yet is done when it is opened next.
    const isDone = applied === known && !isMoving(connection);
    return {
      ...state,
      exists: applied > 0,
      schema: { applied: applied > 0 && !isDone ? Math.min(applied, known - 1) : applied, known },
      bytes: sizeOf(path) + sizeOf(`${path}-wal`),
    };
  } catch (error) {
    throw toAssayError(error, path);
  } finally {
    connection.close();
  }
}

function connectionTo(path: string): Connection {
  try {
    const connection = new Connection(path, 'read');
    try {
      connection.get('PRAGMA schema_version');
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  } catch (error) {
    if (!needsWritableFolder(error)) throw toAssayError(error, path);
    return new Connection(path, 'frozen');
  }
}
