/**
 * What was read before: facts per file, where a growing file was left, and which files share entries. A cache that
 * may be deleted at any time, holds no text of any transcript, and serves several processes at once (SQLite, WAL). If
 * it is damaged it is put aside and a new one begun; if it cannot be used at all, everything is read again.
 */
import { existsSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { makeOwnFolder } from '../../../own-folder.ts';
import type { FileReading } from '../../evidence.ts';
import type { Identity } from '../files/file-identity.ts';
import type { KeptSessions } from '../reading/kept-sessions.ts';
import { type Portion, portionText, type Spill, spilled } from '../reading/spill-list.ts';

export type CachedFile = {
  readonly identity: Identity;
  /** Of the files beside it that belong to it. */
  readonly beside: string;
  readonly kept: KeptSessions;
  readonly reading: FileReading;
  /** Checksum of all that was read, where it can be resumed. */
  readonly prefix: number | undefined;
};

export type FileToCache = CachedFile & {
  readonly path: string;
  readonly progress: string | undefined;
  readonly keys: Float64Array;
  /** True: `keys` are added to those known of the file. */
  readonly resumed: boolean;
};

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS file (
    path TEXT PRIMARY KEY, version TEXT NOT NULL, identity TEXT NOT NULL, beside TEXT NOT NULL,
    reading TEXT NOT NULL, source TEXT, sessions TEXT NOT NULL, checksum INTEGER NOT NULL, portions INTEGER NOT NULL,
    prefix INTEGER, parts INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS portion (path TEXT, part INTEGER, sessions TEXT NOT NULL, PRIMARY KEY (path, part));
  CREATE TABLE IF NOT EXISTS progress (path TEXT PRIMARY KEY, state TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS entry_keys (path TEXT, part INTEGER, keys BLOB NOT NULL, PRIMARY KEY (path, part));
  CREATE TABLE IF NOT EXISTS corpus (id TEXT PRIMARY KEY, result TEXT NOT NULL) WITHOUT ROWID;
`;
const TABLES = ['file', 'portion', 'progress', 'entry_keys', 'corpus'];
/** Raised when what is stored changes its shape. */
const LAYOUT = 10;
const MAX_CORPORA = 50;

const RECALL = `
  SELECT identity, beside, reading, source, sessions, checksum, portions, prefix FROM file
  WHERE path = ? AND version = ?
`;
const RECALL_PORTIONS = 'SELECT sessions FROM portion WHERE path = ? ORDER BY part';

/** Undefined when there is no way to keep a cache at this place, or others may write there. */
export function openTranscriptCache(path: string, version: string): TranscriptCache | undefined {
  if (!makeOwnFolder(dirname(path))) return undefined;
  try {
    return new TranscriptCache(path, version);
  } catch (error) {
    if (!isDamage(error)) return undefined;
  }
  try {
    putAside(path);
    return new TranscriptCache(path, version);
  } catch {
    return undefined;
  }
}

/** Open one with `openTranscriptCache`. Nothing here throws: a cache that fails has forgotten. */
export class TranscriptCache {
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #version: string;
  readonly #statements = new Map<string, StatementSync>();
  #isDamaged = false;

  constructor(path: string, version: string) {
    this.#path = path;
    this.#version = `${version}/${LAYOUT}`;
    this.#database = new DatabaseSync(path, { timeout: 5000 });
    try {
      // Rows are long: larger pages are written in half the time.
      this.#database.exec('PRAGMA page_size = 32768;');
      this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
      this.#renew();
      this.#database.exec(SCHEMA);
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** What an earlier version wrote is let go of. */
  #renew(): void {
    if (this.#database.prepare('PRAGMA user_version').get()?.user_version === LAYOUT) return;
    const drops = TABLES.map((table) => `DROP TABLE IF EXISTS ${table};`).join(' ');
    this.#database.exec(`BEGIN IMMEDIATE; ${drops} PRAGMA user_version = ${LAYOUT}; COMMIT;`);
  }

  recall(path: string, spill: Spill | undefined): CachedFile | undefined {
    return this.#quietly(() => {
      const row = this.#prepare(RECALL).get(path, this.#version);
      if (row === undefined) return undefined;
      const first = String(row.sessions);
      let checksum = crc32(first);
      const portions: Portion[] = row.portions === 0 ? [] : [{ json: first }];
      if (Number(row.portions) > 1) {
        for (const { sessions } of this.#prepare(RECALL_PORTIONS).iterate(path)) {
          const json = String(sessions);
          checksum = crc32(json, checksum);
          portions.push(spilled({ json }, spill));
        }
      }
      if (checksum !== row.checksum) return undefined;
      return {
        identity: JSON.parse(String(row.identity)),
        beside: String(row.beside),
        reading: JSON.parse(String(row.reading)),
        kept: { source: typeof row.source === 'string' ? row.source : undefined, portions },
        prefix: typeof row.prefix === 'number' ? row.prefix : undefined,
      };
    });
  }

  progressOf(path: string): string | undefined {
    return this.#quietly(() => {
      const row = this.#prepare('SELECT state FROM progress WHERE path = ?').get(path);
      return row === undefined ? undefined : String(row.state);
    });
  }

  keysOf(path: string): Float64Array {
    const rows = this.#quietly(() =>
      this.#prepare('SELECT keys FROM entry_keys WHERE path = ? ORDER BY part').all(path),
    );
    const parts = (rows ?? []).flatMap(({ keys }) => (keys instanceof Uint8Array ? [keys] : []));
    const bytes = Buffer.concat(parts);
    return new Float64Array(
      bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length - (bytes.length % 8)),
    );
  }

  /** All or nothing; a cache that is full or locked is no reason to fail. */
  remember(files: readonly FileToCache[]): void {
    if (files.length === 0) return;
    this.#quietly(() => {
      this.#database.exec('BEGIN IMMEDIATE');
      try {
        for (const file of files) this.#write(file);
        this.#database.exec('COMMIT');
      } catch (error) {
        this.#database.exec('ROLLBACK');
        throw error;
      }
    });
  }

  /** What was read is still there, and has not changed for a while. */
  settle(path: string, identity: Identity): void {
    this.#quietly(() =>
      this.#prepare('UPDATE file SET identity = ? WHERE path = ?').run(JSON.stringify(identity), path),
    );
  }

  /** What became of the files that share entries, when exactly these files are read together. */
  corpus(id: string): string | undefined {
    return this.#quietly(() => {
      const row = this.#prepare('SELECT result FROM corpus WHERE id = ?').get(`${this.#version} ${id}`);
      return row === undefined ? undefined : String(row.result);
    });
  }

  rememberCorpus(id: string, result: string): void {
    this.#quietly(() => {
      const { count } = this.#prepare('SELECT count(*) AS count FROM corpus').get() as { count: number };
      if (count >= MAX_CORPORA) this.#database.exec('DELETE FROM corpus');
      this.#prepare('INSERT OR REPLACE INTO corpus VALUES (?, ?)').run(`${this.#version} ${id}`, result);
    });
  }

  close(): void {
    this.#quietly(() => this.#database.close());
    if (this.#isDamaged) this.#quietly(() => putAside(this.#path));
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #quietly<T>(use: () => T): T | undefined {
    try {
      return use();
    } catch (error) {
      this.#isDamaged ||= isDamage(error);
      return undefined;
    }
  }

  #write(file: FileToCache): void {
    const { path, identity, beside, reading, kept, prefix, progress, keys, resumed } = file;
    const part = resumed ? this.#partsOf(path) : 0;
    if (!resumed) this.#prepare('DELETE FROM entry_keys WHERE path = ?').run(path);
    if (keys.length > 0) {
      const bytes = new Uint8Array(keys.buffer, keys.byteOffset, keys.byteLength);
      this.#prepare('INSERT OR REPLACE INTO entry_keys VALUES (?, ?, ?)').run(path, part, bytes);
    }
    const { first, checksum } = this.#writePortions(path, kept);
    this.#prepare('INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').run(
      path,
      this.#version,
      JSON.stringify(identity),
      beside,
      JSON.stringify(reading),
      kept.source ?? null,
      first,
      checksum,
      kept.portions.length,
      prefix ?? null,
      part + 1,
    );
    if (progress === undefined) this.#prepare('DELETE FROM progress WHERE path = ?').run(path);
    else this.#prepare('INSERT OR REPLACE INTO progress VALUES (?, ?)').run(path, progress);
  }

  /** The first portion, nearly always the only one, stands with its file; the others have rows of their own. */
  #writePortions(path: string, { portions }: KeptSessions): { first: string; checksum: number } {
    this.#prepare('DELETE FROM portion WHERE path = ?').run(path);
    const first = portions[0] === undefined ? '' : portionText(portions[0]);
    let checksum = crc32(first);
    for (const [part, portion] of portions.entries()) {
      if (part === 0) continue;
      const text = portionText(portion);
      checksum = crc32(text, checksum);
      this.#prepare('INSERT INTO portion VALUES (?, ?, ?)').run(path, part, text);
    }
    return { first, checksum };
  }

  #partsOf(path: string): number {
    const row = this.#prepare('SELECT parts FROM file WHERE path = ?').get(path);
    return Number(row?.parts ?? 0);
  }
}

/** What is no cache, or no longer one, is kept under another name. */
function putAside(path: string): void {
  for (const suffix of ['-wal', '-shm', '']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, `${path}.damaged${suffix}`);
  }
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. A cache that is only busy must not be touched. */
function isDamage(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  return code === 11 || code === 26;
}
