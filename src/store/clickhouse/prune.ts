/** The one thing that deletes: what is older than a point in time. */
import { randomUUID } from 'node:crypto';
import { invalid } from '../canonical.ts';
import type { PrunedKind } from '../store.ts';
import type { Connection } from './connection.ts';
import { pruneDecompositions } from './decompositions.ts';

type Prune = (connection: Connection, before: string) => Promise<number>;

const PRUNES: Readonly<Record<PrunedKind, Prune>> = {
  runs: (connection, before) => pruneByTime(connection, 'run', before),
  sessions: pruneSessions,
  ratings: (connection, before) => pruneByTime(connection, 'rating', before),
  approvals: (connection, before) => pruneByTime(connection, 'approval', before),
  alerts: (connection, before) => pruneWith(connection, 'alert', 'alert_event', 'alert_id', before),
  feedback: (connection, before) => pruneByTime(connection, 'feedback', before),
  audit: (connection, before) => pruneByTime(connection, 'audit', before),
  deliveries: (connection, before) =>
    pruneWith(connection, 'delivery', 'delivery_attempt', 'delivery_id', before),
  decompositions: pruneDecompositions,
  'decomposition-texts': (connection, before) => pruneByTime(connection, 'decomposition_text', before),
};

export async function prune(connection: Connection, kind: PrunedKind, before: string): Promise<number> {
  if (!Object.hasOwn(PRUNES, kind))
    throw invalid(`kind ${JSON.stringify(kind)}`, `must be one of ${Object.keys(PRUNES).join(', ')}`);
  return PRUNES[kind](connection, before);
}

/** How many would go, of those that are deleted by their own age. */
export async function countOlder(connection: Connection, kind: PrunedKind, before: string): Promise<number> {
  const [row] =
    kind === 'sessions'
      ? await connection.all(`SELECT count() FROM session FINAL WHERE ${OLDER_SESSIONS}`, {
          before: Date.parse(before),
        })
      : await connection.all(`SELECT count() FROM ${TABLES[kind]} FINAL WHERE at < {before:String}`, {
          before,
        });
  return Number(row?.[0]);
}

/** By their start, or where it is unknown by when they were scored. */
const OLDER_SESSIONS = 'ifNull(started_at, scored_at) < {before:Int64}';

const TABLES: Readonly<Record<Exclude<PrunedKind, 'sessions'>, string>> = {
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

async function pruneByTime(connection: Connection, table: string, before: string): Promise<number> {
  const [row] = await connection.all(`SELECT count() FROM ${table} FINAL WHERE at < {before:String}`, {
    before,
  });
  const count = Number(row?.[0]);
  if (count > 0) await connection.remove(table, 'at < {before:String}', { before });
  return count;
}

/** What was said of a record goes with it, and what was said of none by its own age. */
async function pruneWith(
  connection: Connection,
  table: string,
  about: string,
  key: string,
  before: string,
): Promise<number> {
  const over = `${key} IN (SELECT ${key} FROM ${table} WHERE at < {before:String})
     OR (at < {before:String} AND ${key} NOT IN (SELECT ${key} FROM ${table}))`;
  // Deleting rewrites parts, also where nothing is to be deleted.
  const [some] = await connection.all(`SELECT 1 FROM ${about} WHERE ${over} LIMIT 1`, { before });
  if (some !== undefined) await connection.remove(about, over, { before });
  return pruneByTime(connection, table, before);
}

/** All revisions of a session go, wherever they lie. Those that come meanwhile are on no list, and stay. */
async function pruneSessions(connection: Connection, before: string): Promise<number> {
  const values = { batch: randomUUID(), before: Date.parse(before) };
  await connection.run(
    `INSERT INTO session_pruning SELECT {batch:String}, session_key FROM session FINAL
     WHERE ${OLDER_SESSIONS}`,
    values,
  );
  const listed = 'SELECT session_key FROM session_pruning WHERE batch = {batch:String}';
  const [row] = await connection.all(`SELECT count() FROM (${listed})`, values);
  const count = Number(row?.[0]);
  if (count === 0) return 0;
  const days = await connection.all(
    `SELECT DISTINCT day FROM session WHERE session_key IN (${listed})`,
    values,
  );
  for (const table of ['session', 'session_place'])
    await connection.remove(table, `session_key IN (${listed})`, values);
  await connection.remove('session_pruning', 'batch = {batch:String}', values);
  // What was added up of these days is no longer so.
  await connection.insert(
    'session_touch',
    ['day', 'rows'],
    days.map(([day]) => [day, 1]),
  );
  return count;
}
