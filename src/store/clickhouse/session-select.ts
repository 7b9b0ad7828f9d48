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
import type { Connection, RowValues, Values } from './connection.ts';
import { NO_HOUR } from './schema.ts';
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

/** Rows that were replaced may be among the first; with so many more it is seldom asked twice. */
const SPARE = 50;
const TIMES_MORE = 16;

/**
 * The first sessions in their order. Merging what was replaced takes much longer than reading a column, so it is done for
 * few: whatever is current lies among all rows, the replaced ones too, and of these it is first looked how far the
 * first of them reach. All that is current up to there is among those; where it is less than a page, it is looked further.
 */
export async function readPage(
  connection: Connection,
  columns: string,
  query: SessionQuery,
): Promise<readonly RowValues[]> {
  const selected = await fromSessions(connection, query);
  const limit = checkLimit(query.limit);
  if (limit === undefined) return connection.all(allOf(selected, columns, query), selected.values);
  for (let count = 2 * limit + SPARE; ; count *= TIMES_MORE) {
    const reach = await reachOf(connection, selected, query, count);
    const { sql, values } = candidates(selected, reach);
    const rows = await connection.all(
      `SELECT ${columns} FROM session FINAL ${sql} ORDER BY ${orderOf(query)} LIMIT ${limit}`,
      values,
    );
    if (rows.length === limit || reach === undefined) return rows;
  }
}

export const COUNT = 'count()';

/** All of them in their order, or how many they are. */
export function allOf(selected: Selected, columns: string, query: SessionQuery): string {
  const { sql } = isSeldom(query) ? candidates(selected, undefined) : { sql: selected.where };
  const order = columns === COUNT ? '' : ` ORDER BY ${orderOf(query)}`;
  return `SELECT ${columns} FROM session FINAL ${sql}${order}`;
}

/** Conditions that few rows meet, and that are read from a column or an index. */
function isSeldom({ withSkippedLines, sessionId, parentSessionId }: SessionQuery): boolean {
  return withSkippedLines === true || sessionId !== undefined || parentSessionId !== undefined;
}

/** The terms of an order without the key, an hour for the start, which rows lie by. */
function leadOf({ order = 'oldest' }: SessionQuery): readonly Term[] {
  return ORDERS[order].terms
    .filter(({ sql }) => sql !== KEY.sql)
    .map((term) => (term.sql === START.sql ? { ...term, sql: 'hour' } : term));
}

type Reach = { readonly sql: string; readonly values: Values };

/** What the first `count` rows do not go beyond; undefined where there are not so many. */
async function reachOf(
  connection: Connection,
  { where, values }: Selected,
  query: SessionQuery,
  count: number,
): Promise<Reach | undefined> {
  const lead = leadOf(query);
  const order = lead.map(({ sql, isDown }) => `${sql}${isDown ? ' DESC' : ''}`).join(', ');
  const [last] = await connection.all(
    `SELECT ${lead.map(({ sql }) => sql).join(', ')} FROM session ${where} ORDER BY ${order} LIMIT 1 OFFSET ${count - 1}`,
    values,
  );
  if (last === undefined) return undefined;
  const bounds = new Where('reach');
  bounds.mixed((mark) => {
    const beyond = (i: number): string => {
      const term = lead[i];
      if (term === undefined) return '0';
      const value = mark(term.type, last[i] as string | number);
      return `(${term.sql} ${term.isDown ? '<' : '>'} ${value} OR (${term.sql} = ${value} AND ${beyond(i + 1)}))`;
    };
    return `NOT ${beyond(0)}`;
  });
  return bounds;
}

/** Found among all rows, and looked at again where they lie. */
function candidates({ where, values }: Selected, reach: Reach | undefined): Reach {
  const within =
    reach === undefined ? where : `${where || ' WHERE 1'} AND ${reach.sql.replace(' WHERE ', '')}`;
  // Before what was replaced is merged: all rows of a session have the same of both.
  const found = `PREWHERE (hour, session_key) IN (SELECT hour, session_key FROM session ${within})`;
  return { sql: `${found} ${within}`, values: { ...values, ...reach?.values } };
}

type Selected = { readonly where: string; readonly values: Values };

export async function fromSessions(connection: Connection, query: SessionQuery): Promise<Selected> {
  checkLimit(query.limit);
  const { order = 'oldest', qFrom, qBelow, coverageFrom, search } = query;
  const { only } = ORDERS[order];
  const { tier, ...narrowing } = query;
  const where = (await namesFor(connection, narrowing))(new Where());
  narrowByStart(where, query);
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
  return { where: where.sql, values: where.values };
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

/** Narrows by the few names that there are, tried here as every backend tries them; looked up once for all of a question. */
export async function namesFor(
  connection: Connection,
  query: SessionNarrowing,
): Promise<(where: Where) => Where> {
  const [fits, fitsProject] = [labelTest(query), projectTest(query)];
  const labels = fits && (await labelsThat(connection, fits));
  const projects = fitsProject && (await projectsThat(connection, fitsProject));
  return (where) =>
    where.and('label IN ?', 'Array(UInt64)', labels).and('project IN ?', 'Array(String)', projects);
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
  // By time it goes on where the last one lies.
  const hour = position.startedAt === undefined ? NO_HOUR : bucketOf('hour', Date.parse(position.startedAt));
  if (order === 'newest') where.and('hour <= ?', 'Int32', hour);
  if (order === 'oldest') where.and('hour >= ?', 'Int32', hour);
  where.mixed((mark) => {
    const beyond = ([term, ...others]: readonly Term[]): string => {
      if (term === undefined) return '0';
      const value = mark(term.type, term.valueOf(position));
      return `(${term.sql} ${term.isDown ? '<' : '>'} ${value} OR (${term.sql} = ${value} AND ${beyond(others)}))`;
    };
    return beyond(ORDERS[order].terms);
  });
}
