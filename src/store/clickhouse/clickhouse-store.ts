/** The store of a fleet. What it promises less than SQLite is named where its contract is tested. */
import type { ProductionCell } from '../../decomposition/production/cell.ts';
import type { DecompositionRecord, DecompositionText } from '../../decomposition/production/record.ts';
import { AssayError } from '../../errors.ts';
import {
  checkAlertEvents,
  checkAlerts,
  checkAllFeedback,
  checkApprovals,
  checkAttempts,
  checkAudit,
  checkDecompositions,
  checkDeliveries,
  checkRatings,
  checkRuns,
  checkSessions,
  checkTexts,
} from '../check-records.ts';
import { checkPoint } from '../query.ts';
import type { RollupQuery, SessionRollup, SessionScoring } from '../rollup.ts';
import type { SentLog } from '../sent-log.ts';
import type { InProjects } from '../session-narrowing.ts';
import type { SessionRow } from '../session-row.ts';
import type {
  Alert,
  AlertEvent,
  AlertQuery,
  Appended,
  ApprovalRecord,
  AuditEntry,
  AuditQuery,
  DecompositionQuery,
  Delivery,
  DeliveryAttempt,
  Feedback,
  FeedbackQuery,
  PendingDelivery,
  PendingQuery,
  ProductionCellQuery,
  PrunedKind,
  Rating,
  RatingQuery,
  RunQuery,
  RunRecord,
  RunSummary,
  SeenAuditEntry,
  SeriesPoint,
  SeriesQuery,
  SessionQuery,
  SessionSummary,
  Store,
  StoreChanges,
  TimeQuery,
  TrackedAlert,
  TrackedAlertQuery,
} from '../store.ts';
import type { StoreUpkeep } from '../upkeep.ts';
import { placeOf } from './address.ts';
import { Connection } from './connection.ts';
import {
  appendDecompositions,
  productionCells,
  readDecompositions,
  readDecompositionText,
} from './decompositions.ts';
import {
  ALERT_EVENTS,
  ALERTS,
  APPROVALS,
  AUDIT,
  appendKeyed,
  DELIVERIES,
  DELIVERY_ATTEMPTS,
  FEEDBACK,
  type KeyedTable,
  RATINGS,
  readKeyed,
} from './keyed-records.ts';
import { migrate } from './migrate.ts';
import { pendingDeliveries, readAlerts, readRatings, trackAlerts } from './opinions.ts';
import { countOlder, prune } from './prune.ts';
import { RolledDays } from './rolled-days.ts';
import { appendRuns, latestRun, listRuns, readRun, series } from './runs.ts';
import { ClickHouseSentLog } from './sent-log.ts';
import { sessionRollup, sessionScorings } from './session-rollup.ts';
import { appendSessions, countSessions, iterateSessions, listSessions, readSession } from './sessions.ts';
import { addSums, itemsOf, lastPrunesOf, notePrune, recordsOf, sizesOf } from './upkeep.ts';
import { Where } from './where.ts';

export type ClickHouseOptions = {
  /** How long a day has to be left alone before its sums are worked out. */
  readonly settleMs?: number;
  /** As a version would open it that has so many steps of the schema. */
  readonly steps?: number;
};

export async function openClickHouseStore(address: string, options: ClickHouseOptions = {}): Promise<Store> {
  const place = placeOf(address);
  await migrate(place, options.steps);
  return new ClickHouseStore(new Connection(place), new RolledDays(options.settleMs));
}

/** What is in these changes no answer. */
const NO_ANSWER = [
  'sent',
  'sent_note',
  'session_cell',
  'session_rolled',
  'session_scoring',
  'session_summed',
  'session_month',
  'session_month_summed',
  'delivery',
  'delivery_attempt',
  'audit',
];
const OPINIONS = ['rating', 'approval', 'feedback', 'decomposition', 'decomposition_text'];

class ClickHouseStore implements Store {
  readonly #connection: Connection;
  readonly #days: RolledDays;
  readonly sent: SentLog;
  #writes = 0;

  constructor(connection: Connection, days: RolledDays) {
    this.#connection = connection;
    this.#days = days;
    this.sent = new ClickHouseSentLog(connection);
  }

  get address(): string {
    return this.#connection.place.address;
  }

  async appendRuns(runs: readonly RunRecord[]): Promise<Appended> {
    const checked = checkRuns(runs);
    return this.#append(checked, (connection) => appendRuns(connection, checked));
  }

  async appendSessions(rows: readonly SessionRow[]): Promise<Appended> {
    const checked = checkSessions(rows);
    return this.#append(checked, (connection) => appendSessions(connection, checked));
  }

  async appendRatings(ratings: readonly Rating[]): Promise<Appended> {
    return this.#appendKeyed(RATINGS, checkRatings(ratings));
  }

  async appendApprovals(approvals: readonly ApprovalRecord[]): Promise<Appended> {
    return this.#appendKeyed(APPROVALS, checkApprovals(approvals));
  }

  async appendAlerts(alerts: readonly Alert[]): Promise<Appended> {
    return this.#appendKeyed(ALERTS, checkAlerts(alerts));
  }

  async appendAlertEvents(events: readonly AlertEvent[]): Promise<Appended> {
    return this.#appendKeyed(ALERT_EVENTS, checkAlertEvents(events));
  }

  async appendFeedback(feedback: readonly Feedback[]): Promise<Appended> {
    return this.#appendKeyed(FEEDBACK, checkAllFeedback(feedback));
  }

  async appendAudit(entries: readonly AuditEntry[]): Promise<Appended> {
    return this.#appendKeyed(AUDIT, checkAudit(entries));
  }

  async appendDeliveries(deliveries: readonly Delivery[]): Promise<Appended> {
    return this.#appendKeyed(DELIVERIES, checkDeliveries(deliveries));
  }

  async appendDeliveryAttempts(attempts: readonly DeliveryAttempt[]): Promise<Appended> {
    const checked = checkAttempts(attempts);
    return this.#appendKeyed(DELIVERY_ATTEMPTS, checked);
  }

  async appendDecompositions(
    records: readonly DecompositionRecord[],
    texts: readonly DecompositionText[] = [],
  ): Promise<Appended> {
    const checked = checkDecompositions(records);
    const checkedTexts = checkTexts(texts);
    return this.#append([...checked, ...checkedTexts], (connection) =>
      appendDecompositions(connection, checked, checkedTexts),
    );
  }

  async listRuns(query: RunQuery = {}): Promise<readonly RunSummary[]> {
    return listRuns(this.#open(), query);
  }

  async readRun(runId: string): Promise<RunRecord | undefined> {
    return readRun(this.#open(), runId);
  }

  async latestRun(query: RunQuery = {}): Promise<RunRecord | undefined> {
    return latestRun(this.#open(), query);
  }

  async series(query: SeriesQuery): Promise<readonly SeriesPoint[]> {
    return series(this.#open(), query);
  }

  async *readSessions(query: SessionQuery = {}): AsyncIterable<SessionRow> {
    yield* iterateSessions(this.#open(), query);
  }

  async readSession(sessionKey: string): Promise<SessionRow | undefined> {
    return readSession(this.#open(), sessionKey);
  }

  /** Not looked up: sending them again is as good. */
  async holdsSessions(): Promise<boolean> {
    return false;
  }

  async listSessions(query: SessionQuery = {}): Promise<readonly SessionSummary[]> {
    return listSessions(this.#open(), query);
  }

  async sessionRollup(query: RollupQuery = {}): Promise<readonly SessionRollup[]> {
    return sessionRollup(this.#open(), this.#days, query);
  }

  async sessionScorings(query: InProjects = {}): Promise<readonly SessionScoring[]> {
    return sessionScorings(this.#open(), this.#days, query);
  }

  async countSessions(query: SessionQuery = {}): Promise<number> {
    return countSessions(this.#open(), this.#days, query);
  }

  async readRatings(query: RatingQuery = {}): Promise<readonly Rating[]> {
    return readRatings(this.#open(), query);
  }

  async readApprovals(query: TimeQuery & { runId?: string } = {}): Promise<readonly ApprovalRecord[]> {
    const where = new Where().and('run_id = ?', 'String', query.runId);
    return readKeyed<ApprovalRecord>(this.#open(), APPROVALS, where, query);
  }

  async readAlerts(query: AlertQuery = {}): Promise<readonly Alert[]> {
    return readAlerts(this.#open(), query);
  }

  async trackAlerts(query: TrackedAlertQuery): Promise<readonly TrackedAlert[]> {
    return trackAlerts(this.#open(), query);
  }

  async readAlertEvents(query: TimeQuery & { alertId?: string } = {}): Promise<readonly AlertEvent[]> {
    const where = new Where().and('alert_id = ?', 'String', query.alertId);
    return readKeyed<AlertEvent>(this.#open(), ALERT_EVENTS, where, query);
  }

  async readFeedback(query: FeedbackQuery = {}): Promise<readonly Feedback[]> {
    const where = new Where()
      .and('instrument = ?', 'String', query.instrument)
      .and('output_id = ?', 'String', query.outputId)
      .and('run_id = ?', 'String', query.runId);
    return readKeyed<Feedback>(this.#open(), FEEDBACK, where, query);
  }

  async readDeliveries(
    query: TimeQuery & { deliveryId?: string; target?: string } = {},
  ): Promise<readonly Delivery[]> {
    const where = new Where()
      .and('delivery_id = ?', 'String', query.deliveryId)
      .and('target = ?', 'String', query.target);
    return readKeyed<Delivery>(this.#open(), DELIVERIES, where, query);
  }

  async pendingDeliveries(query: PendingQuery = {}): Promise<readonly PendingDelivery[]> {
    return pendingDeliveries(this.#open(), query);
  }

  async readAudit(query: AuditQuery = {}): Promise<readonly SeenAuditEntry[]> {
    const where = new Where()
      .and('position(what, ?) > 0', 'String', query.what)
      .and('target = ?', 'String', query.target)
      .and('(who = ? OR token_id = ?)', 'String', query.who, query.who);
    return readKeyed<SeenAuditEntry>(this.#open(), AUDIT, where, query);
  }

  async readDecompositions(query: DecompositionQuery = {}): Promise<readonly DecompositionRecord[]> {
    return readDecompositions(this.#open(), query);
  }

  async readDecompositionText(id: string): Promise<DecompositionText | undefined> {
    return readDecompositionText(this.#open(), id);
  }

  async productionCells(query: ProductionCellQuery): Promise<readonly ProductionCell[]> {
    return productionCells(this.#open(), query);
  }

  async prune(kind: PrunedKind, before: string): Promise<number> {
    const point = checkPoint('before', before);
    this.#writes += 1;
    const removed = await prune(this.#open(), kind, point);
    const at = new Date().toISOString();
    if (removed > 0) await notePrune(this.#open(), { kind, at, before: point, removed });
    return removed;
  }

  upkeep(): StoreUpkeep {
    return {
      sizes: () => sizesOf(this.#open()),
      items: (kind, after, limit) => itemsOf(this.#open(), kind, after, limit),
      records: (kind, keys) => recordsOf(this.#open(), kind, keys),
      addSums: async (hours, minutesFrom) => {
        this.#writes += 1;
        await addSums(this.#open(), hours, minutesFrom);
      },
      olderThan: (kind, before) => countOlder(this.#open(), kind, checkPoint('before', before)),
      lastPrunes: () => lastPrunesOf(this.#open()),
      check: async (checking) => {
        const { checkClickHouse } = await import('./check.ts');
        await checkClickHouse(this.#open(), checking);
      },
    };
  }

  async changes(): Promise<StoreChanges> {
    const connection = this.#open();
    const { cluster, database } = connection.place;
    const parts = cluster === undefined ? 'system.parts' : `clusterAllReplicas(\`${cluster}\`, system.parts)`;
    const inTables = (names: readonly string[]) =>
      `sumIf(last, table IN (${names.flatMap((name) => [`'${name}'`, `'${name}_part'`]).join(', ')}))`;
    const sql = `SELECT sum(last) - ${inTables(NO_ANSWER)}, ${inTables(['session'])}, ${inTables(OPINIONS)} FROM (
      SELECT table, max(max_block_number) + max(data_version) AS last FROM ${parts}
      WHERE database = {database:String} AND active GROUP BY hostName(), tcpPort(), table, partition_id)`;
    const [row] = await connection.all(sql, { database });
    const [others = 0, sessions = 0, opinions = 0] = (row ?? []).map(Number);
    return { own: this.#writes, others, apart: { sessions, opinions } };
  }

  async close(): Promise<void> {
    await this.#days.close();
    if (this.#connection.isOpen) await this.#connection.close();
  }

  async #appendKeyed(table: KeyedTable, records: readonly object[]): Promise<Appended> {
    return this.#append(records, (connection) => appendKeyed(connection, table, records));
  }

  async #append(
    records: readonly unknown[],
    work: (connection: Connection) => Promise<Appended>,
  ): Promise<Appended> {
    const connection = this.#open();
    if (records.length === 0) return { added: 0, known: 0 };
    const appended = await work(connection);
    this.#writes += 1;
    return appended;
  }

  #open(): Connection {
    if (!this.#connection.isOpen)
      throw new AssayError('INTERNAL', `${this.address} was used after it was closed`);
    return this.#connection;
  }
}
