/** Keeps the sums of the current sessions as sessions come, change and go. */
import type { SQLInputValue } from 'node:sqlite';
import { DIMENSIONS, type Dimension, SUMMED, SUMS, type Summed, shareOf } from '../rollup.ts';
import { bucketOf } from '../time-bucket.ts';
import { packBins, unpackBins } from './bins.ts';
import type { Connection, SqlRow } from './connection.ts';
import { CUBES, UNKNOWN } from './session-cubes.ts';
import { columnName, damaged } from './table.ts';

const GROUP_COLUMNS = DIMENSIONS.map(columnName).join(', ');
const SUM_COLUMNS = SUMS.join(', ');
const marks = (count: number) => Array.from({ length: count }, () => '?').join(', ');

const FIND_GROUP = 'SELECT id FROM session_group WHERE key = ?';
const ADD_GROUP = `INSERT INTO session_group (key, ${GROUP_COLUMNS}) VALUES (${marks(DIMENSIONS.length + 1)})`;
const AT_CELL = 'cube = ? AND bucket = ? AND cell_group = ?';
const READ_CELL = `SELECT ${SUM_COLUMNS}, bins FROM session_cell WHERE ${AT_CELL}`;
const WRITE_CELL = `INSERT OR REPLACE INTO session_cell (cube, bucket, cell_group, ${SUM_COLUMNS}, bins)
  VALUES (${marks(SUMS.length + 4)})`;
const REMOVE_CELL = `DELETE FROM session_cell WHERE ${AT_CELL}`;

/** The columns that sums are worked out from, in the order in which `summedOf` reads them. */
export const SUMMED_COLUMNS = SUMMED.map(columnName).join(', ');

export function summedOf(row: SqlRow): Summed {
  const entries = SUMMED.map((name, i) => [name, row[i] ?? undefined] as const);
  return Object.fromEntries(entries) as Summed;
}

type Change = {
  readonly cube: number;
  readonly bucket: number;
  readonly group: string;
  readonly sums: number[];
  readonly bins: Map<number, number>;
};

/** Everything that a transaction changes, added up first: many sessions fall into the same cells. */
export class CellChanges {
  readonly #cells = new Map<string, Change>();

  /** `sign` is 1 for a session that has become current, -1 for one that no longer is. */
  add(row: Summed, sign: 1 | -1): void {
    const { sums, bins } = shareOf(row);
    const ms = row.startedAt === undefined ? undefined : Date.parse(row.startedAt);
    for (const { id, grain, dimensions } of CUBES) {
      const bucket = ms === undefined ? UNKNOWN : bucketOf(grain, ms);
      const cell = this.#cell(id, bucket, groupKey(row, dimensions));
      for (const [i, value] of sums.entries()) cell.sums[i] = (cell.sums[i] ?? 0) + sign * value;
      for (const bin of bins) cell.bins.set(bin, (cell.bins.get(bin) ?? 0) + sign);
    }
  }

  /** Inside a transaction. */
  write(connection: Connection): void {
    const ids = new Map<string, number>();
    for (const cell of this.#cells.values()) {
      if (cell.sums.every((sum) => sum === 0) && [...cell.bins.values()].every((count) => count === 0))
        continue;
      const id = ids.get(cell.group) ?? groupId(connection, cell.group);
      ids.set(cell.group, id);
      writeCell(connection, cell, id);
    }
    this.#cells.clear();
  }

  #cell(cube: number, bucket: number, group: string): Change {
    const key = `${cube} ${bucket} ${group}`;
    let cell = this.#cells.get(key);
    if (cell === undefined) {
      cell = { cube, bucket, group, sums: new Array<number>(SUMS.length).fill(0), bins: new Map() };
      this.#cells.set(key, cell);
    }
    return cell;
  }
}

function groupKey(row: Summed, dimensions: readonly Dimension[]): string {
  return JSON.stringify(DIMENSIONS.map((name) => (dimensions.includes(name) ? (row[name] ?? null) : null)));
}

function groupId(connection: Connection, key: string): number {
  const known = connection.get(FIND_GROUP, [key])?.[0];
  if (typeof known === 'number') return known;
  return connection.run(ADD_GROUP, [key, ...(JSON.parse(key) as SQLInputValue[])]).id;
}

function writeCell(connection: Connection, { cube, bucket, sums, bins }: Change, group: number): void {
  const at = [cube, bucket, group];
  const row = connection.get(READ_CELL, at);
  const total = sums.map((sum, i) => sum + numberAt(connection, row, i));
  const counts = row === undefined ? new Map<number, number>() : readBins(connection, row.at(-1));
  for (const [bin, count] of bins) counts.set(bin, (counts.get(bin) ?? 0) + count);
  if (total[0] === 0) connection.run(REMOVE_CELL, at);
  else connection.run(WRITE_CELL, [...at, ...total, packBins(counts)]);
}

function numberAt(connection: Connection, row: SqlRow | undefined, index: number): number {
  if (row === undefined) return 0;
  const value = row[index];
  if (typeof value === 'number') return value;
  throw damaged(connection, 'session_cell', SUMS[index] ?? '');
}

export function readBins(connection: Connection, value: unknown): Map<number, number> {
  const bins = value instanceof Uint8Array ? unpackBins(value) : undefined;
  if (bins === undefined) throw damaged(connection, 'session_cell', 'bins');
  return bins;
}

/** Sessions read before their sums are written: memory stays small, whatever the size of the store. */
const ROWS_AT_ONCE = 20_000;

/** Which revisions are current, and all sums, from nothing but the rows. Inside a transaction. */
export function deriveSessions(connection: Connection): void {
  connection.exec(`
    DELETE FROM session_cell;
    DELETE FROM session_group;
    UPDATE session SET current = 1 - current WHERE current <> NOT EXISTS (
      SELECT 1 FROM session AS later WHERE later.session_id = session.session_id
        AND (later.scored_at, later.revision) > (session.scored_at, session.revision)
    );
  `);
  const changes = new CellChanges();
  let last = 0;
  for (;;) {
    const rows = connection.all(
      `SELECT ${SUMMED_COLUMNS}, rowid FROM session WHERE current = 1 AND rowid > ? ORDER BY rowid LIMIT ${ROWS_AT_ONCE}`,
      [last],
    );
    for (const row of rows) changes.add(summedOf(row), 1);
    changes.write(connection);
    const next = rows.at(-1)?.at(-1);
    if (typeof next !== 'number') return;
    last = next;
  }
}
