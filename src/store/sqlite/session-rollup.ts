/** Answers a question about many sessions from the cubes: whole months, days and hours, and rows for what is left. */
import type { SQLInputValue } from 'node:sqlite';
import { checkPeriod } from '../query.ts';
import {
  BINS,
  type Bucket,
  compareRollups,
  DIMENSIONS,
  type Dimension,
  type RollupQuery,
  rollupOf,
  type SessionRollup,
  SUMS,
  shareOf,
} from '../rollup.ts';
import { bucketOf, bucketStart } from '../time-bucket.ts';
import { eachBin } from './bins.ts';
import type { Connection, SqlRow } from './connection.ts';
import { SUMMED_COLUMNS, summedOf } from './session-cells.ts';
import { CUBES, type Cube, UNKNOWN } from './session-cubes.ts';
import { columnName, damaged, Where } from './table.ts';

type Grain = Cube['grain'];
/** A stretch of whole buckets of one cube, or of rows; from inclusive, to exclusive, open where absent. */
type Stretch = { readonly cube?: Cube; readonly from?: number; readonly to?: number };
type Sums = { readonly bucket: number | undefined; readonly names: Names; sums: number[]; bins?: number[] };
type Names = readonly (string | undefined)[];

/** In one transaction, so that cells and rows are of the same moment. */
export function sessionRollup(connection: Connection, query: RollupQuery): SessionRollup[] {
  const { since, until } = checkPeriod(query);
  const from = since === undefined ? undefined : Date.parse(since);
  const to = until === undefined ? undefined : Date.parse(until);
  const found = new Found(query);
  connection.transaction(() => {
    for (const stretch of stretchesOf(cubesFor(query), from, to)) found.read(connection, stretch);
  }, 'BEGIN');
  return found.rollups();
}

/** Coarse to fine: the cube with the fewest dimensions that knows all of those asked for. */
export function cubesFor({ bucket, by = [], ...query }: RollupQuery): readonly Cube[] {
  const asked = DIMENSIONS.filter((name) => by.includes(name) || query[name] !== undefined);
  const allowed: readonly Grain[] =
    bucket === 'hour'
      ? ['hour']
      : bucket === undefined || bucket === 'month'
        ? ['month', 'day', 'hour']
        : ['day', 'hour'];
  return allowed.flatMap((grain) => {
    const fitting = CUBES.filter(
      (cube) => cube.grain === grain && asked.every((name) => cube.dimensions.includes(name)),
    );
    return fitting.toSorted((a, b) => a.dimensions.length - b.dimensions.length).slice(0, 1);
  });
}

/** The coarsest cube takes the whole buckets in the middle, the next one what is left on both sides, and so on. */
export function stretchesOf(
  cubes: readonly Cube[],
  from: number | undefined,
  to: number | undefined,
): Stretch[] {
  if (from !== undefined && to !== undefined && from >= to) return [];
  const [cube, ...finer] = cubes;
  if (cube === undefined) return [{ ...(from !== undefined && { from }), ...(to !== undefined && { to }) }];
  const first = from === undefined ? undefined : roundUp(cube.grain, from);
  const last = to === undefined ? undefined : roundDown(cube.grain, to);
  if (first !== undefined && last !== undefined && first >= last) return stretchesOf(finer, from, to);
  return [
    ...(from === undefined || from === first ? [] : stretchesOf(finer, from, first)),
    { cube, ...(first !== undefined && { from: first }), ...(last !== undefined && { to: last }) },
    ...(to === undefined || to === last ? [] : stretchesOf(finer, last, to)),
  ];
}

function roundDown(grain: Grain, ms: number): number {
  return bucketStart(grain, bucketOf(grain, ms));
}

function roundUp(grain: Grain, ms: number): number {
  const down = roundDown(grain, ms);
  return down === ms ? ms : bucketStart(grain, bucketOf(grain, ms) + 1);
}

class Found {
  readonly #query: RollupQuery;
  readonly #by: readonly Dimension[];
  readonly #groups = new Map<string, Sums>();

  constructor(query: RollupQuery) {
    this.#query = query;
    this.#by = DIMENSIONS.filter((name) => query.by?.includes(name));
  }

  read(connection: Connection, stretch: Stretch): void {
    if (stretch.cube === undefined) this.#readRows(connection, stretch);
    else {
      this.#readCells(connection, stretch.cube, stretch);
      if (this.#query.histograms === true) this.#readBins(connection, stretch.cube, stretch);
    }
  }

  rollups(): SessionRollup[] {
    const { bucket } = this.#query;
    return [...this.#groups.values()]
      .map(({ bucket: number, names, sums, bins }) => {
        const known = this.#by.flatMap((name, i) => (names[i] === undefined ? [] : [[name, names[i]]]));
        const start =
          bucket === undefined || number === undefined
            ? undefined
            : new Date(bucketStart(bucket, number)).toISOString();
        return rollupOf(start, Object.fromEntries(known), sums, bins);
      })
      .sort(compareRollups);
  }

  #readCells(connection: Connection, cube: Cube, stretch: Stretch): void {
    const { bucket, from, columns } = this.#cellsOf(cube, stretch);
    // Added up as whole numbers, and only then a number that may be larger than those JavaScript counts exactly.
    const sums = SUMS.map((name) => `CAST(sum(${name}) AS REAL)`).join(', ');
    const groups = [bucket, ...columns].filter((one) => one !== 'NULL').join(', ');
    const sql = `SELECT ${[bucket, ...columns, sums].join(', ')} ${from.sql}${groups && ` GROUP BY ${groups}`}`;
    for (const row of connection.all(sql, from.values)) {
      const values = row.slice(1 + columns.length);
      // Without groups there is one row, also over nothing.
      if (values[0] === null) continue;
      const one = this.#sums(connection, row);
      for (const [i, value] of values.entries())
        one.sums[i] = (one.sums[i] ?? 0) + numberOf(connection, value);
    }
  }

  #readBins(connection: Connection, cube: Cube, stretch: Stretch): void {
    const { bucket, from, columns } = this.#cellsOf(cube, stretch);
    const sql = `SELECT ${[bucket, ...columns, 'bins'].join(', ')} ${from.sql}`;
    for (const row of connection.iterate(sql, from.values)) {
      const bins = binsOf(this.#sums(connection, row));
      const bytes = row.at(-1);
      const add = (bin: number, count: number) => {
        bins[bin] = (bins[bin] ?? 0) + count;
      };
      if (!(bytes instanceof Uint8Array) || !eachBin(bytes, add))
        throw damaged(connection, 'session_cell', 'bins');
    }
  }

  #cellsOf(cube: Cube, { from, to }: Stretch) {
    const where = new Where()
      .and('cube = ?', cube.id)
      .and('bucket >= ?', from === undefined ? undefined : bucketOf(cube.grain, from))
      .and('bucket < ?', to === undefined ? undefined : bucketOf(cube.grain, to))
      // An unknown start lies in no period.
      .when(from === undefined && to !== undefined, `bucket > ${UNKNOWN}`);
    for (const name of DIMENSIONS) where.and(`${columnName(name)} = ?`, this.#query[name]);
    const columns = this.#by.map(columnName);
    const joined = columns.length > 0 || DIMENSIONS.some((name) => this.#query[name] !== undefined);
    const join = joined ? ' JOIN session_group ON session_group.id = cell_group' : '';
    return {
      bucket: bucketSql(cube.grain, this.#query.bucket),
      columns,
      from: { sql: `FROM session_cell${join}${where.sql}`, values: where.values as SQLInputValue[] },
    };
  }

  /** At most the hours in which the period begins and ends. */
  #readRows(connection: Connection, { from, to }: Stretch): void {
    const where = new Where()
      .when(true, 'current = 1')
      .and('started_at >= ?', from === undefined ? undefined : new Date(from).toISOString())
      .and('started_at < ?', to === undefined ? undefined : new Date(to).toISOString());
    for (const name of DIMENSIONS) where.and(`${columnName(name)} = ?`, this.#query[name]);
    for (const row of connection.all(`SELECT ${SUMMED_COLUMNS} FROM session${where.sql}`, where.values)) {
      const session = summedOf(row);
      const { bucket } = this.#query;
      const at = session.startedAt === undefined ? undefined : Date.parse(session.startedAt);
      const number = bucket === undefined || at === undefined ? undefined : bucketOf(bucket, at);
      const one = this.#of(
        number,
        this.#by.map((name) => session[name]),
      );
      const { sums, bins } = shareOf(session);
      one.sums = one.sums.map((sum, i) => sum + (sums[i] ?? 0));
      if (this.#query.histograms === true)
        for (const bin of bins) binsOf(one)[bin] = (binsOf(one)[bin] ?? 0) + 1;
    }
  }

  #sums(connection: Connection, [bucket, ...rest]: SqlRow): Sums {
    const names = this.#by.map((name, i) => {
      const value = rest[i] ?? undefined;
      if (value !== undefined && typeof value !== 'string') throw damaged(connection, 'session_group', name);
      return value;
    });
    return this.#of(typeof bucket === 'number' ? bucket : undefined, names);
  }

  #of(bucket: number | undefined, names: Names): Sums {
    const key = JSON.stringify([bucket ?? null, ...names.map((name) => name ?? null)]);
    let one = this.#groups.get(key);
    if (one === undefined) {
      one = { bucket, names, sums: new Array<number>(SUMS.length).fill(0) };
      if (this.#query.histograms === true) binsOf(one);
      this.#groups.set(key, one);
    }
    return one;
  }
}

function binsOf(one: Sums): number[] {
  one.bins ??= new Array<number>(BINS).fill(0);
  return one.bins;
}

function numberOf(connection: Connection, value: unknown): number {
  if (typeof value !== 'number') throw damaged(connection, 'session_cell', 'sessions');
  return value;
}

// Division of whole numbers cuts towards zero; shifted far enough, that is downwards for every year from 0 on.
const [HOURS, DAYS, WEEKS] = [24e6, 1e6, 1e6];

/** The number of the bucket asked for, from that of a finer one. */
function bucketSql(grain: Grain, bucket: Bucket | undefined): string {
  if (bucket === undefined) return 'NULL';
  if (grain === bucket) return known('bucket');
  const day = grain === 'hour' ? `((bucket + ${HOURS}) / 24 - ${DAYS})` : 'bucket';
  if (bucket === 'day') return known(day);
  if (bucket === 'week') return known(`((${day} + 3 + ${7 * WEEKS}) / 7 - ${WEEKS})`);
  const part = (format: string) => `CAST(strftime('${format}', ${day} * 86400, 'unixepoch') AS INTEGER)`;
  return known(`(${part('%Y')} * 12 + ${part('%m')} - 1)`);
}

function known(sql: string): string {
  return `CASE WHEN bucket = ${UNKNOWN} THEN NULL ELSE ${sql} END`;
}
