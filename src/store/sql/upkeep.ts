/** Every record by its key, and how much there is of each kind. */
import type { PrunedKind } from '../store.ts';
import { type KindSize, type LastPrune, STORED_KINDS, type StoredItem, type StoredKind } from '../upkeep.ts';
import { type Engine, type Value, Where } from './engine.ts';
import { limitOf, readKeyed } from './records.ts';
import { readRuns } from './runs.ts';
import { readSessionsOf } from './sessions.ts';
import { KEYED, RUN, type Table } from './tables.ts';

export async function itemsOf(
  engine: Engine,
  kind: StoredKind,
  after: string | undefined,
  limit: number,
): Promise<StoredItem[]> {
  const { dialect } = engine;
  const [from, key, hash] =
    kind === 'sessions'
      ? [dialect.sessions.keys(), 'session_key', "revision || ' ' || scored_at"]
      : [dialect.current(tableOf(kind).name), tableOf(kind).key, 'content_hash'];
  const where = new Where(dialect).and(`${key} > ?`, after);
  const sql = `SELECT ${key}, ${hash} FROM ${from}${where.sql} ORDER BY ${key}${limitOf(limit)}`;
  const rows = await engine.all(sql, where.values);
  return rows.map(([name, content]) => ({ key: String(name), hash: String(content) }));
}

function tableOf(kind: Exclude<StoredKind, 'sessions'>): Table {
  return kind === 'runs' ? RUN : KEYED[kind];
}

const KEYS_AT_ONCE = 1000;

export async function recordsOf(
  engine: Engine,
  kind: StoredKind,
  keys: readonly string[],
): Promise<object[]> {
  const found: object[] = [];
  for (let i = 0; i < keys.length; i += KEYS_AT_ONCE)
    found.push(...(await someRecords(engine, kind, keys.slice(i, i + KEYS_AT_ONCE))));
  return found;
}

async function someRecords(
  engine: Engine,
  kind: StoredKind,
  keys: readonly string[],
): Promise<readonly object[]> {
  if (kind === 'sessions') return readSessionsOf(engine, keys);
  const where = new Where(engine.dialect).and(`${tableOf(kind).key} IN ?`, keys);
  return kind === 'runs' ? readRuns(engine, where) : readKeyed<object>(engine, KEYED[kind], where, {});
}

/** Tables by the kind they belong to; each database has those that it needs. */
export const TABLES: Readonly<Record<StoredKind, readonly string[]>> = {
  runs: ['run'],
  sessions: ['session', 'session_group', 'session_facts', 'session_day'],
  ratings: ['rating'],
  approvals: ['approval'],
  alerts: ['alert'],
  'alert-events': ['alert_event'],
  feedback: ['feedback'],
  audit: ['audit'],
  deliveries: ['delivery'],
  'delivery-attempts': ['delivery_attempt'],
  decompositions: ['decomposition', 'production_cell', 'production_sum', 'production_pruned'],
  'decomposition-texts': ['decomposition_text'],
};

export async function sizesOf(
  engine: Engine,
  bytesByTable: () => Promise<ReadonlyMap<string, number> | undefined>,
): Promise<KindSize[]> {
  const bytes = await bytesByTable();
  const sizes: KindSize[] = [];
  for (const kind of STORED_KINDS) {
    const isSession = kind === 'sessions';
    const from = isSession ? engine.dialect.sessions.keys() : engine.dialect.current(tableOf(kind).name);
    const time = isSession ? 'start' : 'at';
    const [row] = await engine.all(`SELECT (SELECT count(*) FROM ${from}),
      (SELECT min(${time}) FROM ${from} WHERE ${time} > ''), (SELECT max(${time}) FROM ${from})`);
    const [records, oldest, newest] = [Number(row?.[0]), row?.[1] || undefined, row?.[2] || undefined];
    const used = TABLES[kind].reduce((sum, table) => sum + (bytes?.get(table) ?? 0), 0);
    sizes.push({
      kind,
      records,
      ...(bytes !== undefined && { bytes: records === 0 ? 0 : used }),
      ...(oldest !== undefined && { oldest: String(oldest) }),
      ...(newest !== undefined && { newest: String(newest) }),
    });
  }
  return sizes;
}

/** Tables that are pruned by age; their dependent records go with them. */
export const PRUNED_TABLES: Readonly<Record<PrunedKind, string>> = {
  runs: 'run',
  sessions: 'session',
  intake: 'intake',
  ratings: 'rating',
  approvals: 'approval',
  alerts: 'alert',
  feedback: 'feedback',
  audit: 'audit',
  deliveries: 'delivery',
  decompositions: 'decomposition',
  'decomposition-texts': 'decomposition_text',
};

/** A session by its start, or where it is unknown by when it was scored. */
export function olderThan(where: Where, kind: PrunedKind, before: string): Where {
  return kind === 'sessions'
    ? where.and("start < ? AND (start > '' OR scored_at < ?)", before, before)
    : where.and('at < ?', before);
}

export async function countOlder(engine: Engine, kind: PrunedKind, before: string): Promise<number> {
  const where = olderThan(new Where(engine.dialect), kind, before);
  const table = engine.dialect.current(PRUNED_TABLES[kind]);
  const [row] = await engine.all(`SELECT count(*) FROM ${table}${where.sql}`, where.values);
  return Number(row?.[0]);
}

const PRUNED = 'pruned ';

/** The row of `store_note` that says when something was deleted last. */
export function pruneNote(prune: LastPrune): Readonly<Record<'name' | 'at' | 'value', Value>> {
  const value = JSON.stringify({ before: prune.before, removed: prune.removed });
  return { name: PRUNED + prune.kind, at: prune.at, value };
}

export async function lastPrunesOf(engine: Engine): Promise<LastPrune[]> {
  const rows = await engine.all(
    `SELECT name, at, value FROM ${engine.dialect.current('store_note')} WHERE name LIKE '${PRUNED}%' ORDER BY name`,
  );
  return rows.map(([name, at, value]) => ({
    kind: String(name).slice(PRUNED.length) as PrunedKind,
    at: String(at),
    ...(JSON.parse(String(value)) as Pick<LastPrune, 'before' | 'removed'>),
  }));
}
