/**
 * The store contract, in our own words. A store keeps what was measured and what people said about it, append-only:
 * nothing is changed, and nothing is deleted except by `prune`. Every record has a key, and sending a record again
 * changes nothing, so that a caller that is not sure whether a batch arrived simply sends it again; the same key with
 * other content is refused (STORE_CONFLICT). A batch is stored whole or not at all, and once the promise resolves it
 * survives a crash of the process and a power cut. In whatever order records arrive, what is read is the same: by time,
 * ties by key (the bytes of its UTF-8).
 *
 * A record comes back as it was sent, except that strings become well-formed Unicode and -0 becomes 0; the keys of its
 * objects have no order. What cannot be kept (NaN, Infinity, an unknown field, a time in another spelling) is refused
 * with INPUT_INVALID, and nothing of its batch stays.
 *
 * Every listing can be read in pages: `limit` at a time, each going on `after` the last record of the one before. A
 * position is made of the record itself, so it stays good whatever is appended or pruned meanwhile.
 *
 * `contract.ts` holds the test suite that every backend passes.
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

/** An alert with what became of it: its latest event, or open when there is none. */
export type TrackedAlert = Alert & {
  readonly state: AlertState;
  /** The event that says so; a silence that is over is still the latest event. */
  readonly event?: AlertEvent;
};

/** A delivery that is still to be made, with what was tried so far. */
export type PendingDelivery = Delivery & {
  /** How often it failed. */
  readonly attempts: number;
  /** How many steps there were, of every kind. */
  readonly steps: number;
  /** When the last step was. */
  readonly triedAt?: string;
  /** The last step was a claim: somebody is telling it, or died while they did. */
  readonly isClaimed: boolean;
};

export type PendingQuery = InProjects & { readonly target?: string; readonly limit?: number };

/** As it is read. */
export type StoredAuditEntry = AuditEntry & {
  /** The hash that it was written with, where it is not as it was written: only with `includeAltered`. */
  readonly alteredFrom?: string;
};

export type AuditQuery = TimeQuery & {
  /** Entries that somebody altered are given as they stand; otherwise they are STORE_CORRUPT. */
  readonly includeAltered?: boolean;
  /** The name of whoever did it, or the id of the token. */
  readonly who?: string;
  /** Only what has this in it. */
  readonly what?: string;
  readonly target?: string;
};

/** How many records of a batch were new, and how many the store already had. */
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

/** A query is asked of the current revisions only; a period is one of their start. */
export type SessionQuery = Period &
  SessionNarrowing & {
    /** Told of each session that is no longer what was stored, while the others are read; without it that is an error. */
    readonly onDamage?: (error: AssayError) => void;
    readonly tier?: string;
    /** Only sessions with a Q of less than this. */
    readonly qBelow?: number;
    /** What its agent calls it, and the one that started it. */
    readonly sessionId?: string;
    readonly parentSessionId?: string;
    /**
     * Only sessions that have this in the name of their project, agent, source, kind of work or a model, in any case of
     * letters; that have it as their id; or whose key begins with it.
     */
    readonly search?: string;
    /** Of which at least this share was measured. */
    readonly coverageFrom?: number;
    /** Only sessions that started others, or were started by one. */
    readonly related?: boolean;
    /** Rows come without their facts (`null`), which takes a fraction of the time. */
    readonly withoutFacts?: boolean;
    /** Only sessions whose files have lines that could not be used. */
    readonly withSkippedLines?: boolean;
    readonly order?: SessionOrder;
    readonly after?: SessionPosition;
    readonly limit?: number;
  };

/**
 * `file` by path and place in the file, for reading all of them at once; `oldest` by start, unknown ones first; `newest` is its reverse; `lowest Q` by Q; `costliest` by cost and `longest` by
 * turns, the highest first; `most worrying` by concern, the highest first, of equals the dearest, sessions with a Q only.
 * Sessions without what they are put in order by are left out, those with a concern of 0 too. Ties newest first, those
 * of the same start by key.
 */
export type SessionOrder =
  | 'file'
  | 'oldest'
  | 'newest'
  | 'lowest Q'
  | 'costliest'
  | 'longest'
  | 'most worrying';

/** Of the last session what the order is by (absent when unknown), and its key. A summary is its own position. */
export type SessionPosition = Pick<
  SessionRow,
  'startedAt' | 'q' | 'costUsd' | 'turns' | 'concern' | 'sessionKey'
>;

/** A session without the facts it was scored from. */
export type SessionSummary = Omit<SessionRow, 'facts'>;

/**
 * Oldest first, where `limit` keeps the latest ones; or newest first, where it keeps the same ones and `after` goes on
 * with older ones. In the first order `after` goes on with later ones, and `limit` keeps those that come next.
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
  /** Only the last word on each subject, or that of each author. Asked of all ratings, before the rest of the query. */
  readonly latest?: 'per subject' | 'per author';
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
 * What can be deleted by age. Runs go with their cases, alerts with their events, deliveries with what was tried, and
 * decompositions with their sums by the minute, while those by hour and day stay.
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
  /** Of a store that cannot tell its own writes from others': sessions alone, and what was said of anything. */
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
  appendSessions(rows: readonly SessionRow[]): Promise<Appended>;
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
   * Deletes what is older than `before`, and says how many records went. A session goes with all its revisions, by the
   * start of the current one, or when it was scored where the start is unknown. Not one transaction: what was deleted
   * when the process dies is deleted. A record that is sent again afterwards is new.
   */
  prune(kind: PrunedKind, before: string): Promise<number>;

  /** For who looks after the store, and not after what is in it. */
  upkeep(): StoreUpkeep;

  /** A cheap look at whether anything was written: what it gives differs from before if so. */
  changes(): Promise<StoreChanges>;

  close(): Promise<void>;
}
