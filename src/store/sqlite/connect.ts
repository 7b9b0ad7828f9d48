import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { AssayError } from '../../errors.ts';
import { Connection, MEMORY, type SqliteOptions, sizeOf } from './connection.ts';
import { inspect, migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations.ts';
import { isMoving, moveSessions } from './move-sessions.ts';
import { isBusy, isReadOnly, needsWritableFolder } from './sqlite-error.ts';

/** Opens the file as a store of this version, making or migrating it where needed. */
export async function connect(path: string, options: SqliteOptions): Promise<Connection> {
  if (path === MEMORY) return connectMemory(options);
  const deadline = Date.now() + (options.busyTimeoutMs ?? 10_000);
  for (;;) {
    try {
      return connectOnce(path, options);
    } catch (error) {
      // Switching to WAL, and opening while the last other process closes, fail at once instead of waiting.
      if (!isBusy(error) || Date.now() >= deadline) throw error;
    }
    await sleep(2 + Math.random() * 20);
  }
}

function connectMemory(options: SqliteOptions): Connection {
  const connection = new Connection(MEMORY, 'write', options);
  migrate(connection);
  moveSessions(connection);
  return connection;
}

function connectOnce(path: string, options: SqliteOptions): Connection {
  const stats = statSync(path, { throwIfNoEntry: false });
  // SQLite would take a device for an empty file, and what is written to /dev/null is gone.
  if (stats !== undefined && !stats.isFile()) {
    throw new AssayError('STORE_UNREADABLE', `${path} is ${stats.isDirectory() ? 'a folder' : 'not a file'}`);
  }
  const pending = sizeOf(`${path}-wal`) > 0;
  try {
    // Closing a writing connection moves what a crashed process left into the file. Not in a file we may refuse.
    if (pending) using(new Connection(path, 'read', options), (connection) => inspect(connection));
    return ready(new Connection(path, 'write', options));
  } catch (error) {
    if (stats === undefined || pending || !needsWritableFolder(error)) throw error;
    return readyToRead(new Connection(path, 'frozen', options));
  }
}

function ready(connection: Connection): Connection {
  try {
    const applied = inspect(connection);
    ensureWal(connection, applied > 0);
    if (applied < MIGRATIONS.length) migrate(connection);
    moveSessions(connection);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function ensureWal(connection: Connection, readable: boolean): void {
  try {
    const mode = connection.get('PRAGMA journal_mode = WAL')?.[0];
    if (mode !== 'wal') {
      throw new AssayError(
        'STORE_UNREADABLE',
        `${connection.path} is on a file system without shared memory`,
      );
    }
  } catch (error) {
    // A store put on read-only media may have been taken out of WAL; it can be read as it is.
    if (!readable || !isReadOnly(error)) throw error;
  }
}

function readyToRead(connection: Connection): Connection {
  try {
    if (inspect(connection) < MIGRATIONS.length || isMoving(connection)) {
      throw new AssayError(
        'STORE_UNREADABLE',
        `${connection.path} must be migrated first, and cannot be written`,
      );
    }
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function using(connection: Connection, work: (connection: Connection) => void): void {
  try {
    work(connection);
  } finally {
    connection.close();
  }
}
