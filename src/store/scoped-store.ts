/**
 * A store as those see it who see only some projects: every question is narrowed to these, and every record that is
 * written must be of one of them. Whoever is given this store cannot ask for more, whatever they do with it
 * (docs/decisions/tenancy.md).
 */
import type { ProductionCell } from '../decomposition/production/cell.ts';
import type { DecompositionRecord, DecompositionText } from '../decomposition/production/record.ts';
import { AssayError } from '../errors.ts';
import { isIn } from '../named-project.ts';
import type { RollupQuery, SessionRollup, SessionScoring } from './rollup.ts';
import type { SessionRow } from './schema/session.ts';
import type { InProjects } from './session-narrowing.ts';
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
} from './store.ts';
import type { StoreUpkeep } from './upkeep.ts';

export type ProjectScope = {
  /** Names of projects (named-project.ts); absent: all that there is. */
  readonly sees?: readonly string[] | undefined;
  /** Of which project what is written is, where it does not say itself. */
  readonly writes?: string | undefined;
};

type OfProject = { readonly project?: string };

/** The same scope is the same store: what is remembered of one is remembered for all who see the same. */
export function scopedStore(store: Store, scope: ProjectScope): Store {
  if (scope.sees === undefined && scope.writes === undefined) return store;
  const known = scoped.get(store) ?? new Map<string, Store>();
  const name = JSON.stringify([scope.sees, scope.writes]);
  const narrowed = known.get(name) ?? new ScopedStore(store, scope);
  if (known.size >= MOST_SCOPES) known.clear();
  scoped.set(store, known.set(name, narrowed));
  return narrowed;
}

const MOST_SCOPES = 1000;
const scoped = new WeakMap<Store, Map<string, Store>>();

class ScopedStore implements Store {
  readonly #store: Store;
  readonly #scope: ProjectScope;

  constructor(store: Store, scope: ProjectScope) {
    this.#store = store;
    this.#scope = scope;
  }

  get address(): string {
    return this.#store.address;
  }

  async appendRuns(runs: readonly RunRecord[]): Promise<Appended> {
    return this.#store.appendRuns(this.#owned(runs));
  }

  /** A session says itself where it was at work: a revision is made of that, too, so nothing is filled in. */
  async appendSessions(rows: readonly SessionRow[]): Promise<Appended> {
    for (const { project } of rows) this.#assertSeen(project);
    return this.#store.appendSessions(rows);
  }

  async appendRatings(ratings: readonly Rating[]): Promise<Appended> {
    return this.#store.appendRatings(this.#owned(ratings));
  }

  async appendApprovals(approvals: readonly ApprovalRecord[]): Promise<Appended> {
    return this.#store.appendApprovals(this.#owned(approvals));
  }

  async appendAlerts(alerts: readonly Alert[]): Promise<Appended> {
    return this.#store.appendAlerts(this.#owned(alerts));
  }

  /** What is said of an alert changes it for all who see it. */
  async appendAlertEvents(events: readonly AlertEvent[]): Promise<Appended> {
    const owned = this.#owned(events);
    for (const { alertId } of owned) {
      const [alert] = await this.#store.readAlerts({ alertId });
      if (alert !== undefined) this.#assertSeen(alert.project);
    }
    return this.#store.appendAlertEvents(owned);
  }

  async appendFeedback(feedback: readonly Feedback[]): Promise<Appended> {
    return this.#store.appendFeedback(this.#owned(feedback));
  }

  async appendDeliveries(deliveries: readonly Delivery[]): Promise<Appended> {
    return this.#store.appendDeliveries(this.#owned(deliveries));
  }

  async appendDeliveryAttempts(attempts: readonly DeliveryAttempt[]): Promise<Appended> {
    for (const { deliveryId } of attempts) {
      const [delivery] = await this.#store.readDeliveries({ deliveryId });
      if (delivery !== undefined) this.#assertSeen(delivery.project);
    }
    return this.#store.appendDeliveryAttempts(attempts);
  }

  async appendDecompositions(
    records: readonly DecompositionRecord[],
    texts: readonly DecompositionText[] = [],
  ): Promise<Appended> {
    const owned = this.#owned(records);
    const sent = new Set(owned.map(({ id }) => id));
    const others = texts.filter(({ id }) => !sent.has(id)).map(({ id }) => id);
    if (others.length > 0)
      for (const { project } of await this.#store.readDecompositions({ ids: others }))
        this.#assertSeen(project);
    return this.#store.appendDecompositions(owned, texts);
  }

  async appendAudit(entries: readonly AuditEntry[]): Promise<Appended> {
    return this.#store.appendAudit(this.#owned(entries));
  }

  async readAudit(query: AuditQuery = {}): Promise<readonly SeenAuditEntry[]> {
    return this.#seen(await this.#store.readAudit(this.#narrowed(query)));
  }

  async listRuns(query: RunQuery = {}): Promise<readonly RunSummary[]> {
    return this.#seen(await this.#store.listRuns(this.#narrowed(query)));
  }

  async readRun(runId: string): Promise<RunRecord | undefined> {
    return this.#seenOne(await this.#store.readRun(runId));
  }

  async latestRun(query: RunQuery = {}): Promise<RunRecord | undefined> {
    return this.#seenOne(await this.#store.latestRun(this.#narrowed(query)));
  }

  async series(query: SeriesQuery): Promise<readonly SeriesPoint[]> {
    return this.#store.series(this.#narrowed(query));
  }

  readSessions(query: SessionQuery = {}): AsyncIterable<SessionRow> {
    return this.#store.readSessions(this.#narrowed(query));
  }

  /** Who does not see them all is not told. */
  async holdsSessions(revisions: readonly SessionRevision[], scoredSince: string): Promise<boolean> {
    return this.#scope.sees === undefined && this.#store.holdsSessions(revisions, scoredSince);
  }

  async listSessions(query: SessionQuery = {}): Promise<readonly SessionSummary[]> {
    return this.#seen(await this.#store.listSessions(this.#narrowed(query)));
  }

  async readSession(sessionKey: string): Promise<SessionRow | undefined> {
    return this.#seenOne(await this.#store.readSession(sessionKey));
  }

  async sessionRollup(query: RollupQuery = {}): Promise<readonly SessionRollup[]> {
    return this.#store.sessionRollup(this.#narrowed(query));
  }

  async sessionScorings(query: InProjects = {}): Promise<readonly SessionScoring[]> {
    return this.#store.sessionScorings(this.#narrowed(query));
  }

  async countSessions(query: SessionQuery = {}): Promise<number> {
    return this.#store.countSessions(this.#narrowed(query));
  }

  async readRatings(query: RatingQuery = {}): Promise<readonly Rating[]> {
    return this.#seen(await this.#store.readRatings(this.#narrowed(query)));
  }

  async readApprovals(
    query: TimeQuery & { readonly runId?: string } = {},
  ): Promise<readonly ApprovalRecord[]> {
    return this.#seen(await this.#store.readApprovals(this.#narrowed(query)));
  }

  async readAlerts(query: AlertQuery = {}): Promise<readonly Alert[]> {
    return this.#seen(await this.#store.readAlerts(this.#narrowed(query)));
  }

  async trackAlerts(query: TrackedAlertQuery): Promise<readonly TrackedAlert[]> {
    return this.#seen(await this.#store.trackAlerts(this.#narrowed(query)));
  }

  async readAlertEvents(
    query: TimeQuery & { readonly alertId?: string } = {},
  ): Promise<readonly AlertEvent[]> {
    return this.#seen(await this.#store.readAlertEvents(this.#narrowed(query)));
  }

  async readFeedback(query: FeedbackQuery = {}): Promise<readonly Feedback[]> {
    return this.#seen(await this.#store.readFeedback(this.#narrowed(query)));
  }

  async readDeliveries(
    query: TimeQuery & { readonly deliveryId?: string; readonly target?: string } = {},
  ): Promise<readonly Delivery[]> {
    return this.#seen(await this.#store.readDeliveries(this.#narrowed(query)));
  }

  async pendingDeliveries(query: PendingQuery = {}): Promise<readonly PendingDelivery[]> {
    return this.#seen(await this.#store.pendingDeliveries(this.#narrowed(query)));
  }

  async readDecompositions(query: DecompositionQuery = {}): Promise<readonly DecompositionRecord[]> {
    return this.#seen(await this.#store.readDecompositions(this.#narrowed(query)));
  }

  /** A text is whose its record is. */
  async readDecompositionText(id: string): Promise<DecompositionText | undefined> {
    const known = await this.readDecompositions({ ids: [id] });
    return known.length === 0 && this.#scope.sees !== undefined
      ? undefined
      : this.#store.readDecompositionText(id);
  }

  async productionCells(query: ProductionCellQuery): Promise<readonly ProductionCell[]> {
    return this.#store.productionCells(this.#narrowed(query));
  }

  /** Deleting is for those who see everything. */
  async prune(kind: PrunedKind, before: string): Promise<number> {
    if (this.#scope.sees === undefined) return this.#store.prune(kind, before);
    throw new AssayError('REQUEST_REFUSED', 'nothing is deleted by those who see some projects only');
  }

  upkeep(): StoreUpkeep {
    if (this.#scope.sees === undefined) return this.#store.upkeep();
    throw new AssayError('REQUEST_REFUSED', 'a store is looked after by those who see all of it');
  }

  changes(): Promise<StoreChanges> {
    return this.#store.changes();
  }

  /** The store is somebody else's. */
  async close(): Promise<void> {}

  /** What both the question and the scope allow. */
  #narrowed<Query extends InProjects>(query: Query): Query {
    const { sees } = this.#scope;
    if (sees === undefined) return query;
    return { ...query, inProjects: query.inProjects === undefined ? sees : common(sees, query.inProjects) };
  }

  /** Looked at once more: a backend that forgets to narrow gives too little, and never too much. */
  #seen<R extends OfProject>(records: readonly R[]): readonly R[] {
    const { sees } = this.#scope;
    return sees === undefined ? records : records.filter(({ project }) => isIn(project, sees));
  }

  #seenOne<R extends OfProject>(record: R | undefined): R | undefined {
    return record === undefined ? undefined : this.#seen([record])[0];
  }

  #owned<R extends OfProject>(records: readonly R[]): readonly R[] {
    const { writes } = this.#scope;
    return records.map((record) => {
      const project = record.project ?? writes;
      this.#assertSeen(project);
      return project === undefined ? record : { ...record, project };
    });
  }

  #assertSeen(project: string | undefined): void {
    const { sees } = this.#scope;
    if (sees === undefined || isIn(project, sees)) return;
    throw new AssayError(
      'REQUEST_REFUSED',
      project === undefined
        ? 'it is not said of which project this is, and the token is not of exactly one'
        : 'this is of a project that the token is not of',
    );
  }
}

/** A project of both is named by the longer of two names, where one is the end of the other. */
function common(some: readonly string[], others: readonly string[]): readonly string[] {
  return [
    ...new Set([...some.filter((one) => isIn(one, others)), ...others.filter((one) => isIn(one, some))]),
  ];
}
