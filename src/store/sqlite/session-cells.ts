/** Keeps the sums of the current sessions as sessions come, change and go. */
import type { SQLInputValue } from 'node:sqlite';
import { DIMENSIONS, SUMMED, SUMS, type Summed, shareOf } from '../rollup.ts';
import { bucketOf } from '../time-bucket.ts';
import { addPacked, CELL_WIDTH, packCell } from './cell-pack.ts';
import type { Connection, SqlRow } from './connection.ts';
import { CUBES, type Cube, UNKNOWN } from './session-cubes.ts';
import { columnName, damaged } from './table.ts';

const GROUP_COLUMNS = DIMENSIONS.map(columnName);
const FIND_GROUP = 'SELECT id FROM session_group WHERE cube = ? AND key = ?';
const ADD_GROUP = `INSERT INTO session_group (cube, key, ${GROUP_COLUMNS.join(', ')})
  VALUES (?, ?, ${GROUP_COLUMNS.map(() => '?').join(', ')})`;
const AT_CELL = 'cube = ? AND bucket = ? AND cell_group = ?';
const READ_CELL = `SELECT sums FROM session_cell WHERE ${AT_CELL}`;
const WRITE_CELL = 'INSERT OR REPLACE INTO session_cell (cube, bucket, cell_group, sums) VALUES (?, ?, ?, ?)';
const ADD_CELL =
  'INSERT INTO session_cell (cube, bucket, cell_group, sums) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING';
const REMOVE_CELL = `DELETE FROM session_cell WHERE ${AT_CELL}`;

/** The columns that sums are worked out from, in the order in which `summedOf` reads them. */
export const SUMMED_COLUMNS = SUMMED.map(columnName).join(', ');

export function summedOf(row: SqlRow): Summed {
  const entries = SUMMED.map((name, i) => [name, row[i] ?? undefined] as const);
  return Object.fromEntries(entries) as Summed;
}

const GRAINS = [...new Set(CUBES.map(({ grain }) => grain))];
/** Where in `GRAINS` the grain of each cube is. */
const GRAIN_OF_CUBE = CUBES.map(({ grain }) => GRAINS.indexOf(grain));

/** Of one cell: what to add to its sums, and to which bins, each with the sign of its session. */
type Change = { readonly sums: number[]; readonly bins: number[]; readonly signs: number[] };

/** Changes of the cells that share a cube and a group, by bucket. */
type Changes = { readonly cube: Cube; readonly group: string; readonly cells: Map<number, Change> };

/** Everything that a transaction changes, added up first: many sessions fall into the same cells. */
export class CellChanges {
  readonly #changes = new Map<string, Changes>();
  /** Sessions that have all dimensions in common → their changes in each cube. */
  readonly #known = new Map<string, readonly Changes[]>();

  /** `sign` is 1 for a session that has become current, -1 for one that no longer is. */
  add(row: Summed, sign: 1 | -1): void {
    const { sums, bins } = shareOf(row);
    const ms = row.startedAt === undefined ? undefined : Date.parse(row.startedAt);
    const buckets = GRAINS.map((grain) => (ms === undefined ? UNKNOWN : bucketOf(grain, ms)));
    const groups = this.#changesFor(row);
    for (let i = 0; i < groups.length; i += 1) {
      const change = changeAt(groups[i] as Changes, buckets[GRAIN_OF_CUBE[i] as number] as number);
      for (let k = 0; k < sums.length; k += 1)
        change.sums[k] = (change.sums[k] as number) + sign * (sums[k] as number);
      for (const bin of bins) {
        change.bins.push(bin);
        change.signs.push(sign);
      }
    }
  }

  /** Inside a transaction. */
  write(connection: Connection): void {
    for (const { cube, group, cells } of this.#changes.values()) {
      const id = groupId(connection, cube, group);
      for (const [bucket, change] of cells) writeCell(connection, cube, [cube.id, bucket, id], change);
    }
    this.#changes.clear();
    this.#known.clear();
  }

  #changesFor(row: Summed): readonly Changes[] {
    const names = DIMENSIONS.map((name) => row[name] ?? null);
    const key = JSON.stringify(names);
    let known = this.#known.get(key);
    if (known === undefined) {
      known = CUBES.map((cube) => {
        const folded = DIMENSIONS.map((name, i) => (cube.dimensions.includes(name) ? names[i] : null));
        return this.#changesOf(cube, JSON.stringify(folded));
      });
      this.#known.set(key, known);
    }
    return known;
  }

  #changesOf(cube: Cube, group: string): Changes {
    const key = `${cube.id} ${group}`;
    let changes = this.#changes.get(key);
    if (changes === undefined) {
      changes = { cube, group, cells: new Map() };
      this.#changes.set(key, changes);
    }
    return changes;
  }
}

function changeAt({ cells }: Changes, bucket: number): Change {
  let change = cells.get(bucket);
  if (change === undefined) {
    change = { sums: new Array<number>(SUMS.length).fill(0), bins: [], signs: [] };
    cells.set(bucket, change);
  }
  return change;
}

function groupId(connection: Connection, { id: cube }: Cube, key: string): number {
  const known = connection.get(FIND_GROUP, [cube, key])?.[0];
  if (typeof known === 'number') return known;
  return connection.run(ADD_GROUP, [cube, key, ...(JSON.parse(key) as SQLInputValue[])]).id;
}

/** One cell at a time, so one is enough. */
const scratch = new Float64Array(CELL_WIDTH);

function writeCell(connection: Connection, { grain }: Cube, at: readonly number[], change: Change): void {
  scratch.fill(0);
  scratch.set(change.sums);
  for (const [i, bin] of change.bins.entries())
    scratch[SUMS.length + bin] = (scratch[SUMS.length + bin] ?? 0) + (change.signs[i] ?? 0);
  const grows = change.signs.every((sign) => sign > 0);
  // A cell of an hour or a day is new more often than not: then one statement is enough.
  if (grows && grain !== 'month' && connection.run(ADD_CELL, [...at, packCell(scratch)]).changes === 1)
    return;
  const stored = connection.get(READ_CELL, at);
  if (stored !== undefined) addCell(connection, stored[0], scratch, true);
  if (scratch[0] === 0) connection.run(REMOVE_CELL, at);
  else connection.run(WRITE_CELL, [...at, packCell(scratch)]);
}

export function addCell(
  connection: Connection,
  stored: unknown,
  cell: Float64Array,
  withBins: boolean,
): void {
  if (typeof stored !== 'string' || !addPacked(stored, cell, withBins))
    throw damaged(connection, 'session_cell', 'sums');
}

/** Sessions read before their sums are written: memory stays small, whatever the size of the store. */
const ROWS_AT_ONCE = 20_000;

/** Which revisions are current, and all sums, from nothing but the rows. Inside a transaction. */
export function deriveSessions(connection: Connection): void {
  connection.exec(`
    DELETE FROM session_cell;
    DELETE FROM session_group;
    UPDATE session SET current = 1 - current WHERE current <> NOT EXISTS (
      SELECT 1 FROM session AS later WHERE later.session_key = session.session_key
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
