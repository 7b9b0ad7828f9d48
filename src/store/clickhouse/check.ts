/** Looks at everything in the database: its parts, records, what belongs together, and sums against what they are sums of. */
import { isDeepStrictEqual } from 'node:util';
import {
  cellOf,
  mergeCells,
  PRODUCTION_GRAINS,
  type ProductionCell,
  startOf,
} from '../../decomposition/production/cell.ts';
import type { DecompositionRecord } from '../../decomposition/production/record.ts';
import { DIMENSIONS, shareOf } from '../rollup.ts';
import type { SessionRow } from '../session-row.ts';
import { type Checking, STORED_KINDS, type StoredKind } from '../upkeep.ts';
import type { Connection } from './connection.ts';
import { productionCells } from './decompositions.ts';
import { NO_HOUR } from './schema.ts';
import { hourOf } from './session-rows.ts';
import { columnName } from './table.ts';
import { ALL_TABLES, itemsOf, lastPrunesOf, recordsOf } from './upkeep.ts';

const FROM_BACKUP =
  'Take the table from a backup or another replica, or copy what can be read with `assay store copy`.';
const SCORE_AGAIN = 'Score its transcript again, which writes it anew, or take the table from a backup.';
const WORK_OUT =
  'Write to the day again (score one of its sessions anew), or delete its rows in session_summed: then its sums are worked out anew.';

export async function checkClickHouse(connection: Connection, checking: Checking): Promise<void> {
  for (const table of ALL_TABLES)
    await guarded(checking, table, () => checkParts(connection, table, checking));
  for (const kind of STORED_KINDS)
    await guarded(checking, kind, () => checkRecords(connection, kind, checking));
  await guarded(checking, 'session', () => checkPlaces(connection, checking));
  await guarded(checking, 'session_cell', () => checkSessionSums(connection, checking));
  await guarded(checking, 'production_sum', () => checkProductionSums(connection, checking));
  for (const orphan of ORPHANS)
    await guarded(checking, orphan.table, () => checkOrphans(connection, orphan, checking));
}

/** What the server cannot read is damage of the table that it was reading; that it cannot be asked is none. */
async function guarded(checking: Checking, table: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'STORE_UNREACHABLE' || code === 'STORE_BUSY') throw error;
    checking.found({ table, what: wordsOf(error), remedy: FROM_BACKUP });
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The checksums of its files, as the server keeps them. */
async function checkParts(connection: Connection, table: string, checking: Checking): Promise<void> {
  checking.progress(`parts of ${table}`, 0);
  const name = connection.place.cluster === undefined ? table : `${table}_part`;
  const rows = await connection.all(`CHECK TABLE ${name} SETTINGS check_query_single_value_result = 0`);
  for (const [part, isPassed, message] of rows)
    if (Number(isPassed) !== 1)
      checking.found({ table, key: `part ${String(part)}`, what: String(message), remedy: FROM_BACKUP });
}

const AT_ONCE = 500;

/** Each is decoded and held against its hash; a batch that has a fault is looked at one by one. */
async function checkRecords(connection: Connection, kind: StoredKind, checking: Checking): Promise<void> {
  let done = 0;
  for (let after: string | undefined; ; ) {
    const items = await itemsOf(connection, kind, after, AT_ONCE);
    const keys = items.map(({ key }) => key);
    if (keys.length === 0) return;
    const records = await recordsOf(connection, kind, keys).catch(() => undefined);
    if (records?.length !== keys.length)
      for (const key of keys) await checkOne(connection, kind, key, checking);
    done += keys.length;
    checking.progress(kind, done);
    after = keys.at(-1);
  }
}

async function checkOne(
  connection: Connection,
  kind: StoredKind,
  key: string,
  checking: Checking,
): Promise<void> {
  const remedy = kind === 'sessions' ? SCORE_AGAIN : FROM_BACKUP;
  const found = (what: string) => checking.found({ table: kind, key, what, remedy });
  try {
    const { length } = await recordsOf(connection, kind, [key]);
    if (length === 0) found('it is known to be there, and is not');
    if (length > 1) found(`it is there ${length} times`);
  } catch (error) {
    found(wordsOf(error));
  }
}

/** A session lies at one hour, under a place that says so, with the sums that follow from its columns. */
async function checkPlaces(connection: Connection, checking: Checking): Promise<void> {
  const lost = await connection.all(`SELECT session_key FROM session FINAL
    WHERE session_key NOT IN (SELECT session_key FROM session_place)`);
  for (const [key] of lost)
    checking.found({
      table: 'session_place',
      key: String(key),
      what: 'the place of the session is missing, so that it is not found by its key',
      remedy: SCORE_AGAIN,
    });
  const twice = await connection.all(`SELECT session_key, count() AS times FROM session FINAL
    GROUP BY session_key HAVING times > 1`);
  for (const [key, times] of twice)
    checking.found({
      table: 'session',
      key: String(key),
      what: `the session is shown ${String(times)} times, at different hours`,
      remedy: SCORE_AGAIN,
    });
  const shares = `SELECT session_key, ${SHARED.map(columnName).join(', ')}, started_at, hour, sums, bins FROM session FINAL`;
  let done = 0;
  for await (const row of connection.iterate(shares)) {
    const [key, ...values] = row;
    const named = SHARED.map((name, i) => [name, values[i] ?? undefined]);
    const [startedAt, hour, sums, bins] = values.slice(SHARED.length);
    const share = shareOf(Object.fromEntries(named) as SessionRow);
    const start = startedAt == null ? undefined : new Date(Number(startedAt)).toISOString();
    const isSame =
      Number(hour) === hourOf(start) &&
      isDeepStrictEqual((sums as unknown[]).map(Number), share.sums) &&
      isDeepStrictEqual((bins as unknown[]).map(Number), share.bins);
    if (!isSame)
      checking.found({
        table: 'session',
        key: String(key),
        what: 'what it adds to sums is not what its columns say',
        remedy: SCORE_AGAIN,
      });
    done += 1;
    if (done % 1000 === 0) checking.progress('places of sessions', done);
  }
}

const SHARED = [
  'q',
  'tier',
  'coverage',
  'completion',
  'execution',
  'efficiency',
  'outcome',
  'costUsd',
  'costAtLeast',
  'concern',
  'turns',
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
] as const satisfies readonly (keyof SessionRow)[];

const NAMES = DIMENSIONS.map(columnName).join(', ');
const MAPPED = 'sumMap(mapFromArrays(bins, arrayMap(_ -> toUInt64(1), bins)))';

/** Of the days that are at rest: what was worked out against what is there. */
async function checkSessionSums(connection: Connection, checking: Checking): Promise<void> {
  checking.progress('sums of sessions', 0);
  const days = await connection.all(`SELECT day, touched.rows FROM
    (SELECT day, sum(rows) AS rows FROM session_touch GROUP BY day) AS touched
    JOIN (SELECT day, max(rows) AS rows FROM session_summed GROUP BY day) AS rolled USING day
    WHERE touched.rows = rolled.rows`);
  for (const [day, rows] of days) {
    const values = { day: Number(day), rows: Number(rows) };
    const [from, to] = values.day === NO_HOUR ? [NO_HOUR, NO_HOUR] : [values.day * 24, values.day * 24 + 23];
    // Each of both sides that the other has not.
    const sql = `SELECT count() FROM (
      SELECT ${NAMES}, sums, bins, sum(side) AS sides FROM (
        SELECT ${NAMES}, sums, bins, 1 AS side FROM session_cell FINAL WHERE day = {day:Int32} AND rows = {rows:Int64}
        UNION ALL
        SELECT ${NAMES}, sumForEach(sums) AS sums, ${MAPPED} AS bins, -1 AS side
        FROM session FINAL WHERE hour >= {from:Int32} AND hour <= {to:Int32} AND day = {day:Int32} GROUP BY ${NAMES})
      GROUP BY ${NAMES}, sums, bins HAVING sides != 0)`;
    const [row] = await connection.all(sql, { ...values, from, to });
    if (Number(row?.[0]) > 0)
      checking.found({
        table: 'session_cell',
        key: `day ${dayText(values.day)}`,
        what: 'its sums are not what the sessions of the day add up to',
        remedy: WORK_OUT,
      });
  }
}

function dayText(day: number): string {
  return day === NO_HOUR ? 'unknown' : new Date(day * 86_400_000).toISOString().slice(0, 10);
}

/** By the minute, where no requests were deleted: an hour and a day are added up of the same. */
async function checkProductionSums(connection: Connection, checking: Checking): Promise<void> {
  const [grain] = PRODUCTION_GRAINS;
  const days = await connection.all(`SELECT DISTINCT substring(at, 1, 10) AS day FROM production_sum
    UNION DISTINCT SELECT DISTINCT substring(at, 1, 10) AS day FROM decomposition`);
  for (const [day] of days) {
    checking.progress('sums of production', 0);
    const since = `${String(day)}T00:00:00.000Z`;
    const until = new Date(Date.parse(since) + 86_400_000).toISOString();
    const kept = await productionCells(connection, { by: grain, since, until, perProject: true });
    const counted = await recount(connection, since, until);
    const found = (cell: ProductionCell, what: string) =>
      checking.found({ table: 'production_sum', key: placeOf(cell), what, remedy: FROM_BACKUP });
    const known = new Map(kept.map((cell) => [placeOf(cell), cell]));
    for (const cell of counted.values()) {
      const sum = known.get(placeOf(cell));
      if (sum === undefined) found(cell, 'the sums of the minute are missing');
      else if (
        sum.requests < cell.requests ||
        (sum.requests === cell.requests && !isDeepStrictEqual(sum, cell))
      )
        found(cell, 'the minute is not the sum of its requests');
    }
  }
}

async function recount(
  connection: Connection,
  since: string,
  until: string,
): Promise<Map<string, ProductionCell>> {
  const counted = new Map<string, ProductionCell>();
  const ids = await connection.all(
    'SELECT id FROM decomposition FINAL WHERE at >= {since:String} AND at < {until:String}',
    { since, until },
  );
  for (let i = 0; i < ids.length; i += AT_ONCE) {
    const keys = ids.slice(i, i + AT_ONCE).map(([id]) => String(id));
    // A request that cannot be read was named where requests were looked at.
    const records = await recordsOf(connection, 'decompositions', keys).catch(() => []);
    for (const record of records as readonly DecompositionRecord[]) {
      const cell = cellOf({ ...record, at: startOf('minute', record.at) });
      const before = counted.get(placeOf(cell));
      counted.set(placeOf(cell), before === undefined ? cell : (mergeCells([before, cell]) ?? cell));
    }
  }
  return counted;
}

function placeOf({ at, promptVersion, model, project }: ProductionCell): string {
  const whose = project === undefined ? [] : [project];
  return [at, promptVersion ?? 'no version', model ?? 'no model', ...whose].join(', ');
}

type Orphan = {
  readonly table: string;
  readonly key: string;
  readonly about: string;
  readonly of: string;
  readonly what: string;
};

const ORPHANS: readonly Orphan[] = [
  {
    table: 'alert_event',
    key: 'event_id',
    about: 'alert_id',
    of: 'alert',
    what: 'the alert that it is about is not there',
  },
  {
    table: 'delivery_attempt',
    key: 'attempt_id',
    about: 'delivery_id',
    of: 'delivery',
    what: 'what was to be told is not there',
  },
  {
    table: 'decomposition_text',
    key: 'id',
    about: 'id',
    of: 'decomposition',
    what: 'the request of this text is not there',
  },
];

const PERHAPS_LATER =
  'It may still be on its way; otherwise it goes with `assay store prune` when its time is over, or take the table from a backup.';

async function checkOrphans(
  connection: Connection,
  { table, key, about, of, what }: Orphan,
  checking: Checking,
): Promise<void> {
  // Requests that were deleted leave their texts behind until these are.
  const pruned = (await lastPrunesOf(connection)).find(({ kind }) => kind === 'decompositions')?.before ?? '';
  const since = of === 'decomposition' ? pruned : '';
  const sql = `SELECT ${key} FROM ${table} FINAL WHERE at >= {since:String} AND ${about} NOT IN (SELECT ${about} FROM ${of})`;
  for (const [name] of await connection.all(sql, { since }))
    checking.found({ table, key: String(name), what, remedy: PERHAPS_LATER });
}
