import { setImmediate as otherWork } from 'node:timers/promises';
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
  SessionRevision,
  SessionSummary,
  Store,
  StoreChanges,
  TimeQuery,
  TrackedAlert,
  TrackedAlertQuery,
} from '../store.ts';
import type { StoreUpkeep } from '../upkeep.ts';
import { readAlerts, trackAlerts } from './alerts.ts';
import { connect } from './connect.ts';
import { Connection, MEMORY, type SqliteOptions } from './connection.ts';
import {
  addSums,
  appendDecompositions,
  productionCells,
  readDecompositions,
  readDecompositionText,
} from './decompositions.ts';
import { pendingDeliveries } from './deliveries.ts';
import {
  ALERT_EVENTS,
  ALERTS,
  APPROVALS,
  AUDIT,
  appendKeyed,
  DELIVERIES,
  DELIVERY_ATTEMPTS,
  FEEDBACK,
  RATINGS,
  readKeyed,
} from './keyed-records.ts';
import { assertNotNewer } from './migrate.ts';
import { pruneStep } from './prune.ts';
import { readRatings } from './ratings.ts';
import { appendRuns, latestRun, listRuns, readRun, series } from './runs.ts';
import { deriveSessions, sessionScorings } from './session-cells.ts';
import { sessionRollup } from './session-rollup.ts';
import {
  appendSessions,
  countSessions,
  holdsSessions,
  iterateSessions,
  listSessions,
  readSession,
  summedBy,
} from './sessions.ts';
import { toAssayError } from './sqlite-error.ts';
import { Where } from './table.ts';
import { countOlder, itemsOf, lastPrunesOf, notePrune, recordsOf, sizesOf } from './upkeep.ts';

/** Rows streamed before other work of this process gets its turn. */
const ROWS_PER_TURN = 256;

/** `path` is absolute, or `:memory:`; `address` is what a person typed. */
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

class SqliteStore implements Store {
  readonly address: string;
  readonly #connection: Connection;
  readonly #options: SqliteOptions;
  readonly #readers = new Set<Connection>();

  constructor(address: string, connection: Connection, options: SqliteOptions) {
    this.address = address;
    this.#connection = connection;
    this.#options = options;
  }

  async appendRuns(runs: readonly RunRecord[]): Promise<Appended> {
    const checked = checkRuns(runs);
    return this.#append(checked, () => appendRuns(this.#connection, checked));
  }

  async appendSessions(rows: readonly SessionRow[]): Promise<Appended> {
    const checked = checkSessions(rows);
    return this.#append(checked, () => appendSessions(this.#connection, checked));
  }

  async appendRatings(ratings: readonly Rating[]): Promise<Appended> {
    const checked = checkRatings(ratings);
    return this.#append(checked, () => appendKeyed(this.#connection, RATINGS, checked));
  }

  async appendApprovals(approvals: readonly ApprovalRecord[]): Promise<Appended> {
    const checked = checkApprovals(approvals);
    return this.#append(checked, () => appendKeyed(this.#connection, APPROVALS, checked));
  }

  async appendAlerts(alerts: readonly Alert[]): Promise<Appended> {
    const checked = checkAlerts(alerts);
    return this.#append(checked, () => appendKeyed(this.#connection, ALERTS, checked));
  }

  async appendAlertEvents(events: readonly AlertEvent[]): Promise<Appended> {
    const checked = checkAlertEvents(events);
    return this.#append(checked, () => appendKeyed(this.#connection, ALERT_EVENTS, checked));
  }

  async appendFeedback(feedback: readonly Feedback[]): Promise<Appended> {
    const checked = checkAllFeedback(feedback);
    return this.#append(checked, () => appendKeyed(this.#connection, FEEDBACK, checked));
  }

  async appendAudit(entries: readonly AuditEntry[]): Promise<Appended> {
    const checked = checkAudit(entries);
    return this.#append(checked, () => appendKeyed(this.#connection, AUDIT, checked));
  }

  async appendDeliveries(deliveries: readonly Delivery[]): Promise<Appended> {
    const checked = checkDeliveries(deliveries);
    return this.#append(checked, () => appendKeyed(this.#connection, DELIVERIES, checked));
  }

  async appendDeliveryAttempts(attempts: readonly DeliveryAttempt[]): Promise<Appended> {
    const checked = checkAttempts(attempts);
    return this.#append(checked, () => appendKeyed(this.#connection, DELIVERY_ATTEMPTS, checked));
  }

  async appendDecompositions(
    records: readonly DecompositionRecord[],
    texts: readonly DecompositionText[] = [],
  ): Promise<Appended> {
    const checked = checkDecompositions(records);
    const checkedTexts = checkTexts(texts);
    return this.#append([...checked, ...checkedTexts], () =>
      appendDecompositions(this.#connection, checked, checkedTexts),
    );
  }

  async listRuns(query: RunQuery = {}): Promise<readonly RunSummary[]> {
    return this.#read((connection) => listRuns(connection, query));
  }

  async readRun(runId: string): Promise<RunRecord | undefined> {
    return this.#read((connection) => readRun(connection, runId));
  }

  async latestRun(query: RunQuery = {}): Promise<RunRecord | undefined> {
    return this.#read((connection) => latestRun(connection, query));
  }

  async series(query: SeriesQuery): Promise<readonly SeriesPoint[]> {
    return this.#read((connection) => series(connection, query));
  }

  async *readSessions(query: SessionQuery = {}): AsyncIterable<SessionRow> {
    const reader = this.#guard(() => this.#openReader());
    try {
      let count = 0;
      const rows = iterateSessions(reader, query);
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

  async readSession(sessionKey: string): Promise<SessionRow | undefined> {
    return this.#read((connection) => readSession(connection, sessionKey));
  }

  async holdsSessions(revisions: readonly SessionRevision[], scoredSince: string): Promise<boolean> {
    return this.#read((connection) => holdsSessions(connection, revisions, scoredSince));
  }

  async listSessions(query: SessionQuery = {}): Promise<readonly SessionSummary[]> {
    return this.#read((connection) => listSessions(connection, query));
  }

  async sessionRollup(query: RollupQuery = {}): Promise<readonly SessionRollup[]> {
    return this.#readSums((connection) => sessionRollup(connection, query));
  }

  async sessionScorings(query: InProjects = {}): Promise<readonly SessionScoring[]> {
    return this.#readSums((connection) => sessionScorings(connection, query));
  }

  async countSessions(query: SessionQuery = {}): Promise<number> {
    const summed = summedBy(query);
    if (summed !== undefined)
      return (await this.sessionRollup(summed)).reduce((sum, { sessions }) => sum + sessions, 0);
    return this.#read((connection) => countSessions(connection, query));
  }

  async readRatings(query: RatingQuery = {}): Promise<readonly Rating[]> {
    return this.#read((connection) => readRatings(connection, query));
  }

  async readApprovals(query: TimeQuery & { runId?: string } = {}): Promise<readonly ApprovalRecord[]> {
    const where = new Where().and('run_id = ?', query.runId);
    return this.#read((connection) => readKeyed<ApprovalRecord>(connection, APPROVALS, where, query));
  }

  async readAlerts(query: AlertQuery = {}): Promise<readonly Alert[]> {
    return this.#read((connection) => readAlerts(connection, query));
  }

  async trackAlerts(query: TrackedAlertQuery): Promise<readonly TrackedAlert[]> {
    return this.#read((connection) => connection.transaction(() => trackAlerts(connection, query), 'BEGIN'));
  }

  async readAlertEvents(query: TimeQuery & { alertId?: string } = {}): Promise<readonly AlertEvent[]> {
    const where = new Where().and('alert_id = ?', query.alertId);
    return this.#read((connection) => readKeyed<AlertEvent>(connection, ALERT_EVENTS, where, query));
  }

  async readFeedback(query: FeedbackQuery = {}): Promise<readonly Feedback[]> {
    const where = new Where()
      .and('instrument = ?', query.instrument)
      .and('output_id = ?', query.outputId)
      .and('run_id = ?', query.runId);
    return this.#read((connection) => readKeyed<Feedback>(connection, FEEDBACK, where, query));
  }

  async readDeliveries(
    query: TimeQuery & { deliveryId?: string; target?: string } = {},
  ): Promise<readonly Delivery[]> {
    const where = new Where().and('delivery_id = ?', query.deliveryId).and('target = ?', query.target);
    return this.#read((connection) => readKeyed<Delivery>(connection, DELIVERIES, where, query));
  }

  async pendingDeliveries(query: PendingQuery = {}): Promise<readonly PendingDelivery[]> {
    return this.#read((connection) =>
      connection.transaction(() => pendingDeliveries(connection, query), 'BEGIN'),
    );
  }

  async readAudit(query: AuditQuery = {}): Promise<readonly SeenAuditEntry[]> {
    const where = new Where().and('instr(what, ?) > 0', query.what).and('target = ?', query.target);
    if (query.who !== undefined) where.andAll('(who = ? OR token_id = ?)', [query.who, query.who]);
    return this.#read((connection) => readKeyed<SeenAuditEntry>(connection, AUDIT, where, query));
  }

  async readDecompositions(query: DecompositionQuery = {}): Promise<readonly DecompositionRecord[]> {
    return this.#read((connection) => readDecompositions(connection, query));
  }

  async readDecompositionText(id: string): Promise<DecompositionText | undefined> {
    return this.#read((connection) => readDecompositionText(connection, id));
  }

  async productionCells(query: ProductionCellQuery): Promise<readonly ProductionCell[]> {
    return this.#read((connection) => productionCells(connection, query));
  }

  async prune(kind: PrunedKind, before: string): Promise<number> {
    const point = checkPoint('before', before);
    let removed = 0;
    for (;;) {
      const step = this.#write(() => pruneStep(this.#connection, kind, point));
      removed += step.removed;
      if (step.done) break;
      await otherWork();
    }
    const at = new Date().toISOString();
    if (removed > 0) this.#write(() => notePrune(this.#connection, { kind, at, before: point, removed }));
    return removed;
  }

  upkeep(): StoreUpkeep {
    return {
      sizes: async () => this.#read(sizesOf),
      items: async (kind, after, limit) =>
        this.#read((connection) => itemsOf(connection, kind, after, limit)),
      records: async (kind, keys) => this.#read((connection) => recordsOf(connection, kind, keys)),
      addSums: async (hours, minutesFrom) => this.#write(() => addSums(this.#connection, hours, minutesFrom)),
      olderThan: async (kind, before) =>
        this.#read((connection) => countOlder(connection, kind, checkPoint('before', before))),
      lastPrunes: async () => this.#read(lastPrunesOf),
      check: async (checking) => {
        const { checkSqlite } = await import('./check.ts');
        await this.#guard(() => checkSqlite(this.#connection, checking));
      },
    };
  }

  async changes(): Promise<StoreChanges> {
    return this.#read((connection) => ({
      own: Number(connection.get('SELECT total_changes()')?.[0]),
      others: Number(connection.get('PRAGMA data_version')?.[0]),
    }));
  }

  async close(): Promise<void> {
    for (const reader of this.#readers) reader.close();
    this.#readers.clear();
    this.#connection.close();
  }

  #append(records: readonly object[], work: () => Appended): Appended {
    return records.length === 0 ? { added: 0, known: 0 } : this.#write(work);
  }

  #write<T>(work: () => T): T {
    return this.#guard(() =>
      this.#connection.transaction(() => {
        assertNotNewer(this.#connection);
        return work();
      }),
    );
  }

  #read<T>(work: (connection: Connection) => T): T {
    return this.#guard(() => {
      const result = work(this.#connection);
      this.#connection.assertUnchanged();
      return result;
    });
  }

  /** Sums are worked out from the rows, so damaged ones can be worked out anew. */
  #readSums<T>(work: (connection: Connection) => T): T {
    try {
      return this.#read(work);
    } catch (error) {
      const isDamage = error instanceof AssayError && error.code === 'STORE_CORRUPT';
      if (!isDamage || this.#connection.mode !== 'write') throw error;
      this.#write(() => deriveSessions(this.#connection));
      return this.#read(work);
    }
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

  /** A connection of its own sees the store as it was when the reading began, whatever is appended meanwhile. */
  #openReader(): Connection {
    const { path, mode } = this.#connection;
    if (path === MEMORY) return this.#connection;
    const reader = new Connection(path, mode === 'frozen' ? 'frozen' : 'read', this.#options);
    this.#readers.add(reader);
    return reader;
  }
}
