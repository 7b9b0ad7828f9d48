/** Requests of a decomposition service, and their sums by minute, hour and day, written in the same transaction. */
import {
  cellOf,
  cellsOfAll,
  emptyCell,
  mergeCells,
  PRODUCTION_GRAINS,
  type ProductionCell,
  type ProductionGrain,
  startOf,
} from '../../decomposition/production/cell.ts';
import type { DecompositionRecord, DecompositionText } from '../../decomposition/production/record.ts';
import { checkPeriod } from '../query.ts';
import { Where } from '../sql/engine.ts';
import { KEYED, parseJson } from '../sql/tables.ts';
import type { Appended, ProductionCellQuery } from '../store.ts';
import type { Connection } from './connection.ts';
import { appendKeyed, insertKeyed, pruneByTime } from './records.ts';
import { bound, SQLITE } from './sqlite-engine.ts';

const { decompositions: RECORDS, 'decomposition-texts': TEXTS } = KEYED;

const AT_CELL = 'grain = ? AND at = ? AND prompt_version = ? AND model = ? AND project = ?';
const READ_CELL = `SELECT sums FROM production_cell WHERE ${AT_CELL}`;
const WRITE_CELL = `INSERT OR REPLACE INTO production_cell (grain, at, prompt_version, model, project, sums)
  VALUES (?, ?, ?, ?, ?, ?)`;

/** Inside a transaction. */
export function appendDecompositions(
  connection: Connection,
  records: readonly DecompositionRecord[],
  texts: readonly DecompositionText[],
): Appended {
  const added: DecompositionRecord[] = [];
  const gone = prunedBefore(connection);
  for (const record of records) {
    if (record.at < gone) continue;
    if (insertKeyed(connection, RECORDS, record)) added.push(record);
  }
  addToCells(connection, added);
  appendKeyed(
    connection,
    TEXTS,
    texts.filter(({ at }) => at >= gone),
  );
  return { added: added.length, known: records.length - added.length };
}

/** Of requests that are not here: by hour and by day alone. Inside a transaction. */
export function addSums(connection: Connection, hours: readonly ProductionCell[], minutesFrom: string): void {
  addBy(connection, ['hour', 'day'], hours);
  markPruned(connection, startOf('minute', minutesFrom));
}

function markPruned(connection: Connection, minute: string): void {
  connection.run(
    `INSERT INTO production_pruned (one, before) VALUES (1, ?)
     ON CONFLICT (one) DO UPDATE SET before = max(before, excluded.before)`,
    [minute],
  );
}

/** By the minute first: what falls into one is added up before anything is read or written. */
function addToCells(connection: Connection, records: readonly DecompositionRecord[]): void {
  addBy(connection, PRODUCTION_GRAINS, records.map(cellOf));
}

function addBy(
  connection: Connection,
  grains: readonly ProductionGrain[],
  added: readonly ProductionCell[],
): void {
  let cells = added;
  for (const grain of grains) {
    cells = mergedBy(grain, cells);
    for (const cell of cells) {
      const place = placeOf(grain, cell);
      const stored = connection.get(READ_CELL, place);
      const before = stored && readCell(connection, place, stored);
      const sums = sumsText(before === undefined ? cell : (mergeCells([before, cell]) ?? cell));
      connection.run(WRITE_CELL, [...place, sums]);
    }
  }
}

function mergedBy(grain: ProductionGrain, cells: readonly ProductionCell[]): ProductionCell[] {
  const groups = new Map<string, ProductionCell[]>();
  for (const cell of cells) {
    const moved = { ...cell, at: startOf(grain, cell.at) };
    const key = JSON.stringify(placeOf(grain, moved));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [moved]);
    else group.push(moved);
  }
  return [...groups.values()].map((group) => mergeCells(group) as ProductionCell);
}

/** An unknown value is an empty text, which is no name of a version or model. */
function placeOf(
  grain: ProductionGrain,
  { at, promptVersion = '', model = '', project = '' }: ProductionCell,
): string[] {
  return [grain, at, promptVersion, model, project];
}

function sumsText({ at: _, promptVersion: __, model: ___, project: ____, ...sums }: ProductionCell): string {
  return JSON.stringify(sums);
}

function readCell(
  connection: Connection,
  place: readonly unknown[],
  [sums]: readonly unknown[],
): ProductionCell {
  const [, at, promptVersion, model, project] = place.map(String);
  return {
    ...emptyCell({
      at: at ?? '',
      ...(promptVersion && { promptVersion }),
      ...(model && { model }),
      ...(project && { project }),
    }),
    ...(parseJson(connection.path, 'production_cell', 'sums', String(sums)) as Omit<ProductionCell, 'at'>),
  };
}

export function productionCells(connection: Connection, query: ProductionCellQuery): ProductionCell[] {
  const { since, until } = checkPeriod(query);
  const where = new Where(SQLITE)
    .and('grain = ?', query.by)
    .and('at >= ?', since)
    .and('at < ?', until)
    .and('prompt_version = ?', query.promptVersion)
    .and('model = ?', query.model)
    .inProjects(query);
  const sql = `SELECT grain, at, prompt_version, model, project, sums FROM production_cell${where.sql}
    ORDER BY at, prompt_version, model, project`;
  const cells = connection
    .all(sql, bound(where.values))
    .map((row) => readCell(connection, row.slice(0, 5), row.slice(5)));
  return query.perProject === true ? cells : cellsOfAll(cells);
}

/** Inside a transaction: how many records went. */
export function pruneDecompositions(connection: Connection, before: string): number {
  const minute = startOf('minute', before);
  connection.run("DELETE FROM production_cell WHERE grain = 'minute' AND at < ?", [minute]);
  markPruned(connection, minute);
  return pruneByTime(connection, RECORDS.name, before);
}

/** What is older was deleted, and is in the sums by hour and day for good: it is not taken again. */
function prunedBefore(connection: Connection): string {
  return String(connection.get('SELECT before FROM production_pruned')?.[0] ?? '');
}
