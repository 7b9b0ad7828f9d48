/** What SQLite and ClickHouse have in common: every query, and the checks before an append. */
import type { ProductionCell } from '../../decomposition/production/cell.ts';
import type { DecompositionRecord, DecompositionText } from '../../decomposition/production/record.ts';
import { invalid } from '../canonical.ts';
import { checkPoint } from '../query.ts';
import type { RollupQuery, SessionRollup, SessionScoring } from '../rollup.ts';
import { checkSessions, type SessionRow } from '../schema/session.ts';
import type { InProjects } from '../session-narrowing.ts';
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
  SessionQuery,
  SessionSummary,
  Store,
  StoreChanges,
  StoredAuditEntry,
  TimeQuery,
  TrackedAlert,
  TrackedAlertQuery,
} from '../store.ts';
import type { Checking, LastPrune, StoredKind, StoreUpkeep } from '../upkeep.ts';
import { checkRecords } from './check.ts';
import { type Engine, Where } from './engine.ts';
import type { SqlIntake } from './intake.ts';
import {
  pendingDeliveries,
  readAlerts,
  readDecompositions,
  readKeyed,
  readRatings,
  trackAlerts,
} from './records.ts';
import { sessionRollup, sessionScorings } from './rollup.ts';
import { listRuns, readRun } from './runs.ts';
import { countSessions, iterateSessions, listSessions, readSessionsOf } from './sessions.ts';
import { KEYED, type Table } from './tables.ts';
import { countOlder, itemsOf, lastPrunesOf, PRUNED_TABLES, recordsOf, sizesOf } from './upkeep.ts';

export abstract class SqlStore implements Store {
  readonly address: string;
  protected readonly engine: Engine;

  constructor(address: string, engine: Engine) {
    this.address = address;
    this.engine = engine;
  }

  abstract readonly intake: SqlIntake;
  protected abstract addRecords(table: Table, records: readonly object[]): Promise<Appended>;
  protected abstract addRuns(runs: readonly RunRecord[]): Promise<Appended>;
  protected abstract addSessions(
    rows: readonly SessionRow[],
    deliveries: readonly Delivery[],
  ): Promise<Appended>;
  protected abstract addDecompositions(
    records: readonly DecompositionRecord[],
    texts: readonly DecompositionText[],
  ): Promise<Appended>;
  protected abstract addSums(hours: readonly ProductionCell[], minutesFrom: string): Promise<void>;
  /** How many were deleted. */
  protected abstract remove(kind: PrunedKind, before: string): Promise<number>;
  protected abstract notePrune(prune: LastPrune): Promise<void>;
  protected abstract bytesByTable(): Promise<ReadonlyMap<string, number> | undefined>;
  /** Of what only this database has: its files. */
  protected abstract checkFiles(checking: Checking): Promise<void>;
  abstract productionCells(query: ProductionCellQuery): Promise<readonly ProductionCell[]>;
  abstract changes(): Promise<StoreChanges>;
  abstract close(): Promise<void>;

  async appendRuns(runs: readonly RunRecord[]): Promise<Appended> {
    const checked = await checkedRecords('runs', runs);
    return checked.length === 0 ? NOTHING : this.addRuns(checked);
  }

  async appendSessions(rows: readonly SessionRow[], deliveries: readonly Delivery[] = []): Promise<Appended> {
    const checked = checkSessions(rows);
    const told = await checkedRecords('deliveries', deliveries);
    return checked.length + told.length === 0 ? NOTHING : this.addSessions(checked, told);
  }

  appendRatings(ratings: readonly Rating[]): Promise<Appended> {
    return this.#append('ratings', ratings);
  }

  appendApprovals(approvals: readonly ApprovalRecord[]): Promise<Appended> {
    return this.#append('approvals', approvals);
  }

  appendAlerts(alerts: readonly Alert[]): Promise<Appended> {
    return this.#append('alerts', alerts);
  }

  appendAlertEvents(events: readonly AlertEvent[]): Promise<Appended> {
    return this.#append('alert-events', events);
  }

  appendFeedback(feedback: readonly Feedback[]): Promise<Appended> {
    return this.#append('feedback', feedback);
  }

  appendAudit(entries: readonly AuditEntry[]): Promise<Appended> {
    return this.#append('audit', entries);
  }

  appendDeliveries(deliveries: readonly Delivery[]): Promise<Appended> {
    return this.#append('deliveries', deliveries);
  }

  appendDeliveryAttempts(attempts: readonly DeliveryAttempt[]): Promise<Appended> {
    return this.#append('delivery-attempts', attempts);
  }

  async appendDecompositions(
    records: readonly DecompositionRecord[],
    texts: readonly DecompositionText[] = [],
  ): Promise<Appended> {
    const checked = await checkedRecords('decompositions', records);
    const checkedTexts = await checkedRecords('decomposition-texts', texts);
    if (checked.length + checkedTexts.length === 0) return NOTHING;
    return this.addDecompositions(checked, checkedTexts);
  }

  async listRuns(query: RunQuery = {}): Promise<readonly RunSummary[]> {
    return listRuns(this.engine, query);
  }

  async readRun(runId: string): Promise<RunRecord | undefined> {
    return readRun(this.engine, runId);
  }

  async *readSessions(query: SessionQuery = {}): AsyncIterable<SessionRow> {
    yield* iterateSessions(this.engine, query);
  }

  async readSession(sessionKey: string): Promise<SessionRow | undefined> {
    return (await readSessionsOf(this.engine, [sessionKey]))[0];
  }

  async listSessions(query: SessionQuery = {}): Promise<readonly SessionSummary[]> {
    return listSessions(this.engine, query);
  }

  async sessionRollup(query: RollupQuery = {}): Promise<readonly SessionRollup[]> {
    return sessionRollup(this.engine, query);
  }

  async sessionScorings(query: InProjects = {}): Promise<readonly SessionScoring[]> {
    return sessionScorings(this.engine, query);
  }

  async countSessions(query: SessionQuery = {}): Promise<number> {
    return countSessions(this.engine, query);
  }

  async readRatings(query: RatingQuery = {}): Promise<readonly Rating[]> {
    return readRatings(this.engine, query);
  }

  async readApprovals(query: TimeQuery & { runId?: string } = {}): Promise<readonly ApprovalRecord[]> {
    return readKeyed<ApprovalRecord>(
      this.engine,
      KEYED.approvals,
      this.#where().and('run_id = ?', query.runId),
      query,
    );
  }

  async readAlerts(query: AlertQuery = {}): Promise<readonly Alert[]> {
    return readAlerts(this.engine, query);
  }

  async trackAlerts(query: TrackedAlertQuery): Promise<readonly TrackedAlert[]> {
    return trackAlerts(this.engine, query);
  }

  async readAlertEvents(query: TimeQuery & { alertId?: string } = {}): Promise<readonly AlertEvent[]> {
    const where = this.#where().and('alert_id = ?', query.alertId);
    return readKeyed<AlertEvent>(this.engine, KEYED['alert-events'], where, query);
  }

  async readFeedback(query: FeedbackQuery = {}): Promise<readonly Feedback[]> {
    const where = this.#where()
      .and('instrument = ?', query.instrument)
      .and('output_id = ?', query.outputId)
      .and('run_id = ?', query.runId);
    return readKeyed<Feedback>(this.engine, KEYED.feedback, where, query);
  }

  async readDeliveries(
    query: TimeQuery & { deliveryId?: string; target?: string } = {},
  ): Promise<readonly Delivery[]> {
    const where = this.#where().and('delivery_id = ?', query.deliveryId).and('target = ?', query.target);
    return readKeyed<Delivery>(this.engine, KEYED.deliveries, where, query);
  }

  async pendingDeliveries(query: PendingQuery = {}): Promise<readonly PendingDelivery[]> {
    return pendingDeliveries(this.engine, query);
  }

  async readAudit(query: AuditQuery = {}): Promise<readonly StoredAuditEntry[]> {
    const where = this.#where()
      .and('audit_id = ?', query.auditId)
      .and(this.engine.dialect.contains('what', '?'), query.what)
      .and('target = ?', query.target)
      .and('(who = ? OR token_id = ?)', query.who, query.who);
    return readKeyed<StoredAuditEntry>(this.engine, KEYED.audit, where, query);
  }

  async readDecompositions(query: DecompositionQuery = {}): Promise<readonly DecompositionRecord[]> {
    return readDecompositions(this.engine, query);
  }

  async readDecompositionText(id: string): Promise<DecompositionText | undefined> {
    const where = this.#where().and('id = ?', id);
    const texts = KEYED['decomposition-texts'];
    return (await readKeyed<DecompositionText>(this.engine, texts, where, { limit: 1 }))[0];
  }

  async prune(kind: PrunedKind, before: string): Promise<number> {
    if (!Object.hasOwn(PRUNED_TABLES, kind))
      throw invalid(
        `kind ${JSON.stringify(kind)}`,
        `must be one of ${Object.keys(PRUNED_TABLES).join(', ')}`,
      );
    const point = checkPoint('before', before);
    const removed = await this.remove(kind, point);
    if (removed > 0) await this.notePrune({ kind, at: new Date().toISOString(), before: point, removed });
    return removed;
  }

  upkeep(): StoreUpkeep {
    return {
      sizes: () => sizesOf(this.engine, () => this.bytesByTable()),
      items: (kind, after, limit) => itemsOf(this.engine, kind, after, limit),
      records: (kind, keys) => recordsOf(this.engine, kind, keys),
      append: (kind, records) => this.#appendAny(kind, records),
      addSums: (hours, minutesFrom) => this.addSums(hours, minutesFrom),
      olderThan: async (kind, before) => {
        const point = checkPoint('before', before);
        return kind === 'intake' ? this.intake.countOlder(point) : countOlder(this.engine, kind, point);
      },
      lastPrunes: () => lastPrunesOf(this.engine),
      check: async (checking) => {
        await this.checkFiles(checking);
        await checkRecords(this.engine, checking);
      },
    };
  }

  #where(): Where {
    return new Where(this.engine.dialect);
  }

  #appendAny(kind: StoredKind, records: readonly object[]): Promise<Appended> {
    switch (kind) {
      case 'runs':
        return this.appendRuns(records as readonly RunRecord[]);
      case 'sessions':
        return this.appendSessions(records as readonly SessionRow[]);
      case 'decompositions':
        return this.appendDecompositions(records as readonly DecompositionRecord[]);
      case 'decomposition-texts':
        return this.appendDecompositions([], records as readonly DecompositionText[]);
      default:
        return this.#append(kind, records);
    }
  }

  async #append(kind: keyof typeof KEYED, records: readonly object[]): Promise<Appended> {
    const checked = await checkedRecords(kind, records);
    return checked.length === 0 ? NOTHING : this.addRecords(KEYED[kind], checked);
  }
}

const NOTHING: Appended = { added: 0, known: 0 };

/** Zod is loaded by those who append something else than sessions. */
async function checkedRecords<R extends object>(
  kind: Exclude<StoredKind, 'sessions'>,
  records: readonly R[],
): Promise<R[]> {
  if (records.length === 0) return [];
  const { checkRecords } = await import('../schema/records.ts');
  return checkRecords(kind, records);
}
