import { statSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { AssayError } from '../../errors.ts';

export const MEMORY = ':memory:';

export type SqliteOptions = {
  /** How long to wait for other processes. */
  readonly busyTimeoutMs?: number;
  /** The store may not grow beyond this many pages of 4 KiB. */
  readonly maxPages?: number;
};

/**
 * `frozen` reads a file in a folder where SQLite may not put its own files. It then takes no locks, so that a writer
 * elsewhere would go unnoticed; `assertUnchanged` notices.
 */
export type Mode = 'write' | 'read' | 'frozen';

/** One connection: prepared statements by their text, rows as arrays, and transactions that end one way or the other. */
export class Connection {
  readonly path: string;
  readonly mode: Mode;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #fingerprint: string | undefined;
  /** Transactions that were undone: what was read meanwhile may have gone with them. */
  rollbacks = 0;

  constructor(path: string, mode: Mode, options: SqliteOptions = {}) {
    this.path = path;
    this.mode = mode;
    this.#fingerprint = mode === 'frozen' ? fingerprint(path) : undefined;
    this.#database = new DatabaseSync(mode === 'frozen' ? immutable(path) : path, {
      readOnly: mode !== 'write',
      timeout: options.busyTimeoutMs ?? 10_000,
    });
    try {
      // FULL and fullfsync: an acknowledged batch is on the disk, not in a cache that a power cut empties. The file
      // may come from anybody: functions in its schema are not run, and damaged pages are looked for.
      this.#database.exec(`
        PRAGMA synchronous = FULL;
        PRAGMA fullfsync = ON;
        PRAGMA trusted_schema = OFF;
        PRAGMA cell_size_check = ON;
      `);
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

  /** Makes a function of ours known to SQL. */
  define(name: string, work: (...values: SQLOutputValue[]) => SQLInputValue): void {
    this.#database.function(name, { deterministic: true, varargs: true }, work);
  }

  /** How many rows changed, and the number of the row that was added last. */
  run(sql: string, values: readonly SQLInputValue[]): { changes: number; id: number } {
    const { changes, lastInsertRowid } = this.#prepare(sql).run(...values);
    return { changes: Number(changes), id: Number(lastInsertRowid) };
  }

  all(sql: string, values: readonly SQLInputValue[] = []): readonly SqlRow[] {
    return this.#prepare(sql).all(...values) as unknown as readonly SqlRow[];
  }

  get(sql: string, values: readonly SQLInputValue[] = []): SqlRow | undefined {
    return this.#prepare(sql).get(...values) as unknown as SqlRow | undefined;
  }

  iterate(sql: string, values: readonly SQLInputValue[]): IterableIterator<SqlRow> {
    return this.#prepare(sql).iterate(...values) as unknown as IterableIterator<SqlRow>;
  }

  /** IMMEDIATE takes the write lock at once, where waiting for it is safe; a later upgrade would fail instead. */
  transaction<T>(work: () => T, begin: 'BEGIN IMMEDIATE' | 'BEGIN' = 'BEGIN IMMEDIATE'): T {
    this.exec(begin);
    try {
      const result = work();
      this.exec('COMMIT');
      return result;
    } catch (error) {
      this.rollbacks += 1;
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
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** The values of the columns that were asked for, in that order. */
export type SqlRow = readonly SQLOutputValue[];

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
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
