/** Every record by its key, and how much there is of each kind. */

import type { PrunedKind } from '../store.ts';
import type { KindSize, LastPrune, StoredItem, StoredKind } from '../upkeep.ts';
import type { Connection } from './connection.ts';
import { RECORDS, TEXTS } from './decompositions.ts';
import {
  ALERT_EVENTS,
  ALERTS,
  APPROVALS,
  AUDIT,
  DELIVERIES,
  DELIVERY_ATTEMPTS,
  FEEDBACK,
  keyColumn,
  RATINGS,
  readKeyed,
} from './keyed-records.ts';
import { readRun } from './runs.ts';
import { OLDER_SESSIONS, readSession } from './sessions.ts';
import { revisionIn } from './stored-session.ts';
import { type Table, Where } from './table.ts';

/** The flat ones; runs and sessions are read by their own means. */
const KEYED_KINDS = {
  ratings: RATINGS,
  approvals: APPROVALS,
  alerts: ALERTS,
  'alert-events': ALERT_EVENTS,
  feedback: FEEDBACK,
  audit: AUDIT,
  deliveries: DELIVERIES,
  'delivery-attempts': DELIVERY_ATTEMPTS,
  decompositions: RECORDS,
  'decomposition-texts': TEXTS,
} as const satisfies Readonly<Record<Exclude<StoredKind, 'runs' | 'sessions'>, Table>>;

const ITEMS: Readonly<Record<'runs' | 'sessions', string>> = {
  runs: 'SELECT run_id AS key, content_hash FROM run WHERE 1',
  sessions: `SELECT session_key AS key, ${revisionIn('session')} || ' ' || scored_at FROM session WHERE current = 1`,
};

function selectItems(kind: StoredKind): string {
  if (kind === 'runs' || kind === 'sessions') return ITEMS[kind];
  const table = KEYED_KINDS[kind];
  return `SELECT ${keyColumn(table)} AS key, content_hash FROM ${table.name} WHERE 1`;
}

export function itemsOf(
  connection: Connection,
  kind: StoredKind,
  after: string | undefined,
  limit: number,
): StoredItem[] {
  const key = kind === 'runs' ? 'run_id' : kind === 'sessions' ? 'session_key' : keyColumn(KEYED_KINDS[kind]);
  const beyond = after === undefined ? '' : ` AND ${key} > ?`;
  const sql = `${selectItems(kind)}${beyond} ORDER BY ${key} LIMIT ?`;
  const rows = connection.all(sql, after === undefined ? [limit] : [after, limit]);
  return rows.map(([name, hash]) => ({ key: String(name), hash: String(hash) }));
}

/** SQLite takes only so many values in one statement. */
const KEYS_AT_ONCE = 500;

export function recordsOf(connection: Connection, kind: StoredKind, keys: readonly string[]): object[] {
  if (kind === 'runs') return keys.flatMap((key) => readRun(connection, key) ?? []);
  if (kind === 'sessions') return keys.flatMap((key) => readSession(connection, key) ?? []);
  const table = KEYED_KINDS[kind];
  const found: object[] = [];
  for (let i = 0; i < keys.length; i += KEYS_AT_ONCE) {
    const some = keys.slice(i, i + KEYS_AT_ONCE);
    const where = new Where().andAll(`${keyColumn(table)} IN (${some.map(() => '?').join(', ')})`, some);
    found.push(...readKeyed<object>(connection, table, where, {}));
  }
  return found;
}

/** Tables by the kind they belong to; those of no kind are the store's own. */
const TABLES: Readonly<Record<StoredKind, readonly string[]>> = {
  runs: ['run', 'run_case', 'measurement'],
  sessions: ['session', 'session_name', 'session_link', 'session_group', 'session_cell'],
  ratings: ['rating'],
  approvals: ['approval'],
  alerts: ['alert'],
  'alert-events': ['alert_event'],
  feedback: ['feedback'],
  audit: ['audit'],
  deliveries: ['delivery'],
  'delivery-attempts': ['delivery_attempt'],
  decompositions: ['decomposition', 'production_cell'],
  'decomposition-texts': ['decomposition_text'],
};

export function sizesOf(connection: Connection): KindSize[] {
  const bytes = bytesByTable(connection);
  return Object.entries(TABLES).map(([name, tables]) => {
    const kind = name as StoredKind;
    const [records, oldest, newest] = extentOf(connection, kind, tables[0] ?? '');
    return {
      kind,
      records,
      ...(bytes !== undefined && {
        bytes: records === 0 ? 0 : tables.reduce((sum, table) => sum + (bytes.get(table) ?? 0), 0),
      }),
      ...(oldest !== undefined && { oldest }),
      ...(newest !== undefined && { newest }),
    };
  });
}

function extentOf(
  connection: Connection,
  kind: StoredKind,
  table: string,
): readonly [number, string | undefined, string | undefined] {
  const isSession = kind === 'sessions';
  const [time, only] = isSession ? ['started_at', ' WHERE current = 1'] : ['at', ''];
  const first = (direction: string) =>
    connection.get(
      `SELECT ${time} FROM ${table} WHERE ${time} IS NOT NULL${isSession ? ' AND current = 1' : ''} ORDER BY ${time} ${direction} LIMIT 1`,
    )?.[0];
  const say = (value: unknown) =>
    value === undefined ? undefined : isSession ? new Date(Number(value)).toISOString() : String(value);
  const count = Number(connection.get(`SELECT count(*) FROM ${table}${only}`)?.[0]);
  return [count, say(first('ASC')), say(first('DESC'))];
}

/** With their indexes. Some builds of SQLite cannot tell. */
function bytesByTable(connection: Connection): Map<string, number> | undefined {
  try {
    const rows = connection.all(`SELECT tbl_name, sum(pgsize) FROM sqlite_schema
      JOIN (SELECT name, pgsize FROM dbstat WHERE aggregate = TRUE) AS used ON used.name = sqlite_schema.name
      GROUP BY tbl_name`);
    return new Map(rows.map(([name, size]) => [String(name), Number(size)]));
  } catch {
    return undefined;
  }
}

/** What is deleted by its own age; other records go with these. */
const PRUNED_TABLES: Readonly<Record<Exclude<PrunedKind, 'sessions'>, string>> = {
  runs: 'run',
  ratings: 'rating',
  approvals: 'approval',
  alerts: 'alert',
  feedback: 'feedback',
  audit: 'audit',
  deliveries: 'delivery',
  decompositions: 'decomposition',
  'decomposition-texts': 'decomposition_text',
};

export function countOlder(connection: Connection, kind: PrunedKind, before: string): number {
  const row =
    kind === 'sessions'
      ? connection.get(`SELECT count(*) FROM session WHERE ${OLDER_SESSIONS}`, [Date.parse(before)])
      : connection.get(`SELECT count(*) FROM ${PRUNED_TABLES[kind]} WHERE at < ?`, [before]);
  return Number(row?.[0]);
}

const PRUNED = 'pruned ';

/** Inside a transaction. */
export function notePrune(connection: Connection, prune: LastPrune): void {
  connection.run('INSERT OR REPLACE INTO store_note (name, at, value) VALUES (?, ?, ?)', [
    PRUNED + prune.kind,
    prune.at,
    JSON.stringify({ before: prune.before, removed: prune.removed }),
  ]);
}

export function lastPrunesOf(connection: Connection): LastPrune[] {
  const rows = connection.all(
    `SELECT name, at, value FROM store_note WHERE name >= '${PRUNED}' ORDER BY name`,
  );
  return rows.map(([name, at, value]) => ({
    kind: String(name).slice(PRUNED.length) as PrunedKind,
    at: String(at),
    ...(JSON.parse(String(value)) as Pick<LastPrune, 'before' | 'removed'>),
  }));
}
