/** Random questions, one for each way of reading a store; those with pages go on to the last of them. */
import fc from 'fast-check';
import type { Position, SessionQuery, SessionSummary, Store, TimeQuery } from '../store.ts';
import { maybe, NAMES, name, present, TIMES, time } from './any-records.ts';
import { collect } from './records.ts';
import { rollupQuery, sessionQuery } from './session-story.ts';

export type Question = {
  /** The method and its arguments, to report where two stores differ. */
  readonly asked: string;
  readonly ask: (store: Store) => Promise<unknown>;
};

type Asked<Q> = (store: Store, query: Q) => Promise<unknown>;

function question<Q>(method: string, query: fc.Arbitrary<Q>, ask: Asked<Q>): fc.Arbitrary<Question> {
  return thinned(query).map((asked) => ({
    asked: `${method} ${JSON.stringify(asked)}`,
    ask: (store) => ask(store, asked),
  }));
}

/** Other conditions are mostly skipped: a query with all of them finds nothing. */
const NEEDED = new Set(['metric', 'now', 'by', 'bucket', 'histograms', 'order', 'limit', 'after']);

function thinned<Q>(query: fc.Arbitrary<Q>): fc.Arbitrary<Q> {
  return fc
    .tuple(query, fc.array(fc.nat({ max: 4 }), { minLength: 20, maxLength: 20 }))
    .map(([asked, dice]) =>
      typeof asked === 'object' && asked !== null && !Array.isArray(asked)
        ? (Object.fromEntries(
            Object.entries(asked).filter(([name], i) => NEEDED.has(name) || dice[i] === 0),
          ) as Q)
        : asked,
    );
}

function some<Q extends object>(parts: { [K in keyof Q]?: fc.Arbitrary<Q[K] | undefined> }): fc.Arbitrary<Q> {
  return fc.record(parts as Record<string, fc.Arbitrary<unknown>>).map((query) => present(query) as Q);
}

const key = fc.oneof(name, fc.nat({ max: 30 }).map(String));
const limit = maybe(fc.constantFrom(0, 1, 2, 5));
const period = { since: maybe(time), until: maybe(time) };
const timed = {
  ...period,
  order: maybe(fc.constantFrom('oldest' as const, 'newest' as const)),
  after: fc.option(fc.record({ at: time, key }), { nil: undefined, freq: 2 }),
  limit,
};

const MOST_PAGES = 4;

/** The answer, and what follows on the next pages. */
async function paged<R, Q extends { readonly limit?: number; readonly after?: unknown }>(
  query: Q,
  read: (query: Q) => Promise<readonly R[]>,
  positionOf: (record: R) => unknown,
): Promise<unknown> {
  const pages = [await read(query)];
  while (query.limit !== undefined && pages.length < MOST_PAGES) {
    const last = pages.at(-1)?.at(-1);
    if (last === undefined) break;
    pages.push(await read({ ...query, after: positionOf(last) }));
  }
  return pages;
}

type Timed = { readonly at: string };

type Listing = {
  [M in keyof Store]-?: Store[M] extends (query: infer Q) => Promise<readonly (infer R)[]>
    ? R extends Timed
      ? { readonly query: NonNullable<Q>; readonly record: R }
      : { readonly query: never; readonly record: Timed }
    : { readonly query: never; readonly record: Timed };
};

function listing<M extends keyof Store>(
  method: M,
  parts: { [K in Exclude<keyof Listing[M]['query'], keyof TimeQuery>]: fc.Arbitrary<unknown> },
  keyOf: (record: Listing[M]['record']) => string,
): fc.Arbitrary<Question> {
  type Query = TimeQuery & Listing[M]['query'];
  type Record = Listing[M]['record'];
  return question(method, some<Query>({ ...timed, ...parts } as never), (store, query) =>
    paged<Record, Query>(
      query,
      (asked) => (store[method] as (query: Query) => Promise<readonly Record[]>)(asked),
      (one): Position => ({ at: (one as Timed).at, key: keyOf(one) }),
    ),
  );
}

const runQuery = {
  ...period,
  instrument: maybe(name),
  subject: maybe(name),
  scorer: maybe(fc.constantFrom('1', '2')),
  truthHash: maybe(name),
  withoutErrors: maybe(fc.boolean()),
  after: fc.option(fc.record({ at: time, key }), { nil: undefined, freq: 2 }),
  limit,
};
type RunQuery = NonNullable<Parameters<Store['listRuns']>[0]>;
const pagedSessions: fc.Arbitrary<SessionQuery> = fc
  .tuple(sessionQuery, limit)
  .map(([query, most]) => (most === undefined ? query : { ...query, limit: most }));
const sessionKey = fc.constantFrom('a', 'b', 'c', 'd', 'ß', 'none');

export const anyQuestion: fc.Arbitrary<Question> = fc.oneof(
  question('listRuns', some<RunQuery>(runQuery), (store, query) =>
    paged(
      query,
      (asked) => store.listRuns(asked),
      ({ at, runId }): Position => ({ at, key: runId }),
    ),
  ),
  question('readRun', key, (store, id) => store.readRun(id)),
  question('readSessions', sessionQuery, (store, query) => collect(store.readSessions(query))),
  ...[1, 2].map(() =>
    question('listSessions', pagedSessions, (store, query) =>
      paged<SessionSummary, SessionQuery>(
        query,
        (asked) => store.listSessions(asked),
        (one) => one,
      ),
    ),
  ),
  question('readSession', sessionKey, (store, id) => store.readSession(id)),
  ...[1, 2, 3].map(() =>
    question('sessionRollup', rollupQuery, (store, query) => store.sessionRollup(query)),
  ),
  question('sessionScorings', fc.constant(undefined), (store) => store.sessionScorings()),
  question('countSessions', sessionQuery, (store, query) => store.countSessions(query)),
  listing(
    'readRatings',
    {
      kind: maybe(fc.constantFrom('case', 'session')),
      subjectId: maybe(name),
      author: maybe(name),
      latest: maybe(fc.constant(true as const)),
    },
    ({ ratingId }) => ratingId,
  ),
  listing('readApprovals', { runId: maybe(name) }, ({ approvalId }) => approvalId),
  listing(
    'readAlerts',
    { alertId: maybe(key), instrument: maybe(name), subject: maybe(name), rule: maybe(name) },
    ({ alertId }) => alertId,
  ),
  listing(
    'trackAlerts',
    {
      now: time,
      alertId: maybe(key),
      instrument: maybe(name),
      subject: maybe(name),
      rule: maybe(name),
      states: maybe(fc.subarray(['open', 'acknowledged', 'silenced', 'resolved'] as const)),
    },
    ({ alertId }) => alertId,
  ),
  listing('readAlertEvents', { alertId: maybe(key) }, ({ eventId }) => eventId),
  listing(
    'readFeedback',
    { instrument: maybe(name), outputId: maybe(name), runId: maybe(name) },
    ({ feedbackId }) => feedbackId,
  ),
  listing(
    'readAudit',
    {
      auditId: maybe(key),
      who: maybe(name),
      what: maybe(name),
      target: maybe(name),
      includeAltered: maybe(fc.constant(true)),
    },
    ({ auditId }) => auditId,
  ),
  listing('readDeliveries', { deliveryId: maybe(key), target: maybe(name) }, ({ deliveryId }) => deliveryId),
  question(
    'pendingDeliveries',
    some<{ target?: string; limit?: number }>({ target: maybe(name), limit }),
    (store, query) => store.pendingDeliveries(query),
  ),
  listing(
    'readDecompositions',
    {
      ids: maybe(fc.subarray(NAMES)),
      promptVersion: maybe(name),
      model: maybe(name),
      topic: maybe(name),
      status: maybe(fc.constantFrom('ok' as const, 'error' as const)),
      sampledOnly: maybe(fc.boolean()),
      experiment: maybe(name),
    },
    ({ id }) => id,
  ),
  question('readDecompositionText', key, (store, id) => store.readDecompositionText(id)),
  ...[1, 2].map(() =>
    question(
      'productionCells',
      some<Parameters<Store['productionCells']>[0]>({
        by: fc.constantFrom('minute', 'hour', 'day'),
        since: maybe(fc.constantFrom(...TIMES, '2026-01-01T00:30:00Z')),
        until: maybe(fc.constantFrom(...TIMES, '2026-01-01')),
        promptVersion: maybe(name),
        model: maybe(name),
      }),
      (store, query) => store.productionCells(query),
    ),
  ),
);
