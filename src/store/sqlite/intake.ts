import { chmodSync } from 'node:fs';
import type { IntakePart } from '../intake.ts';
import { INTAKE_COLUMNS, SqlIntake, untouchedStreams } from '../sql/intake.ts';
import { type Connection, MEMORY } from './connection.ts';
import type { SqliteEngine } from './sqlite-engine.ts';

/** The second index answers every question about a stream except for its contents. */
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
CREATE INDEX intake_by_position ON intake (project, stream, position, key, length, received_at);
CREATE INDEX intake_by_time ON intake (received_at, project, stream);
`;

const COLUMNS = [...INTAKE_COLUMNS, 'received_at'];
const ADD = `INSERT OR IGNORE INTO intake (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`;

export class SqliteIntake extends SqlIntake {
  readonly isShared = false;
  readonly #connection: Connection;
  readonly #write: <T>(work: () => T) => T;
  #isOwn = false;
  /** Rows that were written: they change no answer. */
  changes = 0;

  constructor(engine: SqliteEngine, connection: Connection, write: <T>(work: () => T) => T) {
    super(engine);
    this.#connection = connection;
    this.#write = write;
  }

  async append(parts: readonly IntakePart[]): Promise<void> {
    this.#keepOthersOut();
    const receivedAt = Date.now();
    this.changes += this.#write(() => {
      let added = 0;
      for (const { project = '', stream, key, position, content } of parts) {
        const values = [project, stream, key, position, content.length, content, receivedAt];
        added += this.#connection.run(ADD, values).changes;
      }
      return added;
    });
  }

  /** One step of a pruning: how many streams went. */
  prune(before: string): number {
    const old = this.#connection.all(`${untouchedStreams('intake', '?')} LIMIT ${PRUNED_AT_ONCE}`, [
      Date.parse(before),
    ]);
    for (const [project = '', stream = ''] of old)
      this.changes += this.#connection.run('DELETE FROM intake WHERE project = ? AND stream = ?', [
        project,
        stream,
      ]).changes;
    return old.length;
  }

  protected async now(): Promise<number> {
    return Date.now();
  }

  protected unpack(content: unknown): Uint8Array {
    return content as Uint8Array;
  }

  /** From now on the file holds what was said in sessions. Its log takes over who may read it. */
  #keepOthersOut(): void {
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

/** Streams deleted in one transaction: other work gets its turn in between. */
const PRUNED_AT_ONCE = 20;
