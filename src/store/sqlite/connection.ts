import { closeSync, openSync, statSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { AssayError } from '../../errors.ts';
import type { StoreState } from '../upkeep.ts';
import { inspect, MIGRATIONS, migrate } from './schema.ts';
import { isBusy, isReadOnly, needsWritableFolder, toAssayError } from './sqlite-error.ts';

export const MEMORY = ':memory:';

export type SqliteOptions = {
  /** How long to wait for other processes. */
  readonly busyTimeoutMs?: number;
  /** The store may not grow beyond this many pages of 4 KiB. */
  readonly maxPages?: number;
};

/**
 * `frozen` reads a file in a folder where SQLite may not create its own files. It takes no locks, so `assertUnchanged`
 * checks for writers.
 */
export type Mode = 'write' | 'read' | 'frozen';

/** One connection: prepared statements by their text, rows as arrays, and transactions that end one way or the other. */
export class Connection {
  readonly path: string;
  readonly mode: Mode;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #fingerprint: string | undefined;

  constructor(path: string, mode: Mode, options: SqliteOptions = {}) {
    this.path = path;
    this.mode = mode;
    this.#fingerprint = mode === 'frozen' ? fingerprint(path) : undefined;
    this.#database = new DatabaseSync(
      mode === 'frozen' ? immutable(path) : path === MEMORY ? UNNAMED : path,
      {
        readOnly: mode !== 'write',
        timeout: options.busyTimeoutMs ?? 10_000,
      },
    );
    try {
      // FULL and fullfsync: an acknowledged batch is on the disk, not in a cache that a power cut empties. The file
      // may come from anybody: functions in its schema are not run, and damaged pages are looked for.
      this.#database.exec(`
        PRAGMA synchronous = FULL;
        PRAGMA fullfsync = ON;
        PRAGMA trusted_schema = OFF;
        PRAGMA cell_size_check = ON;
      `);
      this.#database.function('lower_all', { deterministic: true }, (text) => String(text).toLowerCase());
      if (options.maxPages !== undefined)
        this.exec(`PRAGMA max_page_count = ${Math.trunc(options.maxPages)}`);
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  get isOpen(): boolean {
    return this.#database.isOpen;
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** How many rows changed, and the number of the row that was added last. */
  run(sql: string, values: SqlValues): { changes: number; id: number } {
    const { changes, lastInsertRowid } = this.#prepare(sql).run(...argumentsOf(values));
    return { changes: Number(changes), id: Number(lastInsertRowid) };
  }

  all(sql: string, values: SqlValues = []): readonly SqlRow[] {
    return this.#prepare(sql).all(...argumentsOf(values)) as unknown as readonly SqlRow[];
  }

  get(sql: string, values: SqlValues = []): SqlRow | undefined {
    return this.#prepare(sql).get(...argumentsOf(values)) as unknown as SqlRow | undefined;
  }

  iterate(sql: string, values: SqlValues): IterableIterator<SqlRow> {
    return this.#prepare(sql).iterate(...argumentsOf(values)) as unknown as IterableIterator<SqlRow>;
  }

  /** IMMEDIATE takes the write lock at once, where waiting for it is safe; a later upgrade would fail instead. */
  transaction<T>(work: () => T, begin: 'BEGIN IMMEDIATE' | 'BEGIN' = 'BEGIN IMMEDIATE'): T {
    this.exec(begin);
    try {
      const result = work();
      this.exec('COMMIT');
      return result;
    } catch (error) {
      // SQLite has already rolled back after some errors, a full disk for one.
      if (this.#database.isTransaction) this.exec('ROLLBACK');
      throw error;
    }
  }

  assertUnchanged(): void {
    if (this.#fingerprint !== undefined && this.#fingerprint !== fingerprint(this.path)) {
      throw new AssayError(
        'STORE_BUSY',
        `${this.path} was written while it was read from a read-only folder`,
      );
    }
  }

  close(): void {
    this.#statements.clear();
    if (this.#database.isOpen) this.#database.close();
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      statement.setReturnArrays(true);
      statement.setAllowUnknownNamedParameters(true);
      if (this.#statements.size >= MOST_STATEMENTS) this.#statements.clear();
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

const MOST_STATEMENTS = 500;

/** The values of the requested columns, in that order. */
export type SqlRow = readonly SQLOutputValue[];
/** In the order of the marks of a statement, or by their names. */
type SqlValues = readonly SQLInputValue[] | Readonly<Record<string, SQLInputValue>>;

function argumentsOf(values: SqlValues): SQLInputValue[] {
  return (Array.isArray(values) ? values : [values]) as SQLInputValue[];
}

function immutable(path: string): URL {
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  return url;
}

function fingerprint(path: string): string {
  const { size, mtimeNs } = statSync(path, { bigint: true });
  return `${size} ${mtimeNs} ${sizeOf(`${path}-wal`)}`;
}

/** Of a file that need not exist. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Opens the file as a store of this version, making or migrating it where needed. */
export async function connect(path: string, options: SqliteOptions): Promise<Connection> {
  if (path === MEMORY) return connectMemory(options);
  const deadline = performance.now() + (options.busyTimeoutMs ?? 10_000);
  for (;;) {
    try {
      return connectOnce(path, options);
    } catch (error) {
      // Switching to WAL, and opening while the last other process closes, fail at once instead of waiting.
      if (!isBusy(error) || performance.now() >= deadline) throw error;
    }
    await sleep(2 + Math.random() * 20);
  }
}

/** A database with this name is in memory until it grows, then in an unlinked file that no other process can open. */
const UNNAMED = '';

function connectMemory(options: SqliteOptions): Connection {
  const connection = new Connection(MEMORY, 'write', options);
  connection.exec('PRAGMA journal_mode = MEMORY; PRAGMA cache_size = -8000');
  migrate(connection);
  return connection;
}

function connectOnce(path: string, options: SqliteOptions): Connection {
  const stats = statSync(path, { throwIfNoEntry: false });
  // SQLite would treat a device as an empty file, and data written to /dev/null is lost.
  if (stats !== undefined && !stats.isFile()) {
    throw new AssayError('STORE_UNREADABLE', `${path} is ${stats.isDirectory() ? 'a folder' : 'not a file'}`);
  }
  const pending = sizeOf(`${path}-wal`) > 0;
  try {
    // Its log and index take over who may read it.
    if (stats === undefined) closeSync(openSync(path, 'a', 0o600));
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
    if (inspect(connection) < MIGRATIONS.length) {
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

/** Read-only: creates and migrates nothing. Reports a store of a newer version. */
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
    return {
      ...state,
      exists: applied > 0,
      schema: { applied, known },
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
