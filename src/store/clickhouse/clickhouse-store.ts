/** The store of a fleet. What it promises less than SQLite is named where its contract is tested. */
import type { ProductionCell } from '../../decomposition/production/cell.ts';
import type { DecompositionRecord, DecompositionText } from '../../decomposition/production/record.ts';
import { AssayError } from '../../errors.ts';
import type { SessionRow } from '../schema/session.ts';
import { FROM_BACKUP, guarded } from '../sql/check.ts';
import { SqlStore } from '../sql/sql-store.ts';
import { KEYED, type Table } from '../sql/tables.ts';
import { PRUNED_TABLES, pruneNote, TABLES } from '../sql/upkeep.ts';
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
import { placeOf } from './address.ts';
import { ClickHouseEngine } from './clickhouse-engine.ts';
import { Connection } from './connection.ts';
import { addSums, appendDecompositions, productionCells, pruneDecompositions } from './decompositions.ts';
import { ClickHouseIntake } from './intake.ts';
import { migrate } from './migrate.ts';
import { appendKeyed, appendNew, appendRuns, pruneByTime, pruneWith } from './records.ts';
import { appendSessions, pruneSessions } from './sessions.ts';

export async function openClickHouseStore(address: string): Promise<Store> {
  const place = placeOf(address);
  await migrate(place);
  return new ClickHouseStore(new Connection(place));
}

/** What is in these changes no answer. */
const NO_ANSWER = ['intake', 'delivery', 'delivery_attempt', 'audit'];
const OPINIONS = ['rating', 'approval', 'feedback', 'decomposition', 'decomposition_text'];
const ALL_TABLES = [
  ...Object.values(TABLES)
    .flat()
    .filter((table) => !/^session_|^production_cell$/.test(table)),
];

class ClickHouseStore extends SqlStore {
  readonly #connection: Connection;
  readonly intake: ClickHouseIntake;

  constructor(connection: Connection) {
    const { address } = connection.place;
    const engine = new ClickHouseEngine(address, () => this.#open());
    super(address, engine);
    this.#connection = connection;
    this.intake = new ClickHouseIntake(engine, connection);
  }

  protected async addRecords(table: Table, records: readonly object[]): Promise<Appended> {
    return appendKeyed(this.#open(), table, records);
  }

  protected async addRuns(runs: readonly RunRecord[]): Promise<Appended> {
    return appendRuns(this.#open(), runs);
  }

  protected async addSessions(
    rows: readonly SessionRow[],
    deliveries: readonly Delivery[],
  ): Promise<Appended> {
    for (const delivery of deliveries) await appendNew(this.#open(), KEYED.deliveries, delivery);
    return appendSessions(this.#open(), rows);
  }

  protected async addDecompositions(
    records: readonly DecompositionRecord[],
    texts: readonly DecompositionText[],
  ): Promise<Appended> {
    return appendDecompositions(this.#open(), records, texts);
  }

  protected async addSums(hours: readonly ProductionCell[], minutesFrom: string): Promise<void> {
    await addSums(this.#open(), hours, minutesFrom);
  }

  async productionCells(query: ProductionCellQuery): Promise<readonly ProductionCell[]> {
    return productionCells(this.#open(), query);
  }

  protected async remove(kind: PrunedKind, before: string): Promise<number> {
    const connection = this.#open();
    switch (kind) {
      case 'sessions':
        return pruneSessions(connection, before);
      case 'decompositions':
        return pruneDecompositions(connection, before);
      case 'intake':
        return this.intake.prune(before);
      case 'alerts':
        return pruneWith(connection, 'alert', 'alert_event', 'alert_id', before);
      case 'deliveries':
        return pruneWith(connection, 'delivery', 'delivery_attempt', 'delivery_id', before);
      default:
        return pruneByTime(connection, PRUNED_TABLES[kind], before);
    }
  }

  protected async notePrune(prune: LastPrune): Promise<void> {
    const { name, at, value } = pruneNote(prune);
    await this.#open().insert('store_note', ['name', 'at', 'value'], [[name, at, value]]);
  }

  protected async bytesByTable(): Promise<ReadonlyMap<string, number>> {
    const { cluster, database } = this.#connection.place;
    const parts = cluster === undefined ? 'system.parts' : `cluster('${cluster}', system.parts)`;
    const rows = await this.engine.all(
      `SELECT replaceRegexpOne(table, '_part$', '') AS name, sum(bytes_on_disk) FROM ${parts}
       WHERE active AND database = {database:String} GROUP BY name`,
      { database },
    );
    return new Map(rows.map(([name, size]) => [String(name), Number(size)]));
  }

  /** The checksums of its files, as the server has them. */
  protected async checkFiles(checking: Checking): Promise<void> {
    const { cluster } = this.#connection.place;
    for (const table of ALL_TABLES)
      await guarded(checking, table, async () => {
        checking.progress(`parts of ${table}`, 0);
        const name = cluster === undefined ? table : `${table}_part`;
        const sql = `CHECK TABLE ${name} SETTINGS check_query_single_value_result = 0`;
        for (const [part, isPassed, message] of await this.engine.all(sql))
          if (Number(isPassed) !== 1)
            checking.found({
              table,
              key: `part ${String(part)}`,
              what: String(message),
              remedy: FROM_BACKUP,
            });
      });
  }

  async changes(): Promise<StoreChanges> {
    const { cluster, database } = this.#connection.place;
    const parts = cluster === undefined ? 'system.parts' : `clusterAllReplicas(\`${cluster}\`, system.parts)`;
    const inTables = (names: readonly string[]) =>
      `sumIf(last, table IN (${names.flatMap((name) => [`'${name}'`, `'${name}_part'`]).join(', ')}))`;
    const sql = `SELECT sum(last) - ${inTables(NO_ANSWER)}, ${inTables(['session'])}, ${inTables(OPINIONS)} FROM (
      SELECT table, max(max_block_number) + max(data_version) AS last FROM ${parts}
      WHERE database = {database:String} AND active GROUP BY hostName(), tcpPort(), table, partition_id)`;
    const [row] = await this.engine.all(sql, { database });
    const [others = 0, sessions = 0, opinions = 0] = (row ?? []).map(Number);
    return { others, apart: { sessions, opinions } };
  }

  async close(): Promise<void> {
    if (this.#connection.isOpen) await this.#connection.close();
  }

  #open(): Connection {
    if (!this.#connection.isOpen)
      throw new AssayError('INTERNAL', `${this.address} was used after it was closed`);
    return this.#connection;
  }
}
