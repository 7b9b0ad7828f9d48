/** Requests of a decomposition service, and their sums. */
import {
  cellOf,
  mergeCells,
  type ProductionCell,
  type ProductionGrain,
  startOf,
} from '../../decomposition/production/cell.ts';
import type { DecompositionRecord, DecompositionText } from '../../decomposition/production/record.ts';
import { contentHash } from '../canonical.ts';
import { checkPeriod } from '../query.ts';
import { Where } from '../sql/engine.ts';
import { KEYED, recordColumns, valuesOf } from '../sql/tables.ts';
import type { Appended, ProductionCellQuery } from '../store.ts';
import { CLICKHOUSE } from './clickhouse-engine.ts';
import type { Connection } from './connection.ts';
import { addedUp } from './production-sums.ts';
import { appendKeyed, appendRows } from './records.ts';
import { SUMS_OF_REQUESTS } from './schema.ts';

const COLUMNS = recordColumns(KEYED.decompositions).split(', ').toSpliced(-1, 0, 'sums');

export async function appendDecompositions(
  connection: Connection,
  records: readonly DecompositionRecord[],
  texts: readonly DecompositionText[],
): Promise<Appended> {
  const gone = await prunedBefore(connection);
  const taken = records.filter(({ at }) => at >= gone);
  const byId = new Map(taken.map((record) => [record.id, record]));
  const rows = taken.map((record) => valuesOf(KEYED.decompositions, record).toSpliced(-1, 0, ''));
  const { added } = await appendRows(connection, 'decomposition', COLUMNS, rows, (added) => {
    const sums = sumsOf(added.map(([id]) => byId.get(String(id)) as DecompositionRecord));
    return added.map((row) => row.with(-2, sums.get(String(row[0])) ?? ''));
  });
  if (added < byId.size) await fileSums(connection, [...byId.keys()]);
  const kept = texts.filter(({ at }) => at >= gone);
  if (kept.length > 0) await appendKeyed(connection, KEYED['decomposition-texts'], kept);
  return { added, known: records.length - added };
}

/** What is older was deleted, and is in the sums by hour and day for good: it is not taken again. */
async function prunedBefore(connection: Connection): Promise<string> {
  const [row] = await connection.all('SELECT max(before) FROM production_pruned');
  return String(row?.[0] ?? '');
}

/** A server that was killed over a batch may have its requests and not yet the sums that came with them. */
async function fileSums(connection: Connection, ids: readonly string[]): Promise<void> {
  for (let i = 0; i < ids.length; i += IDS_AT_ONCE)
    await connection.run(
      `INSERT INTO production_sum (at, prompt_version, model, project, id, sums) ${SUMS_OF_REQUESTS}
       FROM decomposition WHERE sums != '' AND id IN {ids:Array(String)}`,
      { ids: ids.slice(i, i + IDS_AT_ONCE) },
    );
}

const IDS_AT_ONCE = 1000;

/** By the first request of each minute, version, model and project. */
function sumsOf(records: readonly DecompositionRecord[]): ReadonlyMap<string, string> {
  const groups = Map.groupBy(records, ({ at, promptVersion, model, project }) =>
    JSON.stringify([startOf('minute', at), promptVersion, model, project]),
  );
  return new Map(
    [...groups.values()].map((group) => [
      group[0]?.id ?? '',
      sumsText(mergeCells(group.map(cellOf)) as ProductionCell),
    ]),
  );
}

/** Without the columns of its key. */
function sumsText(cell: ProductionCell): string {
  const { at: _, promptVersion: __, model: ___, project: ____, ...sums } = cell;
  return JSON.stringify(sums);
}

export async function productionCells(
  connection: Connection,
  query: ProductionCellQuery,
): Promise<ProductionCell[]> {
  const { since, until } = checkPeriod(query);
  const where = new Where(CLICKHOUSE)
    // A span that begins before the period is not in it.
    .and('at >= ?', since === undefined ? undefined : firstSpan(query.by, since))
    .and('at < ?', until === undefined ? undefined : firstSpan(query.by, until))
    .and('prompt_version = ?', query.promptVersion)
    .and('model = ?', query.model)
    .inProjects(query)
    .when(query.by === 'minute', 'at >= (SELECT max(before) FROM production_pruned)');
  return addedUp(connection, query, where);
}

/** The first span that begins at or after a time. */
function firstSpan(grain: ProductionGrain, at: string): string {
  const start = startOf(grain, at);
  return start === at ? at : new Date(Date.parse(start) + SPAN_MS[grain]).toISOString();
}

const SPAN_MS: Readonly<Record<ProductionGrain, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

export async function pruneDecompositions(connection: Connection, before: string): Promise<number> {
  const [row] = await connection.all('SELECT count() FROM decomposition FINAL WHERE at < {before:String}', {
    before,
  });
  const count = Number(row?.[0]);
  await connection.insert('production_pruned', ['before'], [[startOf('minute', before)]]);
  if (count > 0) await connection.remove('decomposition', 'at < {before:String}', { before });
  return count;
}

/** Stored by hour: before `minutesFrom` no minutes are shown. */
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
