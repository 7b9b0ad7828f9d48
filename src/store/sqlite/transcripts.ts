import type { Json } from '../store.ts';
import type { Transcript, TranscriptChanges, TranscriptIndex } from '../transcripts.ts';
import type { Connection } from './connection.ts';
import { removeSessions } from './sessions.ts';

/** A path that is synced again replaces its row. */
export const TRANSCRIPTS = `
CREATE TABLE transcript (
  path TEXT NOT NULL PRIMARY KEY,
  stamp TEXT NOT NULL,
  reading TEXT NOT NULL,
  sessions TEXT NOT NULL,
  keys BLOB NOT NULL,
  is_shared INTEGER NOT NULL,
  is_settled INTEGER NOT NULL
) STRICT;
CREATE TABLE sync_note (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

const WRITE = `INSERT OR REPLACE INTO transcript (path, stamp, reading, sessions, keys, is_shared, is_settled)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;

const SETTLE =
  'UPDATE transcript SET is_settled = 1, sessions = ?, is_shared = ? WHERE path = ? AND stamp = ?';

export class SqliteTranscripts implements TranscriptIndex {
  readonly #connection: Connection;
  readonly #guard: <T>(work: () => T) => T;
  readonly #write: (work: () => void) => void;

  constructor(connection: Connection, guard: <T>(work: () => T) => T, write: (work: () => void) => void) {
    this.#connection = connection;
    this.#guard = guard;
    this.#write = write;
  }

  async list(): Promise<readonly Omit<Transcript, 'keys' | 'reading'>[]> {
    const rows = this.#all(
      'SELECT path, stamp, sessions, is_shared, is_settled FROM transcript ORDER BY path',
    );
    return rows.map(([path, stamp, sessions, isShared, isSettled]) => ({
      path: String(path),
      stamp: String(stamp),
      sessions: JSON.parse(String(sessions)) as Json,
      isShared: isShared === 1,
      isSettled: isSettled === 1,
    }));
  }

  async keys(): Promise<ReadonlyMap<string, Float64Array>> {
    const rows = this.#all('SELECT path, keys FROM transcript');
    return new Map(rows.map(([path, keys]) => [String(path), numbersIn(keys)]));
  }

  async readings(): Promise<ReadonlyMap<string, Json>> {
    const rows = this.#all('SELECT path, reading FROM transcript');
    return new Map(rows.map(([path, reading]) => [String(path), JSON.parse(String(reading)) as Json]));
  }

  async notes(): Promise<ReadonlyMap<string, string>> {
    return new Map(
      this.#all('SELECT name, value FROM sync_note').map(([name, value]) => [String(name), String(value)]),
    );
  }

  async write({ transcripts = [], gone = [], settled = [], notes }: TranscriptChanges): Promise<void> {
    const isEmpty = transcripts.length + gone.length + settled.length + (notes?.size ?? 0) === 0;
    if (isEmpty) return;
    this.#write(() => {
      for (const { path, stamp, reading, sessions, keys, isShared, isSettled } of transcripts) {
        const bytes = new Uint8Array(keys.buffer, keys.byteOffset, keys.byteLength);
        const flags = [Number(isShared), Number(isSettled)];
        const values = [path, stamp, JSON.stringify(reading), JSON.stringify(sessions), bytes, ...flags];
        this.#connection.run(WRITE, values);
      }
      removeSessions(this.#connection, gone);
      for (const { path, stamp, sessions, isShared } of settled)
        this.#connection.run(SETTLE, [JSON.stringify(sessions), Number(isShared), path, stamp]);
      for (const [name, value] of notes ?? [])
        this.#connection.run('INSERT OR REPLACE INTO sync_note (name, value) VALUES (?, ?)', [name, value]);
    });
  }

  #all(sql: string) {
    return this.#guard(() => this.#connection.all(sql));
  }
}

/** The bytes of a row may begin anywhere; numbers may not. */
function numbersIn(value: unknown): Float64Array {
  if (!(value instanceof Uint8Array)) return new Float64Array();
  return new Float64Array(Uint8Array.from(value).buffer, 0, Math.floor(value.byteLength / 8));
}
