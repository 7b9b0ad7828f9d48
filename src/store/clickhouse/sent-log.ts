import type { SentLog, SentNews, SentNote, SentRecord } from '../sent-log.ts';
import type { Connection, RowValues } from './connection.ts';
import { checkKey } from './records.ts';

/** Keys that are asked for at once. */
const KEYS_AT_ONCE = 500;
/** An answer is held in memory whole. */
const BYTES_AT_ONCE = 32_000_000;
const ROWS_AT_ONCE = 5000;

const NOTE = 'file, key, content_hash, length, received_at';
const COLUMNS = ['file', 'key', 'content_hash', 'length', 'byte_offset', 'sealed'];

type Waiting = {
  readonly records: readonly SentRecord[];
  readonly done: () => void;
  readonly fail: (error: unknown) => void;
};

export class ClickHouseSentLog implements SentLog {
  readonly #connection: Connection;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** What comes while a batch is on its way goes with the next one: many small batches are what ClickHouse is slow at. */
  append(records: readonly SentRecord[]): Promise<void> {
    for (const { file, key } of records) checkKey('sent event', file + key);
    if (records.length === 0) return Promise.resolve();
    return new Promise((done, fail) => {
      this.#waiting.push({ records, done, fail });
      this.#writing ??= this.#write().finally(() => {
        this.#writing = undefined;
      });
    });
  }

  async news(since?: number): Promise<SentNews> {
    // Asked first: what comes in between is told by the next look as well.
    const [clock] = await this.#connection.all('SELECT toUnixTimestamp64Milli(now64(3))');
    // A session may be older than what is noted.
    const rows =
      since === undefined
        ? await this.#connection.all(`SELECT ${NOTE} FROM sent`)
        : await this.#connection.all(`SELECT ${NOTE} FROM sent_note WHERE received_at >= {since:Int64}`, {
            since: Math.floor(since),
          });
    return { now: Number(clock?.[0]), notes: rows.map(noteOf) };
  }

  async notesOf(files: readonly string[]): Promise<readonly SentNote[]> {
    const found: SentNote[] = [];
    for (let i = 0; i < files.length; i += KEYS_AT_ONCE) {
      const sql = `SELECT ${NOTE} FROM sent WHERE file IN {files:Array(String)}`;
      const rows = await this.#connection.all(sql, { files: files.slice(i, i + KEYS_AT_ONCE) });
      found.push(...rows.map(noteOf));
    }
    return found;
  }

  async read(notes: readonly SentNote[]): Promise<readonly (SentRecord & SentNote)[]> {
    const found: (SentRecord & SentNote)[] = [];
    for (const some of portions(notes)) {
      const wanted = new Set(some.map(nameOf));
      const rows = await this.#connection.all(
        `SELECT ${NOTE}, byte_offset, sealed FROM sent
         WHERE file IN {files:Array(String)} AND key IN {keys:Array(String)}`,
        { files: [...new Set(some.map(({ file }) => file))], keys: [...new Set(some.map(({ key }) => key))] },
      );
      found.push(...rows.map(recordOf).filter((record) => wanted.has(nameOf(record))));
    }
    return found;
  }

  /** By the clock of the store, which dated them. What comes meanwhile keeps its file. */
  async prune(days: number): Promise<void> {
    const values = { days };
    const before = `toUnixTimestamp64Milli(now64(3)) - {days:Float64} * 86400000`;
    const old = `SELECT file FROM sent GROUP BY file HAVING max(received_at) < ${before}`;
    for (const table of ['sent_note', 'sent']) {
      const over = table === 'sent' ? `file IN (${old})` : `received_at < ${before}`;
      const [some] = await this.#connection.all(`SELECT 1 FROM ${table} WHERE ${over} LIMIT 1`, values);
      if (some !== undefined) await this.#connection.remove(table, over, values);
    }
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const some = this.#waiting.splice(0);
      try {
        const rows = some.flatMap(({ records }) => records.map(rowOf));
        for (let i = 0; i < rows.length; i += ROWS_AT_ONCE)
          await this.#connection.insert('sent', COLUMNS, rows.slice(i, i + ROWS_AT_ONCE));
        for (const { done } of some) done();
      } catch (error) {
        for (const { fail } of some) fail(error);
      }
    }
  }
}

function* portions(notes: readonly SentNote[]): Generator<readonly SentNote[]> {
  let [some, bytes]: [SentNote[], number] = [[], 0];
  for (const note of notes) {
    if (some.length === KEYS_AT_ONCE || (some.length > 0 && bytes + note.length > BYTES_AT_ONCE)) {
      yield some;
      [some, bytes] = [[], 0];
    }
    some.push(note);
    bytes += note.length;
  }
  if (some.length > 0) yield some;
}

function nameOf({ file, key, hash }: Pick<SentNote, 'file' | 'key' | 'hash'>): string {
  return `${file}\n${key}\n${hash}`;
}

function rowOf({ file, key, hash, length, offset, sealed }: SentRecord): RowValues {
  return [file, key, hash, length, offset ?? null, sealed];
}

function noteOf([file, key, hash, length, receivedAt]: RowValues): SentNote {
  return {
    file: String(file),
    key: String(key),
    hash: String(hash),
    length: Number(length),
    receivedAt: Number(receivedAt),
  };
}

function recordOf(row: RowValues): SentRecord & SentNote {
  const [offset, sealed] = row.slice(5);
  return {
    ...noteOf(row),
    ...(offset === null ? {} : { offset: Number(offset) }),
    sealed: String(sealed),
  };
}
