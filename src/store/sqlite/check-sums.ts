/** Holds sums against what adding up the records gives, in a scratch file, so that memory stays small. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as otherWork } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  cellOf,
  mergeCells,
  type ProductionCell,
  type ProductionGrain,
  startOf,
} from '../../decomposition/production/cell.ts';
import type { DecompositionRecord } from '../../decomposition/production/record.ts';
import type { Position } from '../store.ts';
import type { Checking } from '../upkeep.ts';
import { CELL_WIDTH } from './cell-pack.ts';
import { Connection, type SqlRow } from './connection.ts';
import { productionCells, RECORDS } from './decompositions.ts';
import { readKeyed } from './keyed-records.ts';
import { migrate } from './migrate.ts';
import { addCell, CellChanges } from './session-cells.ts';
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

const CELLS = `SELECT session_group.cube, key, bucket, sums, session_cell.checksum, cell_group FROM session_cell
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
    else if (order === 0) checkSum(connection, one.value, found);
    if (order < 0) found(one.value, 'there are no sessions of which it could be the sum');
    if (order > 0) found(other.value, 'the sums of its sessions are missing');
    if (order <= 0) one = kept.next();
    if (order >= 0) other = counted.next();
  }
}

const scratchCell = new Float64Array(CELL_WIDTH);

/** What is right but not as it was written is refused when it is read. */
function checkSum(connection: Connection, row: SqlRow, found: (row: SqlRow, what: string) => void): void {
  const [cube, , bucket, sums = null, checksum = null, group] = row;
  try {
    addCell(connection, [cube, bucket, group], [sums, checksum], scratchCell, { withBins: false, sign: 1 });
  } catch (error) {
    found(row, error instanceof Error ? error.message : String(error));
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
  const days = connection.all(`SELECT DISTINCT substr(at, 1, 10) FROM production_cell
    UNION SELECT DISTINCT substr(at, 1, 10) FROM decomposition ORDER BY 1`);
  for (const [day] of days) checkDay(connection, `${String(day)}T00:00:00.000Z`, checking);
}

function checkDay(connection: Connection, since: string, checking: Checking): void {
  const period = { since, until: new Date(Date.parse(since) + 86_400_000).toISOString() };
  const found = (cell: ProductionCell, what: string) =>
    checking.found({ table: 'production_cell', key: placeOf(cell), what, remedy: FROM_BACKUP });
  const [days, hours, minutes] = (['day', 'hour', 'minute'] as const).map(
    (by) =>
      new Map(
        productionCells(connection, { by, perProject: true, ...period }).map((cell) => [placeOf(cell), cell]),
      ),
  );
  const counted = recounted(connection, period);
  checkSpans(minutes, counted, 'minute', found);
  checkSpans(hours, mergedBy('hour', counted.values()), 'hour', found);
  const summed = mergedBy('day', hours?.values() ?? []);
  for (const [place, cell] of [...summed, ...(days ?? [])]) {
    const [kept, sum] = [days?.get(place), summed.get(place)];
    if (kept !== sum && !isDeepStrictEqual(kept, sum)) found(cell, 'the day is not the sum of its hours');
  }
  checking.progress('sums of production', counted.size);
}

type Cells = ReadonlyMap<string, ProductionCell>;

function checkSpans(
  kept: Cells | undefined,
  counted: Cells,
  span: ProductionGrain,
  found: (cell: ProductionCell, what: string) => void,
): void {
  for (const [place, cell] of counted) {
    const sum = kept?.get(place);
    if (sum === undefined) found(cell, `the sums of the ${span} are missing`);
    else if (sum.requests < cell.requests) found(cell, `the ${span} counts fewer requests than there are`);
    else if (sum.requests === cell.requests && !isDeepStrictEqual(sum, cell))
      found(cell, `the ${span} is not the sum of its requests`);
  }
}

const PAGE = 1000;

/** By the minute, a page of requests at a time. */
function recounted(
  connection: Connection,
  period: { readonly since: string; readonly until: string },
): Map<string, ProductionCell> {
  const counted = new Map<string, ProductionCell>();
  for (let after: Position | undefined; ; ) {
    const query = { ...period, order: 'newest' as const, limit: PAGE, ...(after && { after }) };
    const page = readKeyed<DecompositionRecord>(connection, RECORDS, new Where(), query);
    addTo(counted, 'minute', page.map(cellOf));
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return counted;
    after = { at: last.at, key: last.id };
  }
}

function mergedBy(span: ProductionGrain, cells: Iterable<ProductionCell>): Map<string, ProductionCell> {
  const merged = new Map<string, ProductionCell>();
  addTo(merged, span, cells);
  return merged;
}

function addTo(
  merged: Map<string, ProductionCell>,
  span: ProductionGrain,
  cells: Iterable<ProductionCell>,
): void {
  for (const cell of cells) {
    const moved = { ...cell, at: startOf(span, cell.at) };
    const before = merged.get(placeOf(moved));
    merged.set(placeOf(moved), before === undefined ? moved : (mergeCells([before, moved]) ?? moved));
  }
}

function placeOf({ at, promptVersion, model, project }: ProductionCell): string {
  const whose = project === undefined ? [] : [project];
  return [at, promptVersion ?? 'no version', model ?? 'no model', ...whose].join(', ');
}
