/** Keeps the sums of the current sessions as sessions come, change and go. */
import type { SQLInputValue } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import {
  compareScorings,
  DIMENSIONS,
  SCORED_WITH,
  type ScoredWith,
  type SessionScoring,
  SUMS,
  type Summed,
  shareOf,
} from '../rollup.ts';
import { type InProjects, projectTest } from '../session-narrowing.ts';
import { bucketOf, bucketStart } from '../time-bucket.ts';
import { type Adding, addPacked, CELL_WIDTH, packCell } from './cell-pack.ts';
import type { Connection, SqlRow } from './connection.ts';
import { CHAINS, type Grain, SCORING_CUBE, UNKNOWN } from './session-cubes.ts';
import { groupId, namesOfGroup } from './session-groups.ts';
import {
  eachStored,
  hasNames,
  revisionIn,
  type StoredSession,
  setState,
  summaryOf,
} from './stored-session.ts';
import { damaged } from './table.ts';

const AT_CELL = 'cube = ? AND bucket = ? AND cell_group = ?';
const READ_CELL = `SELECT sums, checksum FROM session_cell WHERE ${AT_CELL}`;
const CELL = 'session_cell (cube, bucket, cell_group, sums, checksum) VALUES (?, ?, ?, ?, ?)';
const WRITE_CELL = `INSERT OR REPLACE INTO ${CELL}`;
const ADD_CELL = `INSERT INTO ${CELL} ON CONFLICT DO NOTHING`;
const REMOVE_CELL = `DELETE FROM session_cell WHERE ${AT_CELL}`;

/** Of one cell: what to add to its sums, and to which bins, each with the sign of its session. */
type Change = { readonly sums: number[]; readonly bins: number[]; readonly signs: number[] };

type Cells = Map<number, Change>;

/** Changes of the cells of a group by bucket, in the finest of its cubes. */
type Changes = { readonly cubes: readonly CellCube[]; readonly group: string; readonly cells: Cells };

/** A cube, or the sums by what sessions were scored with, which have no grain. */
type CellCube = { readonly id: number; readonly grain?: Grain };
const SCORINGS: readonly CellCube[] = [{ id: SCORING_CUBE }];

/** Everything that a transaction changes, added up first: many sessions fall into the same cells. */
export class CellChanges {
  readonly #changes = new Map<string, Changes>();
  /** Sessions that have all dimensions in common → their changes in each chain of cubes. */
  readonly #known = new Map<string, readonly Changes[]>();

  /** `sign` is 1 for a session that has become current, -1 for one that no longer is. */
  add(row: Summed & ScoredWith, sign: 1 | -1): void {
    const { sums, bins } = shareOf(row);
    const ms = row.startedAt === undefined ? undefined : Date.parse(row.startedAt);
    for (const changes of this.#changesFor(row)) {
      const { grain } = changes.cubes[0] ?? {};
      const change = changeAt(
        changes.cells,
        ms === undefined || grain === undefined ? UNKNOWN : bucketOf(grain, ms),
      );
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
    for (const { cubes, group, cells: finest } of this.#changes.values()) {
      let cells = finest;
      cubes.forEach((cube, i) => {
        cells = coarser(cells, cubes[i - 1]?.grain, cube.grain);
        const id = groupId(connection, cube.id, group);
        for (const [bucket, change] of cells) writeCell(connection, cube, [cube.id, bucket, id], change);
      });
    }
    this.#changes.clear();
    this.#known.clear();
  }

  #changesFor(row: Summed & ScoredWith): readonly Changes[] {
    const names = DIMENSIONS.map((name) => row[name] ?? null);
    const scoring = JSON.stringify([...SCORED_WITH.map((name) => row[name] ?? null), row.project ?? null]);
    const key = JSON.stringify(names) + scoring;
    let known = this.#known.get(key);
    if (known === undefined) {
      known = CHAINS.map((cubes) => {
        const folded = DIMENSIONS.map((name, i) => (cubes[0]?.dimensions.includes(name) ? names[i] : null));
        return this.#changesOf(cubes, JSON.stringify(folded));
      });
      known = [...known, this.#changesOf(SCORINGS, scoring)];
      this.#known.set(key, known);
    }
    return known;
  }

  #changesOf(cubes: readonly CellCube[], group: string): Changes {
    const key = `${cubes[0]?.id} ${group}`;
    let changes = this.#changes.get(key);
    if (changes === undefined) {
      changes = { cubes, group, cells: new Map() };
      this.#changes.set(key, changes);
    }
    return changes;
  }
}

/** The same changes in longer buckets. */
function coarser(cells: Cells, from: Grain | undefined, to: Grain | undefined): Cells {
  if (from === undefined || to === undefined) return cells;
  const found: Cells = new Map();
  for (const [bucket, { sums, bins, signs }] of cells) {
    const change = changeAt(found, bucket === UNKNOWN ? UNKNOWN : bucketOf(to, bucketStart(from, bucket)));
    for (let k = 0; k < sums.length; k += 1)
      change.sums[k] = (change.sums[k] as number) + (sums[k] as number);
    for (const bin of bins) change.bins.push(bin);
    for (const sign of signs) change.signs.push(sign);
  }
  return found;
}

function changeAt(cells: Cells, bucket: number): Change {
  let change = cells.get(bucket);
  if (change === undefined) {
    change = { sums: new Array<number>(SUMS.length).fill(0), bins: [], signs: [] };
    cells.set(bucket, change);
  }
  return change;
}

/** One cell at a time, so one is enough. */
const scratch = new Float64Array(CELL_WIDTH);

function writeCell(connection: Connection, { grain }: CellCube, at: readonly number[], change: Change): void {
  scratch.fill(0);
  scratch.set(change.sums);
  for (const [i, bin] of change.bins.entries())
    scratch[SUMS.length + bin] = (scratch[SUMS.length + bin] ?? 0) + (change.signs[i] ?? 0);
  const grows = change.signs.every((sign) => sign > 0);
  // A cell of an hour or a day is new more often than not: then one statement is enough.
  if (
    grows &&
    grain !== undefined &&
    grain !== 'month' &&
    connection.run(ADD_CELL, cellValues(at, scratch)).changes === 1
  )
    return;
  const stored = connection.get(READ_CELL, at);
  if (stored !== undefined) addCell(connection, at, stored, scratch, { withBins: true, sign: 1 });
  if (scratch[0] === 0) connection.run(REMOVE_CELL, at);
  else connection.run(WRITE_CELL, cellValues(at, scratch));
}

function cellValues(at: readonly number[], cell: Float64Array): SQLInputValue[] {
  const sums = packCell(cell);
  return [...at, sums, cellChecksum(at, sums)];
}

/** With where it stands: a cell in the place of another is damage, too. */
function cellChecksum([cube, bucket, group]: readonly unknown[], sums: string): number {
  return crc32(`${cube} ${bucket} ${group} ${sums}`);
}

/** `at`: its cube, bucket and group; `stored`: its sums and their checksum. */
export function addCell(
  connection: Connection,
  at: readonly unknown[],
  [sums, checksum]: SqlRow,
  cell: Float64Array,
  how: Adding,
): void {
  const isWhole = typeof sums === 'string' && cellChecksum(at, sums) === checksum;
  if (!isWhole || !addPacked(sums, cell, how)) throw damaged(connection, 'session_cell', 'sums');
}

/** How many of the current sessions were scored with what, the most first. */
export function sessionScorings(connection: Connection, query: InProjects): SessionScoring[] {
  const sql = `SELECT sums, session_cell.checksum, bucket, cell_group, session_group.cube, key, project,
    session_group.checksum
    FROM session_cell JOIN session_group ON session_group.id = cell_group WHERE session_cell.cube = ${SCORING_CUBE}`;
  const fits = projectTest(query);
  const scorings = new Map<string, SessionScoring>();
  for (const row of connection.all(sql)) {
    const cell = new Float64Array(CELL_WIDTH);
    addCell(connection, [SCORING_CUBE, row[2], row[3]], row.slice(0, 2), cell, { withBins: false, sign: 1 });
    const names = namesOfGroup(connection, row.slice(4));
    const project = names[SCORED_WITH.length];
    if (fits !== undefined && (project == null || !fits(project))) continue;
    const known = SCORED_WITH.flatMap((name, i) => (names[i] == null ? [] : [[name, names[i]]]));
    const key = JSON.stringify(known);
    const sessions = (scorings.get(key)?.sessions ?? 0) + (cell[0] ?? 0);
    scorings.set(key, { ...(Object.fromEntries(known) as ScoredWith), sessions });
  }
  return [...scorings.values()].sort(compareScorings);
}

/** Which revisions are current, and all sums, from nothing but the rows; damaged ones count in none. In a transaction. */
export function deriveSessions(connection: Connection): void {
  connection.exec('DELETE FROM session_cell; DELETE FROM session_group');
  const notAsItShouldBe = `AND current <> NOT EXISTS (
    SELECT 1 FROM session AS later WHERE later.session_key = session.session_key
      AND (later.scored_at, ${revisionIn('later')}) > (session.scored_at, ${revisionIn('session')})
  )`;
  eachStored(connection, notAsItShouldBe, (stored) => {
    if (stored.isWhole) setState(connection, stored, { current: 1 - stored.current });
  });
  const changes = new CellChanges();
  const take = (stored: StoredSession): void => {
    if (stored.isWhole && hasNames(connection, stored)) changes.add(summaryOf(connection, stored), 1);
  };
  eachStored(connection, 'AND current = 1', take, () => changes.write(connection));
}
