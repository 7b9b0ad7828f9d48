/** How SQLite answers the questions of `sql/`. */

import type { SQLInputValue } from 'node:sqlite';
import { setImmediate as otherWork } from 'node:timers/promises';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Dialect, Engine, Row, Values } from '../sql/engine.ts';
import { Connection, MEMORY, type SqliteOptions } from './connection.ts';
import { toAssayError } from './sqlite-error.ts';

export const SQLITE: Dialect = {
  parameter: (name, value) =>
    Array.isArray(value) ? `(${value.map((_, i) => `:${name}_${i}`).join(', ')})` : `:${name}`,
  current: (table) => table,
  contains: (text, part) => `instr(${text}, ${part}) > 0`,
  endsWith: (text, end) => `substr(${text}, -length(${end})) = ${end}`,
  lower: (text) => `lower_all(${text})`,
  unpack: (value) => (value instanceof Uint8Array ? unpack(value) : undefined),
  countBins: (bins) => `group_concat(${bins}, '')`,
  sessions: {
    key: 'id',
    keys: (index) => (index === undefined ? 'session' : `session INDEXED BY ${index}`),
    summaries: 'session LEFT JOIN session_group USING (group_id)',
    // A session without its facts is damaged, not absent.
    whole:
      'session LEFT JOIN session_group USING (group_id) LEFT JOIN session_facts ON session_facts.session = session.id',
    groups: 'session_group',
    days: 'session_day',
    named: (condition) => `group_id IN (SELECT group_id FROM session_group WHERE ${condition})`,
  },
};

/** Far more than any session or run has; what unpacks to more is damaged. */
const MOST_BYTES = 1 << 30;

export function pack(text: string): Uint8Array {
  return zstdCompressSync(text);
}

function unpack(bytes: Uint8Array): string | undefined {
  try {
    return zstdDecompressSync(bytes, { maxOutputLength: MOST_BYTES }).toString();
  } catch {
    return undefined;
  }
}

/** A list is bound value by value. */
export function bound(values: Values): Record<string, SQLInputValue> {
  const named: Record<string, SQLInputValue> = {};
  for (const [name, value] of Object.entries(values)) {
    if (Array.isArray(value)) for (const [i, one] of value.entries()) named[`${name}_${i}`] = one;
    else named[name] = value as string | number;
  }
  return named;
}

/** Rows streamed before other work of this process gets its turn. */
const ROWS_PER_TURN = 256;

export class SqliteEngine implements Engine {
  readonly address: string;
  readonly dialect = SQLITE;
  readonly #connection: Connection;
  readonly #options: SqliteOptions;
  readonly #guard: <T>(work: () => T) => T;
  readonly #readers = new Set<Connection>();

  constructor(connection: Connection, options: SqliteOptions, guard: <T>(work: () => T) => T) {
    this.address = connection.path;
    this.#connection = connection;
    this.#options = options;
    this.#guard = guard;
  }

  async all(sql: string, values: Values = {}): Promise<readonly Row[]> {
    return this.#guard(() => {
      const rows = this.#connection.all(sql, bound(values));
      this.#connection.assertUnchanged();
      return rows;
    });
  }

  async *iterate(sql: string, values: Values = {}): AsyncGenerator<Row> {
    const reader = this.#guard(() => this.#openReader());
    try {
      let count = 0;
      const rows = reader.iterate(sql, bound(values));
      // In memory there is no second connection, so the reading is finished before anything else can happen.
      for (const row of reader === this.#connection ? [...rows] : rows) {
        yield row;
        count += 1;
        if (count % ROWS_PER_TURN === 0) {
          reader.assertUnchanged();
          await otherWork();
        }
      }
      reader.assertUnchanged();
    } catch (error) {
      throw toAssayError(error, this.#connection.path);
    } finally {
      // Also when the caller stops early: `break` ends the generator here.
      if (this.#readers.delete(reader)) reader.close();
    }
  }

  close(): void {
    for (const reader of this.#readers) reader.close();
    this.#readers.clear();
  }

  /** A separate connection reads a snapshot of the store, whatever is appended meanwhile. */
  #openReader(): Connection {
    const { path, mode } = this.#connection;
    if (path === MEMORY) return this.#connection;
    const reader = new Connection(path, mode === 'frozen' ? 'frozen' : 'read', this.#options);
    this.#readers.add(reader);
    return reader;
  }
}
