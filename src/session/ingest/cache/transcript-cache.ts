/**
 * What was read before: facts per file, where a growing file was left, and which files share entries. A cache that
 * may be deleted at any time, holds no text of any transcript, and serves several processes at once (SQLite, WAL). If
 * it is damaged it is put aside and a new one begun; if it cannot be used at all, everything is read again.
 */
import { existsSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { makeGuardedFolder } from '../../../own-folder.ts';
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

/** Plain text: what it says is the business of whoever asked. */
export type RememberedAnswer = { readonly about: string; readonly rows: string };

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS file (
    path TEXT PRIMARY KEY, identity TEXT NOT NULL, beside TEXT NOT NULL, reading TEXT NOT NULL, source TEXT, sessions TEXT NOT NULL, checksum INTEGER NOT NULL, portions INTEGER NOT NULL,
    prefix INTEGER, parts INTEGER NOT NULL, row_checksum INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS portion (path TEXT, part INTEGER, sessions TEXT NOT NULL, PRIMARY KEY (path, part));
  CREATE TABLE IF NOT EXISTS progress (path TEXT PRIMARY KEY, state TEXT NOT NULL, checksum INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS entry_keys (
    path TEXT, part INTEGER, keys BLOB NOT NULL, checksum INTEGER NOT NULL, PRIMARY KEY (path, part)
  );
  CREATE TABLE IF NOT EXISTS corpus (id TEXT PRIMARY KEY, result TEXT NOT NULL, checksum INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS answer (question TEXT PRIMARY KEY, about TEXT NOT NULL, rows TEXT NOT NULL, checksum INTEGER NOT NULL);
`;
const TABLES = ['file', 'portion', 'progress', 'entry_keys', 'corpus', 'answer'];
const OF_A_FILE = ['file', 'portion', 'progress', 'entry_keys'];
/** Raised when what is stored changes its shape. */
const LAYOUT = 17;
const MAX_CORPORA = 50;
const MAX_ANSWERS = 20;
/** Files that are looked for in one go. */
const LOOKED_AT = 500;

const RECALL = `
  SELECT identity, beside, reading, source, sessions, checksum, portions, prefix, parts, row_checksum FROM file
  WHERE path = ?
`;
const RECALL_PORTIONS = 'SELECT sessions FROM portion WHERE path = ? ORDER BY part';

/** Undefined when there is no way to keep a cache at this place, or others may write there. */
export function openTranscriptCache(path: string, version: string): TranscriptCache | undefined {
  if (!makeGuardedFolder(dirname(path))) return undefined;
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
    this.#version = version;
    this.#database = new DatabaseSync(path, { timeout: 5000 });
    try {
      // Rows are long: larger pages are written in half the time. Pages that are no longer used are given back.
      this.#database.exec('PRAGMA page_size = 32768; PRAGMA auto_vacuum = INCREMENTAL;');
      this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
      this.#renew();
      this.#database.exec(SCHEMA);
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** What another version wrote is let go of. */
  #renew(): void {
    const mark = crc32(`${LAYOUT} ${this.#version}`) | 0;
    if (this.#database.prepare('PRAGMA user_version').get()?.user_version === mark) return;
    const drops = TABLES.map((table) => `DROP TABLE IF EXISTS ${table};`).join(' ');
    this.#database.exec(`BEGIN IMMEDIATE; ${drops} PRAGMA user_version = ${mark}; COMMIT;`);
    // Empty now: done at once, and pages are given back from here on.
    this.#database.exec('VACUUM');
  }

  recall(path: string, spill: Spill | undefined): CachedFile | undefined {
    return this.#quietly(() => {
      const row = this.#prepare(RECALL).get(path);
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
      if (checksum !== row.checksum || row.row_checksum !== this.#rowChecksum(path, row)) return undefined;
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
      const row = this.#prepare('SELECT state, checksum FROM progress WHERE path = ?').get(path);
      if (row === undefined || row.checksum !== checksumOf(path, String(row.state))) return undefined;
      return String(row.state);
    });
  }

  /** Undefined when they are not what was remembered: the file has to be read again. */
  keysOf(path: string): Float64Array | undefined {
    return this.#quietly(() => {
      const wanted = this.#prepare('SELECT parts FROM file WHERE path = ?').get(path)?.parts;
      const rows = this.#prepare(
        'SELECT part, keys, checksum FROM entry_keys WHERE path = ? ORDER BY part',
      ).all(path);
      const parts = rows.map(({ part, keys, checksum }, place) => {
        const isWhole = keys instanceof Uint8Array && part === place && keys.length % 8 === 0;
        return isWhole && checksum === keysChecksum(path, place, keys) ? keys : undefined;
      });
      if (parts.length !== wanted || parts.includes(undefined)) return undefined;
      const bytes = Buffer.concat(parts as Uint8Array[]);
      return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
    });
  }

  /** What is remembered of these files, of any files together, and of answers, which may rest on them, is let go of. */
  forget(paths: readonly string[]): void {
    if (paths.length === 0) return;
    this.#together(() => {
      for (const path of paths)
        for (const table of OF_A_FILE) this.#prepare(`DELETE FROM ${table} WHERE path = ?`).run(path);
      this.#database.exec('DELETE FROM corpus; DELETE FROM answer;');
    });
    this.#quietly(() => this.#database.exec('PRAGMA incremental_vacuum'));
  }

  /**
   * Lets go of files that are no longer there. Some are looked at each time, in turn, so that it takes no longer however
   * many are remembered; as long as most of them are gone, more are.
   */
  forgetGone(isGone: (path: string) => boolean): void {
    const count = Number(this.#quietly(() => this.#prepare('SELECT count(*) AS n FROM file').get()?.n) ?? 0);
    let at = count <= LOOKED_AT ? 0 : Math.floor(Math.random() * count);
    for (let looked = 0; looked < count; ) {
      const paths = this.#pathsFrom(at);
      const gone = paths.filter(isGone);
      this.forget(gone);
      if (gone.length * 2 < paths.length || (paths.length === 0 && at === 0)) return;
      looked += paths.length;
      at = paths.length < LOOKED_AT ? 0 : at + paths.length - gone.length;
    }
  }

  #pathsFrom(place: number): string[] {
    const rows = this.#quietly(() =>
      this.#prepare('SELECT path FROM file ORDER BY path LIMIT ? OFFSET ?').all(LOOKED_AT, place),
    );
    return (rows ?? []).map(({ path }) => String(path));
  }

  /** All or nothing; a cache that is full or locked is no reason to fail. */
  remember(files: readonly FileToCache[]): void {
    if (files.length === 0) return;
    this.#together(() => {
      for (const file of files) this.#write(file);
    });
  }

  #together(work: () => void): void {
    this.#quietly(() => {
      this.#database.exec('BEGIN IMMEDIATE');
      try {
        work();
        this.#database.exec('COMMIT');
      } catch (error) {
        this.#database.exec('ROLLBACK');
        throw error;
      }
    });
  }

  /** What was read is still there, and has not changed for a while. */
  settle(path: string, identity: Identity): void {
    this.#quietly(() => {
      const row = this.#prepare(RECALL).get(path);
      if (row === undefined || row.row_checksum !== this.#rowChecksum(path, row)) return;
      const now = { ...row, identity: JSON.stringify(identity) };
      this.#prepare('UPDATE file SET identity = ?, row_checksum = ? WHERE path = ?').run(
        now.identity,
        this.#rowChecksum(path, now),
        path,
      );
    });
  }

  /** What became of the files that share entries, when exactly these files are read together. */
  corpus(id: string): string | undefined {
    return this.#quietly(() => {
      const name = `${this.#version} ${id}`;
      const row = this.#prepare('SELECT result, checksum FROM corpus WHERE id = ?').get(name);
      if (row === undefined || row.checksum !== checksumOf(name, String(row.result))) return undefined;
      return String(row.result);
    });
  }

  rememberCorpus(id: string, result: string): void {
    this.#quietly(() => {
      const { count } = this.#prepare('SELECT count(*) AS count FROM corpus').get() as { count: number };
      if (count >= MAX_CORPORA) this.#database.exec('DELETE FROM corpus');
      const name = `${this.#version} ${id}`;
      this.#prepare('INSERT OR REPLACE INTO corpus VALUES (?, ?, ?)').run(
        name,
        result,
        checksumOf(name, result),
      );
    });
  }

  /** What was answered to a question, and what that rests on. */
  answer(question: string): RememberedAnswer | undefined {
    return this.#quietly(() => {
      const row = this.#prepare('SELECT about, rows, checksum FROM answer WHERE question = ?').get(question);
      if (row === undefined) return undefined;
      const [about, rows] = [String(row.about), String(row.rows)];
      return row.checksum === checksumOf(`${question}\n${about}`, rows) ? { about, rows } : undefined;
    });
  }

  /** The last answer takes the place of the one before. */
  rememberAnswer(question: string, { about, rows }: RememberedAnswer): void {
    this.#together(() => {
      const { count } = this.#prepare('SELECT count(*) AS count FROM answer').get() as { count: number };
      if (count >= MAX_ANSWERS) this.#database.exec('DELETE FROM answer');
      const checksum = checksumOf(`${question}\n${about}`, rows);
      this.#prepare('INSERT OR REPLACE INTO answer VALUES (?, ?, ?, ?)').run(question, about, rows, checksum);
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
    const bytes = new Uint8Array(keys.buffer, keys.byteOffset, keys.byteLength);
    const sum = keysChecksum(path, part, bytes);
    this.#prepare('INSERT OR REPLACE INTO entry_keys VALUES (?, ?, ?, ?)').run(path, part, bytes, sum);
    const { first, checksum } = this.#writePortions(path, kept);
    const row = {
      identity: JSON.stringify(identity),
      beside,
      reading: JSON.stringify(reading),
      source: kept.source ?? null,
      sessions: first,
      checksum,
      portions: kept.portions.length,
      prefix: prefix ?? null,
      parts: part + 1,
    };
    this.#prepare('INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').run(
      path,
      ...Object.values(row),
      this.#rowChecksum(path, row),
    );
    if (progress === undefined) this.#prepare('DELETE FROM progress WHERE path = ?').run(path);
    else
      this.#prepare('INSERT OR REPLACE INTO progress VALUES (?, ?, ?)').run(
        path,
        progress,
        checksumOf(path, progress),
      );
  }

  /** Of all that stands in the row of a file but its sessions, which have a checksum of their own. */
  #rowChecksum(path: string, row: Readonly<Record<string, unknown>>): number {
    const { identity, beside, reading, source, checksum, portions, prefix, parts } = row;
    const values = [
      path,
      this.#version,
      identity,
      beside,
      reading,
      source,
      checksum,
      portions,
      prefix,
      parts,
    ];
    return crc32(JSON.stringify(values));
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

/** With the name of what it belongs to: a row that took the place of another is damage, too. */
function checksumOf(name: string, text: string): number {
  return crc32(text, crc32(name));
}

function keysChecksum(path: string, part: number, keys: Uint8Array): number {
  return crc32(keys, crc32(`${part} ${path}`));
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
