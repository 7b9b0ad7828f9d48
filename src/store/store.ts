/**
 * The store contract, in our own words. A store keeps what was measured and what people said about it, append-only:
 * nothing is changed or deleted. Every record has a key, and sending a record again changes nothing, so that a
 * caller that is not sure whether a batch arrived simply sends it again; the same key with other content is refused
 * (STORE_CONFLICT). A batch is stored whole or not at all, and once the promise resolves it survives a crash of the
 * process and a power cut. In whatever order records arrive, what is read is the same: by time, ties by key (the
 * bytes of its UTF-8).
 *
 * A record comes back as it was sent, except that strings become well-formed Unicode and -0 becomes 0; the keys of its
 * objects have no order. What cannot be kept (NaN, Infinity, an unknown field, a time in another spelling) is refused
 * with INPUT_INVALID, and nothing of its batch stays.
 *
 * `contract.ts` holds the test suite that every backend passes.
 */
import type { GateVerdict } from '../judge/gate.ts';
import type { Zone } from '../judge/zone.ts';
import type { Measurement } from '../measure/metric.ts';
import type { SessionRow } from './session-row.ts';

/** Facts that only the instrument which wrote them understands. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export type CaseResult = {
  readonly caseId: string;
  readonly metrics: Readonly<Record<string, Measurement>>;
  readonly zone?: Zone;
  readonly error?: string;
  /** Enough to measure again with another metric; never the text that was examined. */
  readonly evidence?: Json;
};

/** One execution of an instrument. Key: `runId`. */
export type RunRecord = {
  readonly runId: string;
  readonly instrument: string;
  /** What was measured; runs with the same subject and truth form a series. */
  readonly subject: string;
  /** As `Date.toISOString` writes it; so is every time in a record. */
  readonly at: string;
  readonly scorer: string;
  readonly truthHash?: string;
  readonly verdict: GateVerdict;
  readonly metrics: Readonly<Record<string, Measurement>>;
  readonly cases: readonly CaseResult[];
};

export type RunSummary = Omit<RunRecord, 'cases'> & { readonly caseCount: number };

/** A person's or a named model's opinion of something: evidence with an author. Key: `ratingId`. */
export type Rating = {
  readonly ratingId: string;
  /** What kind of thing is rated (a session, a case, an output) and which one. */
  readonly kind: string;
  readonly subjectId: string;
  readonly author: string;
  readonly rating: number;
  readonly note?: string;
  readonly at: string;
};

/** A regression that somebody let through. Key: `approvalId`. */
export type ApprovalRecord = {
  readonly approvalId: string;
  readonly instrument: string;
  readonly runId: string;
  readonly baselineRunId: string;
  readonly metric: string;
  readonly reason: string;
  readonly who: string;
  readonly at: string;
};

/** Something that deserves attention. Key: `alertId`. */
export type Alert = {
  readonly alertId: string;
  readonly instrument: string;
  readonly severity: 'warning' | 'critical';
  /** The rule that fired, e.g. `three-declines`. */
  readonly rule: string;
  readonly subject: string;
  readonly message: string;
  readonly at: string;
};

/** How many records of a batch were new, and how many the store already had. */
export type Appended = { readonly added: number; readonly known: number };

export type RunQuery = {
  readonly instrument?: string;
  readonly subject?: string;
  readonly scorer?: string;
  readonly truthHash?: string;
  /** Only runs in which every case could be examined. */
  readonly withoutErrors?: boolean;
  /** Of the runs that fit everything else. */
  readonly limit?: number;
};

export type SeriesQuery = RunQuery & { readonly metric: string };

export type SeriesPoint = {
  readonly runId: string;
  readonly at: string;
  readonly subject: string;
  readonly scorer: string;
  readonly truthHash?: string;
  readonly measurement: Measurement;
};

export type SessionQuery = {
  /** Only sessions that started at or after this: a date (UTC), or a date and time with its zone. */
  readonly since?: string;
  readonly source?: string;
  readonly agent?: string;
  readonly model?: string;
  readonly taskType?: string;
};

/** Oldest first; `limit` keeps the latest ones. */
export type TimeQuery = { readonly since?: string; readonly limit?: number };

export interface Store {
  /** Where it is, as a person would type it. */
  readonly address: string;

  appendRuns(runs: readonly RunRecord[]): Promise<Appended>;
  appendSessions(rows: readonly SessionRow[]): Promise<Appended>;
  appendRatings(ratings: readonly Rating[]): Promise<Appended>;
  appendApprovals(approvals: readonly ApprovalRecord[]): Promise<Appended>;
  appendAlerts(alerts: readonly Alert[]): Promise<Appended>;

  /** Newest first. */
  listRuns(query?: RunQuery): Promise<readonly RunSummary[]>;
  readRun(runId: string): Promise<RunRecord | undefined>;
  /** The first that `listRuns` would give. */
  latestRun(query?: RunQuery): Promise<RunRecord | undefined>;
  /** Oldest first; `limit` keeps the latest ones. */
  series(query: SeriesQuery): Promise<readonly SeriesPoint[]>;

  /**
   * The current revision of every session, in the order of their start, those with an unknown start first. A query is
   * asked of the current revisions only. What is appended while the caller reads is not seen.
   */
  readSessions(query?: SessionQuery): AsyncIterable<SessionRow>;
  readSession(sessionId: string): Promise<SessionRow | undefined>;

  readRatings(
    query?: TimeQuery & { readonly kind?: string; readonly subjectId?: string },
  ): Promise<readonly Rating[]>;
  readApprovals(query?: TimeQuery & { readonly runId?: string }): Promise<readonly ApprovalRecord[]>;
  readAlerts(query?: TimeQuery & { readonly instrument?: string }): Promise<readonly Alert[]>;

  close(): Promise<void>;
}
