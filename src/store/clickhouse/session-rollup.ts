/** Sums over sessions. */

import { finite } from '../canonical.ts';
import { checkPeriod } from '../query.ts';
import {
  BINS,
  compareRollups,
  compareScorings,
  DIMENSIONS,
  type RollupQuery,
  rollupOf,
  SCORED_WITH,
  type SessionRollup,
  type SessionScoring,
  SUMS,
} from '../rollup.ts';
import type { InProjects } from '../session-narrowing.ts';
import { bucketOf, bucketStart } from '../time-bucket.ts';
import type { Connection, RowValues } from './connection.ts';
import type { RolledDays } from './rolled-days.ts';
import { NO_HOUR } from './schema.ts';
import { narrowByNames, narrowByStart } from './session-select.ts';
import { columnName } from './table.ts';
import { Where } from './where.ts';

/** What a row of sums is by, and the sums. */
const NAMES = DIMENSIONS.map(columnName).join(', ');

export async function sessionRollup(
  connection: Connection,
  days: RolledDays,
  query: RollupQuery,
): Promise<SessionRollup[]> {
  const by = DIMENSIONS.filter((name) => query.by?.includes(name));
  const unit = query.bucket === 'hour' ? 'hour' : 'day';
  const { whole, from, values } = await sourcesOf(connection, days, query, unit);
  const keys = [...(query.bucket === undefined ? [] : [unit]), ...by.map(columnName)];
  const sums = ['sumForEach(sums)', ...(query.histograms === true ? ['sumMap(bins)'] : [])];
  const sql = `SELECT ${[...keys, ...sums].join(', ')} FROM (${[...whole, from].join(' UNION ALL ')})
    ${keys.length === 0 ? 'HAVING count() > 0' : `GROUP BY ${keys.join(', ')}`}`;
  const found = new Found(query, by, unit);
  for await (const row of connection.iterate(sql, values)) found.add(row);
  return found.rollups();
}

/** Days that are at rest from their cells, and rows for what is left: other days, and those that a period cuts. */
async function sourcesOf(connection: Connection, days: RolledDays, query: RollupQuery, unit: 'hour' | 'day') {
  const { since, until } = checkPeriod(query);
  const where = new Where();
  narrowByStart(where, query);
  await narrowByNames(connection, where, query);
  const { coverageFrom } = query;
  where.and(
    'coverage >= ?',
    'Float64',
    coverageFrom === undefined ? undefined : finite(coverageFrom, 'coverageFrom'),
  );
  const rows = (which: Where) =>
    `SELECT ${unit}, ${NAMES}, sums, mapFromArrays(bins, arrayMap(_ -> toUInt64(1), bins)) AS bins
     FROM session FINAL${which.sql}`;
  const rolled = unit === 'hour' || coverageFrom !== undefined ? [] : await days.atRest(connection);
  const inside = rolled.filter(([day]) => isInside(day, since, until));
  if (inside.length === 0) return { whole: [], from: rows(where), values: where.values };
  const names = new Where('c');
  await narrowByNames(connection, names, query);
  names.and(
    '(day, rows) IN arrayZip(?, ?)',
    'Array(Int64)',
    inside.map(([day]) => BigInt(day)),
    inside.map(([, count]) => BigInt(count)),
  );
  // Said in hours, which the rows are found by.
  const left = days.others(inside.map(([day]) => day));
  where.and('hour IN ?', 'Array(Int64)', left.flatMap(hoursOf).map(BigInt));
  const cells = `SELECT day, ${NAMES}, sums, bins FROM session_cell FINAL${names.sql}`;
  return { whole: [cells], from: rows(where), values: { ...where.values, ...names.values } };
}

function hoursOf(day: number): number[] {
  return day === NO_HOUR ? [NO_HOUR] : Array.from({ length: 24 }, (_, i) => day * 24 + i);
}

/** Whether all of a day lies in the period; an unknown one lies in none. */
function isInside(day: number, since: string | undefined, until: string | undefined): boolean {
  if (day === NO_HOUR) return since === undefined && until === undefined;
  const [start, end] = [bucketStart('day', day), bucketStart('day', day + 1)];
  return (
    (since === undefined || start >= Date.parse(since)) && (until === undefined || end <= Date.parse(until))
  );
}

type Group = {
  readonly bucket: number | undefined;
  readonly names: readonly unknown[];
  readonly sums: number[];
  readonly bins: number[];
};

class Found {
  readonly #query: RollupQuery;
  readonly #by: readonly (typeof DIMENSIONS)[number][];
  readonly #unit: 'hour' | 'day';
  readonly #groups = new Map<string, Group>();

  constructor(query: RollupQuery, by: readonly (typeof DIMENSIONS)[number][], unit: 'hour' | 'day') {
    this.#unit = unit;
    this.#query = query;
    this.#by = by;
  }

  add(row: RowValues): void {
    const { bucket } = this.#query;
    const from = bucket === undefined ? 0 : 1;
    const start = Number(row[0]);
    const number =
      bucket === undefined || start === NO_HOUR
        ? undefined
        : bucketOf(bucket, bucketStart(this.#unit, start));
    const names = row.slice(from, from + this.#by.length);
    const [sums, bins] = row.slice(from + this.#by.length) as [
      readonly unknown[],
      Readonly<Record<string, unknown>>?,
    ];
    const group = this.#groupOf(number, names);
    for (const [i, sum] of sums.entries()) group.sums[i] = (group.sums[i] ?? 0) + Number(sum);
    for (const [bin, n] of Object.entries(bins ?? {}))
      group.bins[Number(bin)] = (group.bins[Number(bin)] ?? 0) + Number(n);
  }

  #groupOf(bucket: number | undefined, names: readonly unknown[]): Group {
    const key = JSON.stringify([bucket, names]);
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = { bucket, names, sums: new Array(SUMS.length).fill(0), bins: new Array(BINS).fill(0) };
      this.#groups.set(key, group);
    }
    return group;
  }

  rollups(): SessionRollup[] {
    const { bucket, histograms } = this.#query;
    const rollups = [...this.#groups.values()].map((group) => {
      const known = this.#by.flatMap((name, i) => (group.names[i] === null ? [] : [[name, group.names[i]]]));
      const start =
        bucket === undefined || group.bucket === undefined
          ? undefined
          : new Date(bucketStart(bucket, group.bucket)).toISOString();
      return rollupOf(
        start,
        Object.fromEntries(known),
        group.sums,
        histograms === true ? group.bins : undefined,
      );
    });
    return rollups.sort(compareRollups);
  }
}

const SCORED = SCORED_WITH.map(columnName);

export async function sessionScorings(connection: Connection, query: InProjects): Promise<SessionScoring[]> {
  const where = new Where();
  await narrowByNames(connection, where, query);
  const sql = `SELECT ${SCORED.join(', ')}, count() FROM session FINAL${where.sql} GROUP BY ${SCORED.join(', ')}`;
  const scorings = (await connection.all(sql, where.values)).map((row) => ({
    ...(Object.fromEntries(
      SCORED_WITH.flatMap((name, i) => (row[i] === null ? [] : [[name, row[i]]])),
    ) as Omit<SessionScoring, 'sessions'>),
    sessions: Number(row[SCORED.length]),
  }));
  return scorings.sort(compareScorings);
}
