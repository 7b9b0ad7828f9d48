/** Arbitrary batches of every kind of record, and what a store must answer after them, worked out in plain arrays. */
import fc from 'fast-check';
import type { Measurement } from '../../measure/metric.ts';
import { SESSION_FIELDS, type SessionRow } from '../schema/session.ts';
import type { Alert, Appended, ApprovalRecord, Json, Rating, RunRecord, Store } from '../store.ts';
import { at, collect } from './records.ts';

export type Batch = {
  readonly runs: readonly RunRecord[];
  readonly sessions: readonly SessionRow[];
  readonly ratings: readonly Rating[];
  readonly approvals: readonly ApprovalRecord[];
  readonly alerts: readonly Alert[];
};

const text = fc.string({ unit: 'binary', maxLength: 8 });
// Few times, so that ties are common.
const time = fc.integer({ min: 0, max: 3 }).map(at);
// -0 comes back as 0; an example tests that.
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const json = fc
  .jsonValue({ maxDepth: 3, noUnicodeString: false })
  .map(withoutMinusZero) as fc.Arbitrary<Json>;

function withoutMinusZero(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function optional<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(arbitrary, { nil: undefined });
}

/** A record without the keys that have no value: those compare as absent. */
function record<T>(model: { [K in keyof T]-?: fc.Arbitrary<T[K] | undefined> }): fc.Arbitrary<T> {
  return fc
    .record(model as Record<string, fc.Arbitrary<unknown>>)
    .map((value) => Object.fromEntries(Object.entries(value).filter((entry) => entry[1] !== undefined)) as T);
}

/** Also of names that others end with. */
const project = optional(fc.constantFrom('a', '/x/a', 'b/a', 'ba', 'b', ''));

const measurement: fc.Arbitrary<Measurement> = fc.oneof(
  record<Measurement & { measured: true }>({
    measured: fc.constant(true),
    value: number,
    low: optional(number),
    high: optional(number),
    n: fc.nat(),
    pooled: optional(number),
    coverage: optional(number),
    spread: optional(number),
    skipped: optional(fc.dictionary(text, fc.nat())),
  }),
  fc.record({ measured: fc.constant(false as const), reason: text }),
);

const metrics = fc.dictionary(text, measurement, { maxKeys: 4, noNullPrototype: true });

const run = record<RunRecord>({
  runId: text,
  instrument: fc.constantFrom('a', 'b'),
  subject: text,
  at: time,
  scorer: text,
  truthHash: optional(text),
  verdict: fc.constantFrom('passed', 'blocked', 'inconclusive', 'could not run'),
  // Only the instrument reads it; any JSON must come back.
  judgement: optional(json) as fc.Arbitrary<RunRecord['judgement']>,
  facts: optional(json),
  project,
  metrics,
  cases: fc.array(
    record<RunRecord['cases'][number]>({
      caseId: text,
      metrics,
      zone: optional(fc.constantFrom('fail', 'below target', 'pass', 'excellent')),
      error: optional(text),
      evidence: optional(json),
      baseline: optional(metrics),
    }),
    { maxLength: 3 },
  ),
});

const VALUES = { text, time, number } as const;

/** Any content that the declared columns allow. */
const sessionContent = record<Omit<SessionRow, 'sessionKey' | 'revision' | 'scoredAt'>>({
  facts: json,
  ...Object.fromEntries(
    SESSION_FIELDS.filter(({ name }) => !['sessionKey', 'revision', 'scoredAt'].includes(name)).map(
      ({ name, kind, optional: may }) => [name, may ? optional<unknown>(VALUES[kind]) : VALUES[kind]],
    ),
  ),
} as never);

/** A revision is a hash of the content, so equal keys have equal content; the times of scoring may differ. */
const sessions = fc
  .uniqueArray(
    fc.tuple(
      fc.constantFrom('', 'a', '\u{1f600}'),
      text,
      sessionContent,
      fc.array(time, { minLength: 1, maxLength: 3 }),
    ),
    {
      selector: ([id, revision]) => JSON.stringify([id, revision]),
      maxLength: 8,
    },
  )
  .map((list) =>
    list.flatMap(([sessionKey, revision, content, times]) =>
      times.map((scoredAt): SessionRow => ({ sessionKey, revision, scoredAt, ...content })),
    ),
  );

function unique<T>(arbitrary: fc.Arbitrary<T>, selector: (record: T) => string): fc.Arbitrary<T[]> {
  return fc.uniqueArray(arbitrary, { selector, maxLength: 6 });
}

export const batch: fc.Arbitrary<Batch> = fc.record({
  runs: unique(run, (value) => value.runId),
  sessions,
  ratings: unique(
    record<Rating>({
      ratingId: text,
      kind: text,
      subjectId: text,
      author: text,
      rating: number,
      note: optional(text),
      at: time,
      project,
    }),
    (value) => value.ratingId,
  ),
  approvals: unique(
    record<ApprovalRecord>({
      approvalId: text,
      instrument: text,
      runId: text,
      baselineRunId: text,
      metric: text,
      reason: text,
      who: text,
      at: time,
      project,
    }),
    (value) => value.approvalId,
  ),
  alerts: unique(
    record<Alert>({
      alertId: text,
      instrument: text,
      severity: fc.constantFrom('warning', 'critical'),
      rule: text,
      subject: text,
      message: text,
      at: time,
      project,
    }),
    (value) => value.alertId,
  ),
});

export async function append(
  store: Store,
  { runs, sessions, ratings, approvals, alerts }: Batch,
): Promise<Appended> {
  const counts = [
    await store.appendRuns(runs),
    await store.appendSessions(sessions),
    await store.appendRatings(ratings),
    await store.appendApprovals(approvals),
    await store.appendAlerts(alerts),
  ];
  const again =
    sessions.length - new Set(sessions.map((row) => JSON.stringify([row.sessionKey, row.revision]))).size;
  const known = counts.reduce((sum, count) => sum + count.known, 0);
  const added = counts.reduce((sum, count) => sum + count.added, 0);
  // Sessions that were scored several times are known within their own batch.
  return { added, known: known - again };
}

export type Reads = {
  readonly runs: readonly (RunRecord | undefined)[];
  readonly sessions: readonly SessionRow[];
  readonly ratings: readonly Rating[];
  readonly approvals: readonly ApprovalRecord[];
  readonly alerts: readonly Alert[];
};

export async function readAll(store: Store): Promise<Reads> {
  const runs: (RunRecord | undefined)[] = [];
  for (const { runId } of await store.listRuns()) runs.push(await store.readRun(runId));
  return {
    runs,
    sessions: await collect(store.readSessions()),
    ratings: await store.readRatings(),
    approvals: await store.readApprovals(),
    alerts: await store.readAlerts(),
  };
}

export function expectedReads({ runs, sessions, ratings, approvals, alerts }: Batch): Reads {
  const byTime = <T extends { readonly at: string }>(list: readonly T[], key: (item: T) => string) =>
    list.toSorted((x, y) => compare(x.at, y.at) || compare(key(x), key(y)));
  const current = Map.groupBy(sessions, (row) => row.sessionKey)
    .values()
    .map((rows) =>
      rows.toSorted((x, y) => compare(x.scoredAt, y.scoredAt) || compare(x.revision, y.revision)).at(-1),
    )
    .filter((row) => row !== undefined);
  return {
    runs: byTime(runs, (item) => item.runId).reverse(),
    sessions: [...current].sort(
      (x, y) => compare(x.startedAt ?? '', y.startedAt ?? '') || compare(x.sessionKey, y.sessionKey),
    ),
    ratings: byTime(ratings, (item) => item.ratingId),
    approvals: byTime(approvals, (item) => item.approvalId),
    alerts: byTime(alerts, (item) => item.alertId),
  };
}

function compare(x: string, y: string): number {
  return Buffer.compare(Buffer.from(x), Buffer.from(y));
}

/** The same records in another order, in batches of `size`. */
export function inParts(batch: Batch, size: number, order: (x: object, y: object) => number): Batch[] {
  const longest = Math.max(...Object.values(batch).map((list) => list.length));
  const sorted = Object.entries(batch).map(([kind, list]) => [kind, list.toSorted(order)] as const);
  return Array.from({ length: Math.ceil(longest / size) }, (_, i) => {
    const parts = sorted.map(([kind, list]) => [kind, list.slice(i * size, (i + 1) * size)]);
    return Object.fromEntries(parts) as Batch;
  });
}
