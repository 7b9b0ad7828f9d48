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

type Order = {
  readonly sql: string;
  /** Sessions without what they are put in order by are left out. */
  readonly only?: string;
};

const ORDERS: Readonly<Record<SessionOrder, Order>> = {
  oldest: { sql: 'hour, started_at NULLS FIRST, session_key' },
  newest: { sql: 'hour DESC, started_at DESC NULLS LAST, session_key DESC' },
  'lowest Q': { sql: 'q, session_key', only: 'q IS NOT NULL' },
  costliest: { sql: 'cost_usd DESC, session_key DESC', only: 'cost_usd IS NOT NULL' },
  'most worrying': {
    sql: 'concern DESC, ifNull(cost_usd, 0) DESC, session_key DESC',
    only: 'concern > 0 AND q IS NOT NULL',
  },
};

export function orderOf({ order = 'oldest' }: SessionQuery): string {
  return ORDERS[order].sql;
}

export type Selection = { readonly from: string; readonly values: Values };

export async function fromSessions(connection: Connection, query: SessionQuery): Promise<Selection> {
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

/** A session without a start is before every other. */
function goOnAfter(where: Where, order: SessionOrder, position: SessionPosition): void {
  const { q, costUsd = 0, concern = 0, sessionKey, startedAt } = position;
  const start = startedAt === undefined ? undefined : Date.parse(startedAt);
  where.mixed((mark) => {
    const key = mark('String', sessionKey);
    switch (order) {
      case 'lowest Q':
        return `(q, session_key) > (${mark('Float64', q ?? -Number.MAX_VALUE)}, ${key})`;
      case 'costliest':
        return `(cost_usd, session_key) < (${mark('Float64', costUsd)}, ${key})`;
      case 'most worrying':
        return `(concern, ifNull(cost_usd, 0), session_key) < (${mark('Float64', concern)}, ${mark('Float64', costUsd)}, ${key})`;
      case 'oldest':
        if (start === undefined) return `(started_at IS NOT NULL OR session_key > ${key})`;
        return `(started_at, session_key) > (${mark('Int64', start)}, ${key})`;
      case 'newest':
        if (start === undefined) return `(started_at IS NULL AND session_key < ${key})`;
        return `(started_at IS NULL OR (started_at, session_key) < (${mark('Int64', start)}, ${key}))`;
    }
  });
}
