/**
 * The store contract. A store is append-only: nothing is changed, and only `prune` deletes. Every record has a key.
 * Appending a record again changes nothing, so a caller that is unsure whether a batch arrived sends it again; the same
 * key with other content is refused (STORE_CONFLICT). A batch is stored whole or not at all, and once the promise
 * resolves it survives a crash of the process and a power cut. Reading does not depend on the order of arrival: by
 * time, ties by key (the bytes of its UTF-8).
 *
 *  A record is returned as it was sent, except that strings become well-formed Unicode and -0 becomes 0; the keys of
 * its objects have no order. What cannot be stored (NaN, Infinity, an unknown field, a time in another spelling) is
 * refused with INPUT_INVALID, and nothing of its batch is stored.
 *
 *  Every listing is paged: `limit` records at a time, each page `after` the last record of the one before. A position
 * is made of the record itself, so it stays valid whatever is appended or pruned meanwhile.
 *
 *  `contract.ts` is the test suite that every backend passes.
 */
import type { ProductionCell, ProductionGrain } from '../decomposition/production/cell.ts';
import type { DecompositionRecord, DecompositionText } from '../decomposition/production/record.ts';
import type { AssayError } from '../errors.ts';
import type { Intake } from './intake.ts';
import type { RollupQuery, SessionRollup, SessionScoring } from './rollup.ts';
import type {
  Alert,
  AlertEvent,
  AlertState,
  ApprovalRecord,
  AuditEntry,
  Delivery,
  DeliveryAttempt,
  Feedback,
  Rating,
  RunRecord,
} from './schema/records.ts';
import type { SessionRow } from './schema/session.ts';
import type { InProjects, SessionNarrowing } from './session-narrowing.ts';
import type { TranscriptIndex } from './transcripts.ts';
import type { StoreUpkeep } from './upkeep.ts';

export type {
  Alert,
  AlertEvent,
  AlertState,
  ApprovalRecord,
  AuditEntry,
  CaseResult,
  Delivery,
  DeliveryAttempt,
  Feedback,
  Json,
  Rating,
  RunRecord,
} from './schema/records.ts';

export type RunSummary = Omit<RunRecord, 'cases'> & { readonly caseCount: number };

/** An alert with its latest event; open when there is none. */
export type TrackedAlert = Alert & {
  readonly state: AlertState;
  /** The event that says so; a silence that is over is still the latest event. */
  readonly event?: AlertEvent;
};

/** A pending delivery, with its attempts. */
export type PendingDelivery = Delivery & {
  /** How often it failed. */
  readonly attempts: number;
  /** How many steps there were, of every kind. */
  readonly steps: number;
  /** When the last step was. */
  readonly triedAt?: string;
  /** The last step was a claim: another process is sending it, or died meanwhile. */
  readonly isClaimed: boolean;
};

export type PendingQuery = InProjects & { readonly target?: string; readonly limit?: number };

/** As it is read. */
export type StoredAuditEntry = AuditEntry & {
  /** The hash that it was written with, where it is not as it was written: only with `includeAltered`. */
  readonly alteredFrom?: string;
};

export type AuditQuery = TimeQuery & {
  /** Altered entries are returned as they are; by default they are STORE_CORRUPT. */
  readonly includeAltered?: boolean;
  readonly auditId?: string;
  /** The name of the user, or the id of the token. */
  readonly who?: string;
  /** Only what has this in it. */
  readonly what?: string;
  readonly target?: string;
};

/** How many records of a batch were new, and how many were already stored. */
export type Appended = { readonly added: number; readonly known: number };

/** Where a page ended: the time and the key of its last record. */
export type Position = { readonly at: string; readonly key: string };

/** At or after `since` and before `until`: a date (UTC), or a date and time with its zone. */
export type Period = { readonly since?: string; readonly until?: string };

export type RunQuery = Period &
  InProjects & {
    readonly instrument?: string;
    readonly subject?: string;
    readonly scorer?: string;
    readonly truthHash?: string;
    /** Only runs in which every case could be examined. */
    readonly withoutErrors?: boolean;
    /** Only runs that come after this one in the listing: older ones. */
    readonly after?: Position;
    /** Of the runs that fit everything else. */
    readonly limit?: number;
  };

/** A query sees current revisions only; its period is about their start. */
export type SessionQuery = Period &
  SessionNarrowing & {
    /** Called for each damaged session, while the others are read; without it a damaged session is an error. */
    readonly onDamage?: (error: AssayError) => void;
    readonly tier?: string;
    /** Only sessions with a Q of less than this. */
    readonly qBelow?: number;
    /** What its agent calls it, and the one that started it. */
    readonly sessionId?: string;
    readonly parentSessionId?: string;
    /**
     * Only sessions with this text in the name of their project, agent, source, task type or a model, in any letter
     * case; with this id; or whose key begins with it.
     */
    readonly search?: string;
    /** Of which at least this share was measured. */
    readonly coverageFrom?: number;
    /** Only sessions that started others, or were started by one. */
    readonly related?: boolean;
    /** Rows come without their facts (`null`), which takes a fraction of the time. */
    readonly withoutFacts?: boolean;
    /** Only sessions whose files have unusable lines. */
    readonly withSkippedLines?: boolean;
    /** Only sessions with risky actions. */
    readonly withRiskyActions?: boolean;
    readonly order?: SessionOrder;
    readonly after?: SessionPosition;
    readonly limit?: number;
  };

/**
 * `file` by path and position in the file, for reading all at once; `oldest` by start, unknown ones first; `newest` is
 * its reverse; `lowest Q` by Q; `costliest` by cost and `longest` by turns, the highest first; `needs attention` by
 * attention, the highest first, ties by cost. Sessions without the value they are ordered by are
 * not listed, nor those that need no attention. Ties newest first, those of the same start by key.
 */
export type SessionOrder =
  | 'file'
  | 'oldest'
  | 'newest'
  | 'lowest Q'
  | 'costliest'
  | 'longest'
  | 'needs attention';

/**
 * The value of the last session that the order uses (absent when unknown), and its key. A summary is its own position.
 */
export type SessionPosition = Pick<
  SessionRow,
  'startedAt' | 'q' | 'costUsd' | 'turns' | 'attention' | 'sessionKey'
>;

/** A session without the facts it was scored from. */
export type SessionSummary = Omit<SessionRow, 'facts'>;

/**
 * Oldest first, where `limit` selects the latest ones; or newest first, where it selects the same ones and `after`
 * continues with older ones. In the first order `after` continues with later ones, and `limit` selects the next ones.
 */
export type TimeQuery = Period &
  InProjects & {
    readonly order?: 'oldest' | 'newest';
    readonly after?: Position;
    readonly limit?: number;
  };

export type RatingQuery = TimeQuery & {
  readonly kind?: string;
  readonly subjectId?: string;
  readonly author?: string;
  /** Only the last rating of each author on each subject. Applied to all ratings, before the rest of the query. */
  readonly latest?: true;
};

export type AlertQuery = TimeQuery & {
  readonly alertId?: string;
  readonly instrument?: string;
  readonly subject?: string;
  readonly rule?: string;
};

export type TrackedAlertQuery = AlertQuery & {
  /** What time it is: silences end. */
  readonly now: string;
  readonly states?: readonly AlertState[];
};

export type FeedbackQuery = TimeQuery & {
  readonly instrument?: string;
  readonly outputId?: string;
  readonly runId?: string;
};

export type DecompositionQuery = TimeQuery & {
  /** Only these. */
  readonly ids?: readonly string[];
  readonly promptVersion?: string;
  readonly model?: string;
  readonly topic?: string;
  readonly status?: DecompositionRecord['status'];
  /** Only those that were drawn for a closer look. */
  readonly sampledOnly?: boolean;
  /** Of an experiment, by its id. */
  readonly experiment?: string;
};

export type ProductionCellQuery = Period &
  InProjects & {
    readonly by: ProductionGrain;
    /** Those of each project by themselves. */
    readonly perProject?: boolean;
    readonly promptVersion?: string;
    readonly model?: string;
  };

/**
 * What can be deleted by age. Runs go with their cases, alerts with their events, deliveries with their attempts, and
 * decompositions with their sums by the minute; sums by hour and day stay.
 */
export type PrunedKind =
  | 'runs'
  | 'sessions'
  | 'intake'
  | 'ratings'
  | 'approvals'
  | 'alerts'
  | 'feedback'
  | 'deliveries'
  | 'decompositions'
  | 'decomposition-texts'
  | 'audit';

/** Numbers that say nothing but whether they are the same as before. */
export type StoreChanges = {
  /** Written by anybody else; on ClickHouse by this store, too. */
  readonly others: number;
  /** For a store that cannot tell its own writes from others': numbers of sessions and of ratings. */
  readonly apart?: { readonly sessions: number; readonly opinions: number };
};

export interface Store {
  /** Where it is, as a person would type it. */
  readonly address: string;
  /** What agents and programs sent. */
  readonly intake: Intake;
  /** The files that sessions were read from, where the store is one machine's. */
  readonly transcripts?: TranscriptIndex | undefined;

  appendRuns(runs: readonly RunRecord[]): Promise<Appended>;
  /**
   * With what is to be delivered of them: on SQLite in one transaction, on ClickHouse the deliveries first. A delivery that is
   * there already stays as it is. Counts sessions.
   */
  appendSessions(rows: readonly SessionRow[], deliveries?: readonly Delivery[]): Promise<Appended>;
  appendRatings(ratings: readonly Rating[]): Promise<Appended>;
  appendApprovals(approvals: readonly ApprovalRecord[]): Promise<Appended>;
  appendAlerts(alerts: readonly Alert[]): Promise<Appended>;
  /** The alert itself may arrive later. */
  appendAlertEvents(events: readonly AlertEvent[]): Promise<Appended>;
  appendFeedback(feedback: readonly Feedback[]): Promise<Appended>;

  appendDeliveries(deliveries: readonly Delivery[]): Promise<Appended>;
  /** The delivery itself may arrive later. */
  appendDeliveryAttempts(attempts: readonly DeliveryAttempt[]): Promise<Appended>;

  appendAudit(entries: readonly AuditEntry[]): Promise<Appended>;

  /** The texts of some of them may come with them, or at any other time. Counts records. */
  appendDecompositions(
    records: readonly DecompositionRecord[],
    texts?: readonly DecompositionText[],
  ): Promise<Appended>;

  /** Newest first. */
  listRuns(query?: RunQuery): Promise<readonly RunSummary[]>;
  readRun(runId: string): Promise<RunRecord | undefined>;

  /** The current revision of every session. What is appended while the caller reads is not seen. */
  readSessions(query?: SessionQuery): AsyncIterable<SessionRow>;
  /** The same without facts, a page at once. */
  listSessions(query?: SessionQuery): Promise<readonly SessionSummary[]>;
  readSession(sessionKey: string): Promise<SessionRow | undefined>;
  /**
   * Sums over the current revisions, by bucket and group (in the order of `compareRollups`): what adding up the rows
   * of `readSessions` would give, without reading them.
   */
  sessionRollup(query?: RollupQuery): Promise<readonly SessionRollup[]>;

  /** How many of the current revisions were scored with what, the most first (in the order of `compareScorings`). */
  sessionScorings(query?: InProjects): Promise<readonly SessionScoring[]>;
  /** How many `listSessions` would give without a limit. */
  countSessions(query?: SessionQuery): Promise<number>;

  readRatings(query?: RatingQuery): Promise<readonly Rating[]>;
  readApprovals(query?: TimeQuery & { readonly runId?: string }): Promise<readonly ApprovalRecord[]>;
  readAlerts(query?: AlertQuery): Promise<readonly Alert[]>;
  trackAlerts(query: TrackedAlertQuery): Promise<readonly TrackedAlert[]>;
  readAlertEvents(query?: TimeQuery & { readonly alertId?: string }): Promise<readonly AlertEvent[]>;
  readFeedback(query?: FeedbackQuery): Promise<readonly Feedback[]>;

  readDeliveries(
    query?: TimeQuery & { readonly deliveryId?: string; readonly target?: string },
  ): Promise<readonly Delivery[]>;
  /** Those that were neither delivered nor given up, the oldest first. */
  pendingDeliveries(query?: PendingQuery): Promise<readonly PendingDelivery[]>;

  readAudit(query?: AuditQuery): Promise<readonly StoredAuditEntry[]>;

  readDecompositions(query?: DecompositionQuery): Promise<readonly DecompositionRecord[]>;
  readDecompositionText(id: string): Promise<DecompositionText | undefined>;
  /**
   * What adding up the records would give, by span of time, prompt version and model, in this order; spans that begin in
   * the period.
   */
  productionCells(query: ProductionCellQuery): Promise<readonly ProductionCell[]>;

  /**
   * Deletes what is older than `before`, and returns how many records were deleted. A session goes with all its
   * revisions, by the start of the current one, or by its scoring where the start is unknown. It is not one
   * transaction: what was deleted when the process dies stays deleted. A record that is sent again afterwards is new.
   */
  prune(kind: PrunedKind, before: string): Promise<number>;

  /** Access for maintenance of the store itself. */
  upkeep(): StoreUpkeep;

  /** A cheap check for writes: the result differs from before if anything was written. */
  changes(): Promise<StoreChanges>;

  close(): Promise<void>;
}
