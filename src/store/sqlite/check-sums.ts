/** Holds sums against what adding up the records gives, in a scratch file, so that memory stays small. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as otherWork } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { cellOf, mergeCells, type ProductionCell, startOf } from '../../decomposition/production/cell.ts';
import type { DecompositionRecord } from '../../decomposition/production/record.ts';
import type { Checking } from '../upkeep.ts';
import { Connection, type SqlRow } from './connection.ts';
import { productionCells, RECORDS } from './decompositions.ts';
import { readKeyed } from './keyed-records.ts';
import { migrate } from './migrate.ts';
import { CellChanges } from './session-cells.ts';
import { eachStored, hasNames, summaryOf } from './stored-session.ts';
import { Where } from './table.ts';

const WORK_OUT =
  'Sums are worked out from the sessions: `assay store copy` into a new store makes them anew. What is read from these is wrong until then.';

export async function checkSessionSums(connection: Connection, checking: Checking): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-check-'));
  const scratch = new Connection(join(folder, 'sums.db'), 'write');
  try {
    scratch.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
    migrate(scratch);
    recount(connection, scratch, checking);
    await otherWork();
    compareCells(connection, scratch, checking);
  } finally {
    scratch.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function recount(connection: Connection, scratch: Connection, checking: Checking): void {
  const changes = new CellChanges();
  let done = 0;
  scratch.exec('BEGIN');
  eachStored(
    connection,
    'AND current = 1',
    (stored) => {
      done += 1;
      if (!stored.isWhole || !hasNames(connection, stored)) return;
      try {
        changes.add(summaryOf(connection, stored), 1);
      } catch {
        // It is damaged, which was said where sessions were looked at.
      }
    },
    () => {
      changes.write(scratch);
      checking.progress('sums of sessions', done);
    },
  );
  scratch.exec('COMMIT');
}

const CELLS = `SELECT session_group.cube, key, bucket, sums FROM session_cell
  JOIN session_group ON session_group.id = session_cell.cell_group AND session_group.cube = session_cell.cube
  ORDER BY session_group.cube, key, bucket`;

/** Both in the same order, one row at a time. */
function compareCells(connection: Connection, scratch: Connection, checking: Checking): void {
  const [kept, counted] = [connection.iterate(CELLS, []), scratch.iterate(CELLS, [])];
  const found = (row: SqlRow, what: string) =>
    checking.found({
      table: 'session_cell',
      key: `cube ${String(row[0])}, group ${String(row[1])}, bucket ${String(row[2])}`,
      what,
      remedy: WORK_OUT,
    });
  let [one, other] = [kept.next(), counted.next()];
  while (one.done !== true || other.done !== true) {
    const order = one.done === true ? 1 : other.done === true ? -1 : compareRows(one.value, other.value);
    if (order === 0 && one.value[3] !== other.value[3])
      found(one.value, 'its sums are not what the sessions add up to');
    if (order < 0) found(one.value, 'there are no sessions of which it could be the sum');
    if (order > 0) found(other.value, 'the sums of its sessions are missing');
    if (order <= 0) one = kept.next();
    if (order >= 0) other = counted.next();
  }
}

function compareRows(a: SqlRow, b: SqlRow): number {
  const byCube = Number(a[0]) - Number(b[0]);
  if (byCube !== 0) return byCube;
  const byKey = Buffer.compare(Buffer.from(String(a[1])), Buffer.from(String(b[1])));
  return byKey === 0 ? Number(a[2]) - Number(b[2]) : byKey;
}

const FROM_BACKUP = 'Take the store from a backup: sums outlive the requests they were made of.';

/**
 * Days are the sum of their hours, always. An hour or a minute is the sum of its requests, unless some of them were
 * deleted: then it has at least as many.
 */
export function checkProductionSums(connection: Connection, checking: Checking): void {
  for (const day of productionCells(connection, { by: 'day' })) {
    checking.progress('sums of production', 0);
    const until = new Date(Date.parse(day.at) + 86_400_000).toISOString();
    const hours = productionCells(connection, { by: 'hour', since: day.at, until }).filter(isOf(day));
    const found = (at: string, what: string) =>
      checking.found({ table: 'production_cell', key: placeOf({ ...day, at }), what, remedy: FROM_BACKUP });
    if (!isSame(mergeCells(hours), day)) found(day.at, 'the day is not the sum of its hours');
    for (const hour of hours) checkHour(connection, hour, found);
  }
}

function checkHour(
  connection: Connection,
  hour: ProductionCell,
  found: (at: string, what: string) => void,
): void {
  const until = new Date(Date.parse(hour.at) + 3_600_000).toISOString();
  const minutes = productionCells(connection, { by: 'minute', since: hour.at, until }).filter(isOf(hour));
  const records = recordsIn(connection, hour, until);
  const counted = mergeCells(records.map(cellOf));
  if ((counted?.requests ?? 0) > hour.requests)
    found(hour.at, 'the hour counts fewer requests than there are');
  else if (counted?.requests === hour.requests && !isSame(counted, hour))
    found(hour.at, 'the hour is not the sum of its requests');
  const byMinute = Map.groupBy(records, ({ at }) => startOf('minute', at));
  const kept = new Map(minutes.map((minute) => [minute.at, minute]));
  for (const [at, some] of byMinute) {
    const [sum, minute] = [mergeCells(some.map(cellOf)), kept.get(at)];
    if (minute === undefined) found(at, 'the sums of the minute are missing');
    else if (minute.requests < some.length || (minute.requests === some.length && !isSame(sum, minute)))
      found(at, 'the minute is not the sum of its requests');
  }
}

function recordsIn(connection: Connection, cell: ProductionCell, until: string): DecompositionRecord[] {
  const where = new Where()
    .when(cell.promptVersion === undefined, 'prompt_version IS NULL')
    .and('prompt_version = ?', cell.promptVersion)
    .when(cell.model === undefined, 'model IS NULL')
    .and('model = ?', cell.model);
  try {
    return readKeyed<DecompositionRecord>(connection, RECORDS, where, { since: cell.at, until });
  } catch {
    // A request that cannot be read was named where requests were looked at.
    return [];
  }
}

function isOf({ promptVersion, model }: ProductionCell): (cell: ProductionCell) => boolean {
  return (cell) => cell.promptVersion === promptVersion && cell.model === model;
}

function isSame(a: ProductionCell | undefined, b: ProductionCell): boolean {
  return a !== undefined && isDeepStrictEqual({ ...a, at: '' }, { ...b, at: '' });
}

function placeOf({ at, promptVersion, model }: ProductionCell): string {
  return [at, promptVersion ?? 'no version', model ?? 'no model'].join(', ');
}
