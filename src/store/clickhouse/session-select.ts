/** Finds the rows that a question about single sessions is about. */
import { finite } from '../canonical.ts';
import { checkLimit, checkPeriod, checkSessionPosition } from '../query.ts';
import {
  KEY_PART,
  labelTest,
  type NamedSession,
  projectTest,
  type SessionNarrowing,
  searchTest,
} from '../session-narrowing.ts';
import type { SessionOrder, SessionPosition, SessionQuery } from '../store.ts';
import { bucketOf } from '../time-bucket.ts';
import type { Connection, Values } from './connection.ts';
import { Where } from './where.ts';

/** What rows are put in order by: an expression, and its value of a session. */
type Term = {
  readonly sql: string;
  readonly type: 'String' | 'Float64' | 'Int64';
  readonly isDown?: true;
  readonly valueOf: (position: SessionPosition) => string | number;
};

type Order = {
  readonly terms: readonly Term[];
  /** Sessions without what they are put in order by are left out. */
  readonly only?: string;
};

/** A session without a start is before every other; no time is so long ago. */
const NEVER = -1_000_000_000_000_000;

const KEY: Term = { sql: 'session_key', type: 'String', valueOf: ({ sessionKey }) => sessionKey };
const START: Term = {
  sql: `ifNull(started_at, ${NEVER})`,
  type: 'Int64',
  valueOf: ({ startedAt }) => (startedAt === undefined ? NEVER : Date.parse(startedAt)),
};
const LATEST: Term = { ...START, isDown: true };
const down = (sql: string, of: Term['valueOf']): Term => ({
  sql,
  type: 'Float64',
  isDown: true,
  valueOf: of,
});

const ORDERS: Readonly<Record<SessionOrder, Order>> = {
  oldest: { terms: [START, KEY] },
  newest: { terms: [LATEST, { ...KEY, isDown: true }] },
  'lowest Q': {
    terms: [{ sql: 'q', type: 'Float64', valueOf: ({ q }) => q ?? -Number.MAX_VALUE }, LATEST, KEY],
    only: 'q IS NOT NULL',
  },
  costliest: {
    terms: [down('cost_usd', ({ costUsd = 0 }) => costUsd), LATEST, KEY],
    only: 'cost_usd IS NOT NULL',
  },
  longest: { terms: [down('turns', ({ turns = 0 }) => turns), LATEST, KEY], only: 'turns IS NOT NULL' },
  'most worrying': {
    terms: [
      down('concern', ({ concern = 0 }) => concern),
      down('ifNull(cost_usd, 0)', ({ costUsd = 0 }) => costUsd),
      LATEST,
      KEY,
    ],
    only: 'concern > 0 AND q IS NOT NULL',
  },
};

function orderOf({ order = 'oldest' }: SessionQuery): string {
  return ORDERS[order].terms.map(({ sql, isDown }) => `${sql}${isDown ? ' DESC' : ''}`).join(', ');
}

/**
 * The same sessions a page at a time, without reading whole rows of all others: what they are put in order by first, then
 * the rows of those that are on the page, which lie where hour and key say.
 */
export function pageOf({ from }: Selected, columns: string, query: SessionQuery): string {
  const order = orderOf(query);
  const limit = checkLimit(query.limit);
  if (limit === undefined) return `SELECT ${columns} FROM ${from} ORDER BY ${order}`;
  const page = `SELECT hour, session_key FROM ${from} ORDER BY ${order} LIMIT ${limit}`;
  return `SELECT ${columns} FROM session FINAL WHERE (hour, session_key) IN (${page}) ORDER BY ${order} LIMIT ${limit}`;
}

type Selected = { readonly from: string; readonly values: Values };

export async function fromSessions(connection: Connection, query: SessionQuery): Promise<Selected> {
  checkLimit(query.limit);
  const { order = 'oldest', qFrom, qBelow, coverageFrom, search } = query;
  const { only } = ORDERS[order];
  const where = new Where();
  narrowByStart(where, query);
  const { tier, ...narrowing } = query;
  await narrowByNames(connection, where, narrowing);
  where
    .and('tier = ?', 'String', tier)
    .when(only !== undefined, only ?? '')
    .when(query.withSkippedLines === true, 'skipped_lines > 0')
    .and('q >= ?', 'Float64', qFrom === undefined ? undefined : finite(qFrom, 'qFrom'))
    .and('q < ?', 'Float64', qBelow === undefined ? undefined : finite(qBelow, 'qBelow'))
    .and(
      'coverage >= ?',
      'Float64',
      coverageFrom === undefined ? undefined : finite(coverageFrom, 'coverageFrom'),
    )
    .and('session_id = ?', 'String', query.sessionId)
    .and('parent_session_id = ?', 'String', query.parentSessionId);
  if (search !== undefined) await narrowBySearch(connection, where, search);
  if (query.after !== undefined) goOnAfter(where, order, checkSessionPosition(query.after));
  return { from: `session FINAL${where.sql}`, values: where.values };
}

export function narrowByStart(
  where: Where,
  query: { readonly since?: string; readonly until?: string },
): void {
  const { since, until } = checkPeriod(query);
  const [from, to] = [since, until].map((point) => (point === undefined ? undefined : Date.parse(point)));
  // The hour is what the rows are found by.
  if (from !== undefined)
    where.and('hour >= ?', 'Int32', bucketOf('hour', from)).and('started_at >= ?', 'Int64', from);
  if (to !== undefined)
    where.and('hour <= ?', 'Int32', bucketOf('hour', to)).and('started_at < ?', 'Int64', to);
}

/** By the few names that there are, tried here as every backend tries them. */
export async function narrowByNames(
  connection: Connection,
  where: Where,
  query: SessionNarrowing,
): Promise<void> {
  const [fits, fitsProject] = [labelTest(query), projectTest(query)];
  if (fits !== undefined) where.and('label IN ?', 'Array(UInt64)', await labelsThat(connection, fits));
  if (fitsProject !== undefined)
    where.and('project IN ?', 'Array(String)', await projectsThat(connection, fitsProject));
}

async function narrowBySearch(connection: Connection, where: Where, text: string): Promise<void> {
  const test = searchTest(text);
  const labels = await labelsThat(connection, test.label);
  const projects = await projectsThat(connection, test.project);
  where.mixed((mark) => {
    const ways = [
      `label IN ${mark('Array(UInt64)', labels)}`,
      `ifNull(project IN ${mark('Array(String)', projects)}, 0)`,
      `session_id = ${mark('String', text)}`,
    ];
    if (text.length >= KEY_PART) ways.push(`startsWith(session_key, ${mark('String', text)})`);
    return `(${ways.join(' OR ')})`;
  });
}

async function labelsThat(connection: Connection, fits: (named: NamedSession) => boolean): Promise<bigint[]> {
  const rows = await connection.all(
    'SELECT label, source, agent, task_type, model, other_models FROM session_label FINAL',
  );
  return rows
    .filter(([, source, agent, taskType, model, otherModels]) =>
      fits(present({ source, agent, taskType, model, otherModels }) as NamedSession),
    )
    .map(([label]) => BigInt(String(label)));
}

async function projectsThat(connection: Connection, fits: (project: string) => boolean): Promise<string[]> {
  const rows = await connection.all('SELECT project FROM session_project FINAL');
  return rows.map(([project]) => String(project)).filter(fits);
}

function present(record: object): object {
  return Object.fromEntries(Object.entries(record).filter((entry) => entry[1] !== null));
}

function goOnAfter(where: Where, order: SessionOrder, position: SessionPosition): void {
  where.mixed((mark) => {
    const beyond = ([term, ...others]: readonly Term[]): string => {
      if (term === undefined) return '0';
      const value = mark(term.type, term.valueOf(position));
      return `(${term.sql} ${term.isDown ? '<' : '>'} ${value} OR (${term.sql} = ${value} AND ${beyond(others)}))`;
    };
    return beyond(ORDERS[order].terms);
  });
}
