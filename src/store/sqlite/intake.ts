import { chmodSync } from 'node:fs';
import type { IntakePart } from '../intake.ts';
import { INTAKE_COLUMNS, SqlIntake } from '../sql/intake.ts';
import { type Connection, MEMORY } from './connection.ts';
import type { SqliteEngine } from './sqlite-engine.ts';

/** The state of each stream is written with its parts, so that a query need not count them. */
export const INTAKE = `
CREATE TABLE intake (
  project TEXT NOT NULL,
  stream TEXT NOT NULL,
  key TEXT NOT NULL,
  position INTEGER NOT NULL,
  length INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  content BLOB NOT NULL,
  PRIMARY KEY (project, stream, key)
) STRICT;
CREATE INDEX intake_by_position ON intake (project, stream, position, key, length);

CREATE TABLE intake_stream (
  project TEXT NOT NULL,
  stream TEXT NOT NULL,
  parts INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  reach INTEGER NOT NULL,
  touched_at INTEGER NOT NULL,
  ended_at INTEGER NOT NULL,
  PRIMARY KEY (project, stream)
) STRICT;
CREATE INDEX intake_stream_by_time ON intake_stream (touched_at);
`;

const COLUMNS = [...INTAKE_COLUMNS, 'received_at'];
const ADD = `INSERT OR IGNORE INTO intake (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`;
const SUM = `INSERT INTO intake_stream (project, stream, parts, bytes, reach, touched_at, ended_at)
  VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET parts = parts + excluded.parts, bytes = bytes + excluded.bytes,
    reach = max(reach, excluded.reach), touched_at = excluded.touched_at, ended_at = max(ended_at, excluded.ended_at)`;

/** Streams deleted in one transaction: other work gets its turn in between. */
const PRUNED_AT_ONCE = 20;

export class SqliteIntake extends SqlIntake {
  readonly isShared = false;
  readonly #connection: Connection;
  readonly #write: <T>(work: () => T) => T;
  #isOwn = false;

  constructor(engine: SqliteEngine, connection: Connection, write: <T>(work: () => T) => T) {
    super(engine);
    this.#connection = connection;
    this.#write = write;
  }

  async append(parts: readonly IntakePart[]): Promise<void> {
    this.#makePrivate();
    const now = Date.now();
    this.#write(() => {
      for (const { project = '', stream, key, position, content } of parts) {
        const { length } = content;
        const values = [project, stream, key, position, length, content, now];
        if (this.#connection.run(ADD, values).changes === 0) continue;
        const [isPart, endedAt] = length > 0 ? [1, 0] : [0, now];
        this.#connection.run(SUM, [project, stream, isPart, length, position + length, now, endedAt]);
      }
    });
  }

  /** One step of a pruning, in a transaction: how many streams went. */
  prune(before: string): number {
    const old = this.#connection.all(
      `SELECT project, stream FROM intake_stream WHERE touched_at < ? LIMIT ${PRUNED_AT_ONCE}`,
      [Date.parse(before)],
    );
    for (const [project = '', stream = ''] of old)
      for (const table of ['intake', 'intake_stream']) {
        const sql = `DELETE FROM ${table} WHERE project = ? AND stream = ?`;
        this.#connection.run(sql, [project, stream]);
      }
    return old.length;
  }

  protected async now(): Promise<number> {
    return Date.now();
  }

  protected unpack(content: unknown): Uint8Array {
    return content as Uint8Array;
  }

  protected summary(): string {
    return 'intake_stream';
  }

  /** The file now contains session text, so it is made private. Its log file inherits the mode. */
  #makePrivate(): void {
    if (this.#isOwn || this.#connection.path === MEMORY) return;
    for (const end of ['', '-wal', '-shm'])
      try {
        chmodSync(this.#connection.path + end, 0o600);
      } catch {
        // Somebody else's file, or none yet.
      }
    this.#isOwn = true;
  }
}
