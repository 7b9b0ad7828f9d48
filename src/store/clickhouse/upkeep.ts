/** Every record by its key, and how much there is of each kind. */
import { type ProductionCell, startOf } from '../../decomposition/production/cell.ts';
import { contentHash } from '../canonical.ts';
import type { PrunedKind } from '../store.ts';
import type { KindSize, LastPrune, StoredItem, StoredKind } from '../upkeep.ts';
import type { Connection } from './connection.ts';
import { RECORDS, sumsText, TEXTS } from './decompositions.ts';
import {
  ALERT_EVENTS,
  ALERTS,
  APPROVALS,
  AUDIT,
  DELIVERIES,
  DELIVERY_ATTEMPTS,
  FEEDBACK,
  KEYS_AT_ONCE,
  type KeyedTable,
  RATINGS,
  readKeyed,
} from './keyed-records.ts';
import { readRuns } from './runs.ts';
import { readSessionsOf } from './sessions.ts';
import { columnName } from './table.ts';
import { Where } from './where.ts';

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
} as const satisfies Readonly<Record<Exclude<StoredKind, 'runs' | 'sessions'>, KeyedTable>>;

function keyOf({ fields }: KeyedTable): string {
  return columnName(fields[0]?.name ?? '');
}

export async function itemsOf(
  connection: Connection,
  kind: StoredKind,
  after: string | undefined,
  limit: number,
): Promise<StoredItem[]> {
  const where = new Where();
  const values = { limit };
  if (kind === 'sessions') {
    // Places lie by key, so that a page reads no more than itself.
    where.and('session_key > ?', 'String', after);
    const sql = `SELECT session_key, argMax(revision, (scored_at, revision)), max(scored_at) FROM session_place${where.sql}
      GROUP BY session_key ORDER BY session_key LIMIT {limit:Int64} SETTINGS optimize_aggregation_in_order = 1`;
    const rows = await connection.all(sql, { ...where.values, ...values });
    return rows.map(([key, revision, at]) => ({ key: String(key), hash: `${revision} ${at}` }));
  }
  const [table, key] =
    kind === 'runs' ? ['run', 'run_id'] : [KEYED_KINDS[kind].name, keyOf(KEYED_KINDS[kind])];
  where.and(`${key} > ?`, 'String', after);
  const sql = `SELECT ${key}, content_hash FROM ${table} FINAL${where.sql} ORDER BY ${key} LIMIT {limit:Int64}`;
  const rows = await connection.all(sql, { ...where.values, ...values });
  return rows.map(([name, hash]) => ({ key: String(name), hash: String(hash) }));
}

export async function recordsOf(
  connection: Connection,
  kind: StoredKind,
  keys: readonly string[],
): Promise<object[]> {
  const found: object[] = [];
  for (let i = 0; i < keys.length; i += KEYS_AT_ONCE)
    found.push(...(await someRecords(connection, kind, keys.slice(i, i + KEYS_AT_ONCE))));
  return found;
}

function someRecords(
  connection: Connection,
  kind: StoredKind,
  keys: readonly string[],
): Promise<readonly object[]> {
  if (kind === 'sessions') return readSessionsOf(connection, keys);
  if (kind === 'runs') return readRuns(connection, new Where().and('run_id IN ?', 'Array(String)', keys));
  const table = KEYED_KINDS[kind];
  return readKeyed<object>(
    connection,
    table,
    new Where().and(`${keyOf(table)} IN ?`, 'Array(String)', keys),
    {},
  );
}

/** Tables by the kind they belong to; the first has the records. */
const TABLES: Readonly<Record<StoredKind, readonly string[]>> = {
  runs: ['run'],
  sessions: [
    'session',
    'session_place',
    'session_label',
    'session_project',
    'session_touch',
    'session_cell',
    'session_rolled',
    'session_scoring',
    'session_summed',
    'session_month',
    'session_month_summed',
  ],
  ratings: ['rating'],
  approvals: ['approval'],
  alerts: ['alert'],
  'alert-events': ['alert_event'],
  feedback: ['feedback'],
  audit: ['audit'],
  deliveries: ['delivery'],
  'delivery-attempts': ['delivery_attempt'],
  decompositions: ['decomposition', 'production_sum', 'production_pruned'],
  'decomposition-texts': ['decomposition_text'],
};

/** Every table that has rows. */
export const ALL_TABLES: readonly string[] = [...Object.values(TABLES).flat()];

export async function sizesOf(connection: Connection): Promise<KindSize[]> {
  const bytes = await bytesByTable(connection);
  return Promise.all(
    Object.entries(TABLES).map(async ([name, tables]) => {
      const [time, isSession] = name === 'sessions' ? ['started_at', true] : ['at', false];
      const sql = `SELECT count(), minOrNull(${time}), maxOrNull(${time}) FROM ${tables[0]} FINAL`;
      const [[records, oldest, newest] = []] = await connection.all(sql);
      const say = (value: unknown) => (isSession ? new Date(Number(value)).toISOString() : String(value));
      return {
        kind: name as StoredKind,
        records: Number(records),
        bytes: tables.reduce((sum, table) => sum + (bytes.get(table) ?? 0), 0),
        ...(oldest != null && { oldest: say(oldest) }),
        ...(newest != null && { newest: say(newest) }),
      };
    }),
  );
}

async function bytesByTable(connection: Connection): Promise<ReadonlyMap<string, number>> {
  const { cluster, database } = connection.place;
  const parts = cluster === undefined ? 'system.parts' : `cluster('${cluster}', system.parts)`;
  const rows = await connection.all(
    `SELECT replaceRegexpOne(table, '_part$', '') AS name, sum(bytes_on_disk) FROM ${parts}
     WHERE active AND database = {database:String} GROUP BY name`,
    { database },
  );
  return new Map(rows.map(([name, size]) => [String(name), Number(size)]));
}

/** Filed under their hour: before `minutesFrom` nobody is told of minutes. */
export async function addSums(
  connection: Connection,
  hours: readonly ProductionCell[],
  minutesFrom: string,
): Promise<void> {
  await connection.insert('production_pruned', ['before'], [[startOf('minute', minutesFrom)]]);
  await connection.insert(
    'production_sum',
    ['at', 'prompt_version', 'model', 'project', 'id', 'sums'],
    hours.map((cell) => [
      cell.at,
      cell.promptVersion ?? '',
      cell.model ?? '',
      cell.project ?? '',
      `copied ${contentHash(cell)}`,
      sumsText(cell),
    ]),
  );
}

const PRUNED = 'pruned ';

export async function notePrune(connection: Connection, prune: LastPrune): Promise<void> {
  const value = JSON.stringify({ before: prune.before, removed: prune.removed });
  await connection.insert('store_note', ['name', 'at', 'value'], [[PRUNED + prune.kind, prune.at, value]]);
}

export async function lastPrunesOf(connection: Connection): Promise<LastPrune[]> {
  const rows = await connection.all(
    `SELECT name, at, value FROM store_note FINAL WHERE startsWith(name, '${PRUNED}') ORDER BY name`,
  );
  return rows.map(([name, at, value]) => ({
    kind: String(name).slice(PRUNED.length) as PrunedKind,
    at: String(at),
    ...(JSON.parse(String(value)) as Pick<LastPrune, 'before' | 'removed'>),
  }));
}
