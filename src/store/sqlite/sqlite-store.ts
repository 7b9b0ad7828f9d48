import { setImmediate as otherWork } from 'node:timers/promises';
import type { ProductionCell } from '../../decomposition/production/cell.ts';
import type { DecompositionRecord, DecompositionText } from '../../decomposition/production/record.ts';
import { AssayError } from '../../errors.ts';
import type { SessionRow } from '../schema/session.ts';
import { FROM_BACKUP, guarded } from '../sql/check.ts';
import { SqlStore } from '../sql/sql-store.ts';
import { KEYED, type Table } from '../sql/tables.ts';
import { PRUNED_TABLES, pruneNote } from '../sql/upkeep.ts';
import type {
  Appended,
  Delivery,
  ProductionCellQuery,
  PrunedKind,
  RunRecord,
  Store,
  StoreChanges,
} from '../store.ts';
import type { Checking, LastPrune } from '../upkeep.ts';
import { type Connection, connect, type SqliteOptions } from './connection.ts';
import { addSums, appendDecompositions, productionCells, pruneDecompositions } from './decompositions.ts';
import { SqliteIntake } from './intake.ts';
import { appendKeyed, appendRuns, insertNew, pruneByTime, pruneWith } from './records.ts';
import { assertNotNewer } from './schema.ts';
import { appendSessions, pruneSessions } from './sessions.ts';
import { SqliteEngine } from './sqlite-engine.ts';
import { toAssayError } from './sqlite-error.ts';
import { SqliteTranscripts } from './transcripts.ts';

/** `path` is absolute, or `:memory:`; `address` is what a user typed. */
export async function openSqliteStore(
  path: string,
  address = path,
  options: SqliteOptions = {},
): Promise<Store> {
  try {
    return new SqliteStore(address, await connect(path, options), options);
  } catch (error) {
    throw toAssayError(error, path);
  }
}

class SqliteStore extends SqlStore {
  readonly #connection: Connection;
  readonly #sqlite: SqliteEngine;
  readonly transcripts: SqliteTranscripts;
  readonly intake: SqliteIntake;

  constructor(address: string, connection: Connection, options: SqliteOptions) {
    const engine = new SqliteEngine(connection, options, (work) => this.#guard(work));
    super(address, engine);
    this.#connection = connection;
    this.#sqlite = engine;
    this.transcripts = new SqliteTranscripts(
      connection,
      (work) => this.#guard(work),
      (work) => this.#write(work),
    );
    this.intake = new SqliteIntake(engine, connection, (work) => this.#write(work));
  }

  protected async addRecords(table: Table, records: readonly object[]): Promise<Appended> {
    return this.#write(() => appendKeyed(this.#connection, table, records));
  }

  protected async addRuns(runs: readonly RunRecord[]): Promise<Appended> {
    return this.#write(() => appendRuns(this.#connection, runs));
  }

  protected async addSessions(
    rows: readonly SessionRow[],
    deliveries: readonly Delivery[],
  ): Promise<Appended> {
    return this.#write(() => {
      for (const delivery of deliveries) insertNew(this.#connection, KEYED.deliveries, delivery);
      return appendSessions(this.#connection, rows);
    });
  }

  protected async addDecompositions(
    records: readonly DecompositionRecord[],
    texts: readonly DecompositionText[],
  ): Promise<Appended> {
    return this.#write(() => appendDecompositions(this.#connection, records, texts));
  }

  protected async addSums(hours: readonly ProductionCell[], minutesFrom: string): Promise<void> {
    this.#write(() => addSums(this.#connection, hours, minutesFrom));
  }

  async productionCells(query: ProductionCellQuery): Promise<readonly ProductionCell[]> {
    return this.#guard(() => {
      const cells = productionCells(this.#connection, query);
      this.#connection.assertUnchanged();
      return cells;
    });
  }

  protected async remove(kind: PrunedKind, before: string): Promise<number> {
    let removed = 0;
    for (;;) {
      const step = this.#write(() => this.#removeSome(kind, before));
      removed += step;
      if (step === 0 || (kind !== 'sessions' && kind !== 'intake')) return removed;
      await otherWork();
    }
  }

  #removeSome(kind: PrunedKind, before: string): number {
    switch (kind) {
      case 'sessions':
        return pruneSessions(this.#connection, before);
      case 'intake':
        return this.intake.prune(before);
      case 'decompositions':
        return pruneDecompositions(this.#connection, before);
      case 'alerts':
        return pruneWith(this.#connection, { table: 'alert', about: 'alert_event', key: 'alert_id' }, before);
      case 'deliveries':
        return pruneWith(
          this.#connection,
          { table: 'delivery', about: 'delivery_attempt', key: 'delivery_id' },
          before,
        );
      default:
        return pruneByTime(this.#connection, PRUNED_TABLES[kind], before);
    }
  }

  protected async notePrune(prune: LastPrune): Promise<void> {
    const { name, at, value } = pruneNote(prune);
    const sql = 'INSERT OR REPLACE INTO store_note (name, at, value) VALUES (?, ?, ?)';
    this.#write(() => this.#connection.run(sql, [name, at, value].map(String)));
  }

  /** Includes indexes. Some builds of SQLite do not report it. */
  protected async bytesByTable(): Promise<ReadonlyMap<string, number> | undefined> {
    try {
      const rows = await this.engine.all(`SELECT tbl_name, sum(pgsize) FROM sqlite_schema
        JOIN (SELECT name, pgsize FROM dbstat WHERE aggregate = TRUE) AS used ON used.name = sqlite_schema.name
        GROUP BY tbl_name`);
      return new Map(rows.map(([name, size]) => [String(name), Number(size)]));
    } catch {
      return undefined;
    }
  }

  protected async checkFiles(checking: Checking): Promise<void> {
    checking.progress('pages', 0);
    await guarded(checking, 'the file', async () => {
      for (const [fault] of await this.engine.all(`PRAGMA integrity_check(${MOST_FAULTS})`))
        if (fault !== 'ok')
          checking.found({ table: 'the file', what: `SQLite says: ${String(fault)}`, remedy: FROM_BACKUP });
    });
  }

  async changes(): Promise<StoreChanges> {
    const [row] = await this.engine.all('SELECT data_version FROM pragma_data_version');
    return { others: Number(row?.[0]) };
  }

  async close(): Promise<void> {
    this.#sqlite.close();
    this.#connection.close();
  }

  #write<T>(work: () => T): T {
    return this.#guard(() =>
      this.#connection.transaction(() => {
        assertNotNewer(this.#connection);
        return work();
      }),
    );
  }

  #guard<T>(work: () => T): T {
    if (!this.#connection.isOpen)
      throw new AssayError('INTERNAL', `${this.address} was used after it was closed`);
    try {
      return work();
    } catch (error) {
      throw toAssayError(error, this.#connection.path);
    }
  }
}

const MOST_FAULTS = 50;
