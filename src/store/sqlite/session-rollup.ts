/** Answers a question about many sessions from the cubes: whole months, days and hours, and rows for what is left. */
import { checkPeriod } from '../query.ts';
import {
  type Bucket,
  compareRollups,
  DIMENSIONS,
  type Dimension,
  type RollupQuery,
  rollupOf,
  type SessionRollup,
  SUMS,
} from '../rollup.ts';
import { labelTest, type NamedSession, projectTest, type SessionNarrowing } from '../session-narrowing.ts';
import { bucketOf, bucketStart } from '../time-bucket.ts';
import { CELL_WIDTH } from './cell-pack.ts';
import type { Connection } from './connection.ts';
import { addCell } from './session-cells.ts';
import { byCells, CUBES, type Cube, type Grain, UNKNOWN } from './session-cubes.ts';
import { groupsIn } from './session-groups.ts';
import { selectUnordered } from './session-select.ts';
import { readStored, STORED_COLUMNS, summedOf } from './stored-session.ts';
import { damaged, Where } from './table.ts';

type Sign = 1 | -1;
/** A stretch of whole buckets of one cube, or of rows; from inclusive, to exclusive, open where absent. */
type Stretch = { readonly cube?: Cube; readonly from?: number; readonly to?: number; readonly sign: Sign };
type Names = readonly (string | undefined)[];
/** Sums by bucket; the bucket is `UNKNOWN` where none was asked for, and where it is not known. */
type Group = { readonly names: Names; readonly sums: Map<number, Float64Array> };

/** In one transaction, so that cells and rows are of the same moment. */
export function sessionRollup(connection: Connection, query: RollupQuery): SessionRollup[] {
  const { since, until } = checkPeriod(query);
  const from = since === undefined ? undefined : Date.parse(since);
  const to = until === undefined ? undefined : Date.parse(until);
  const found = new Found(connection, query);
  connection.transaction(() => {
    for (const stretch of stretchesOf(cubesFor(query), from, to)) found.read(stretch);
  }, 'BEGIN');
  return found.rollups();
}

/** What has to be known of each session to narrow by. */
const ASKED_BY: Readonly<Record<Dimension, readonly (keyof SessionNarrowing)[]>> = {
  taskType: ['taskType'],
  model: ['model', 'modelPart'],
  agent: ['agent', 'agentOrSource'],
  project: ['project', 'projectNamed', 'inProjects'],
  source: ['source', 'agentOrSource'],
  otherModels: ['modelPart'],
};

/** The lengths of time that buckets can be put together from, coarse to fine. */
const GRAINS: Readonly<Record<Bucket, readonly Grain[]>> = {
  hour: ['hour'],
  day: ['day', 'quarter', 'hour'],
  week: ['day', 'quarter', 'hour'],
  month: ['month', 'day', 'quarter', 'hour'],
};

/**
 * Coarse to fine: the cube with the fewest cells that knows all dimensions asked for. A coarser one that divides by more
 * than a finer one has more cells, not fewer, and is left out.
 */
function cubesFor({ bucket = 'month', by = [], coverageFrom, ...query }: RollupQuery): readonly Cube[] {
  if (coverageFrom !== undefined) return [];
  const asked = DIMENSIONS.filter(
    (name) => by.includes(name) || ASKED_BY[name].some((key) => query[key] !== undefined),
  );
  const smallest = GRAINS[bucket].flatMap((grain) => {
    const fitting = CUBES.filter(
      (cube) => cube.grain === grain && asked.every((name) => cube.dimensions.includes(name)),
    );
    return fitting.toSorted(byCells).slice(0, 1);
  });
  return smallest.filter((cube, i) => smallest.slice(i + 1).every((finer) => byCells(cube, finer) <= 0));
}

/**
 * The coarsest cube takes whole buckets, finer ones what is left at both ends: they add what the buckets lack, or take
 * away what they have too much of, whichever is less. Sums are whole numbers, so both give the same.
 */
function stretchesOf(
  cubes: readonly Cube[],
  from: number | undefined,
  to: number | undefined,
  sign: Sign = 1,
): Stretch[] {
  if (from !== undefined && to !== undefined && from >= to) return [];
  const [cube, ...finer] = cubes;
  const ends = (low: number | undefined, high: number | undefined) => ({
    from: low,
    to: high,
    sign,
  });
  if (cube === undefined) return [ends(from, to)];
  const first = from === undefined ? undefined : nearest(cube.grain, from);
  const last = to === undefined ? undefined : nearest(cube.grain, to);
  if (first !== undefined && last !== undefined && first >= last) return stretchesOf(finer, from, to, sign);
  const opposite = -sign as Sign;
  return [
    { cube, ...ends(first, last) },
    ...(from === undefined || first === undefined
      ? []
      : first >= from
        ? stretchesOf(finer, from, first, sign)
        : stretchesOf(finer, first, from, opposite)),
    ...(to === undefined || last === undefined
      ? []
      : last <= to
        ? stretchesOf(finer, last, to, sign)
        : stretchesOf(finer, to, last, opposite)),
  ];
}

/** The end of a bucket that is nearest. */
function nearest(grain: Grain, ms: number): number {
  const down = bucketStart(grain, bucketOf(grain, ms));
  if (down === ms) return ms;
  const up = bucketStart(grain, bucketOf(grain, ms) + 1);
  return ms - down < up - ms ? down : up;
}

class Found {
  readonly #connection: Connection;
  readonly #query: RollupQuery;
  readonly #by: readonly Dimension[];
  readonly #groups = new Map<string, Group>();
  readonly #ofCubes = new Map<number, Map<unknown, Group>>();

  constructor(connection: Connection, query: RollupQuery) {
    this.#connection = connection;
    this.#query = query;
    this.#by = DIMENSIONS.filter((name) => query.by?.includes(name));
  }

  read(stretch: Stretch): void {
    if (stretch.cube === undefined) this.#readRows(stretch);
    else this.#readCells(stretch.cube, stretch);
  }

  rollups(): SessionRollup[] {
    const { bucket, histograms } = this.#query;
    const rollups: SessionRollup[] = [];
    const starts = new Map<number, string>();
    const startOf = (number: number): string | undefined => {
      if (bucket === undefined || number === UNKNOWN) return undefined;
      const start = starts.get(number) ?? new Date(bucketStart(bucket, number)).toISOString();
      starts.set(number, start);
      return start;
    };
    for (const { names, sums } of this.#groups.values()) {
      const known = this.#by.flatMap((name, i) => (names[i] === undefined ? [] : [[name, names[i]]]));
      const group: SessionRollup['group'] = Object.fromEntries(known);
      for (const [number, cell] of sums) {
        // All that was added may have been taken away again.
        if (cell[0] === 0) continue;
        const bins = histograms === true ? Array.from(cell.subarray(SUMS.length)) : undefined;
        rollups.push(rollupOf(startOf(number), group, cell, bins));
      }
    }
    return rollups.sort(compareRollups);
  }

  #readCells(cube: Cube, { from, to, sign }: Stretch): void {
    const narrowed = isNarrowed(this.#query) ? this.#groupsOf(cube) : undefined;
    const where = new Where()
      .and('cube = ?', cube.id)
      .and('bucket >= ?', from === undefined ? undefined : bucketOf(cube.grain, from))
      .and('bucket < ?', to === undefined ? undefined : bucketOf(cube.grain, to))
      // An unknown start lies in no period.
      .when(from === undefined && to !== undefined, `bucket > ${UNKNOWN}`);
    const groupOf = narrowed === undefined ? this.#groupsMet(cube) : (id: unknown) => narrowed.get(id);
    // The sums of others are then never read.
    if (narrowed !== undefined)
      where.andAll('cell_group IN (SELECT value FROM json_each(?))', [JSON.stringify([...narrowed.keys()])]);
    const sql = `SELECT bucket, cell_group, sums, checksum FROM session_cell${where.sql}`;
    const how = { withBins: this.#query.histograms === true, sign };
    // All at once: thousands of small rows, each of which would otherwise be a call of its own.
    for (const [bucket, id, sums, checksum] of this.#connection.all(sql, where.values)) {
      const group = groupOf(id);
      if (group === undefined) continue;
      const cell = this.#cellOf(group, this.#bucketOf(cube.grain, bucket));
      addCell(this.#connection, [cube.id, bucket, id], [sums ?? null, checksum ?? null], cell, how);
    }
  }

  /** At most half of what the finest cube divides by, at both ends; all of them where no cube knows what was asked for. */
  #readRows({ from, to, sign }: Stretch): void {
    const { bucket, by: _, histograms, since: __, until: ___, ...narrowed } = this.#query;
    const { sql, values } = selectUnordered(this.#connection, STORED_COLUMNS, {
      ...narrowed,
      ...(from !== undefined && { since: new Date(from).toISOString() }),
      ...(to !== undefined && { until: new Date(to).toISOString() }),
    });
    for (const row of this.#connection.iterate(sql, values)) {
      const { names, startedAt, share } = summedOf(this.#connection, readStored(row));
      const number = bucket === undefined || startedAt === undefined ? UNKNOWN : bucketOf(bucket, startedAt);
      const cell = this.#cellOf(this.#groupOf(this.#by.map((name) => names[name])), number);
      const { sums, bins } = share;
      for (let i = 0; i < sums.length; i += 1) cell[i] = (cell[i] as number) + sign * (sums[i] as number);
      if (histograms === true)
        for (const bin of bins) cell[SUMS.length + bin] = (cell[SUMS.length + bin] as number) + sign;
    }
  }

  /** The bucket asked for, from that of a cell. */
  #bucketOf(grain: Grain, number: unknown): number {
    if (typeof number !== 'number') throw damaged(this.#connection, 'session_cell', 'bucket');
    const { bucket } = this.#query;
    if (bucket === undefined || number === UNKNOWN) return UNKNOWN;
    return grain === bucket ? number : bucketOf(bucket, bucketStart(grain, number));
  }

  /** Of thousands of groups a short time has few: each is named when it is met. */
  #groupsMet({ id: cube }: Cube): (id: unknown) => Group | undefined {
    const names = groupsIn(this.#connection, cube);
    const known = this.#ofCubes.get(cube) ?? new Map<unknown, Group>();
    this.#ofCubes.set(cube, known);
    return (id) => {
      const group = known.get(id);
      const named = group === undefined ? names.get(id) : undefined;
      if (named === undefined) return group;
      const met = this.#groupOf(this.#by.map((name) => named[name]));
      known.set(id, met);
      return met;
    };
  }

  /** By their number in the file, those that the query does not leave out. */
  #groupsOf({ id: cube }: Cube): ReadonlyMap<unknown, Group> {
    const known = this.#ofCubes.get(cube);
    if (known !== undefined) return known;
    const [fits, fitsProject] = [labelTest(this.#query), projectTest(this.#query)];
    const groups = new Map<unknown, Group>();
    for (const [id, named] of groupsIn(this.#connection, cube)) {
      const isAsked =
        (fitsProject === undefined || (named.project !== undefined && fitsProject(named.project))) &&
        (fits === undefined || fits(named as NamedSession));
      if (isAsked) groups.set(id, this.#groupOf(this.#by.map((name) => named[name])));
    }
    this.#ofCubes.set(cube, groups);
    return groups;
  }

  #groupOf(names: Names): Group {
    const key = JSON.stringify(names.map((name) => name ?? null));
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = { names, sums: new Map() };
      this.#groups.set(key, group);
    }
    return group;
  }

  #cellOf({ sums }: Group, bucket: number): Float64Array {
    let cell = sums.get(bucket);
    if (cell === undefined) {
      cell = new Float64Array(this.#query.histograms === true ? CELL_WIDTH : SUMS.length);
      sums.set(bucket, cell);
    }
    return cell;
  }
}

function isNarrowed(query: RollupQuery): boolean {
  return projectTest(query) !== undefined || labelTest(query) !== undefined;
}
