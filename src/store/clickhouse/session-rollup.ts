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
import type { Connection, RowValues, Values } from './connection.ts';
import { type Day, hoursOf, type RolledDays } from './rolled-days.ts';
import { NO_HOUR } from './schema.ts';
import { namesFor, narrowByStart } from './session-select.ts';
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

/**
 * Months and days that are at rest from their cells, and rows for what is left: other days, and those that a period cuts. A
 * month stands under its first day.
 */
async function sourcesOf(connection: Connection, days: RolledDays, query: RollupQuery, unit: 'hour' | 'day') {
  const { since, until } = checkPeriod(query);
  const named = await namesFor(connection, query);
  const where = named(new Where());
  narrowByStart(where, query);
  const { coverageFrom } = query;
  where.and(
    'coverage >= ?',
    'Float64',
    coverageFrom === undefined ? undefined : finite(coverageFrom, 'coverageFrom'),
  );
  const from = (which: Where) =>
    `SELECT ${unit}, ${NAMES}, sums, mapFromArrays(bins, arrayMap(_ -> toUInt64(1), bins)) AS bins
     FROM session FINAL${which.sql}`;
  if (unit === 'hour' || coverageFrom !== undefined)
    return { whole: [], from: from(where), values: where.values };
  const rest = await days.atRest(connection);
  const byMonth = query.bucket === undefined || query.bucket === 'month';
  const months = byMonth ? rest.months.filter(({ day }) => isInside('month', day, since, until)) : [];
  const known = new Set(months.flatMap((month) => month.days.map(([day]) => day)));
  const single = rest.days.filter(([day]) => !known.has(day) && isInside('day', day, since, until));
  for (const [day] of single) known.add(day);
  if (known.size === 0) return { whole: [], from: from(where), values: where.values };
  const cells = (table: string, some: readonly Day[], prefix: string) => {
    const which = narrowByDays(named(new Where(prefix)), some);
    const sql = `SELECT day, ${NAMES}, sums, bins FROM ${table} FINAL${which.sql}`;
    return some.length === 0 ? [] : [{ sql, values: which.values }];
  };
  const whole = [
    ...cells(
      'session_month',
      months.map(({ day, rows }) => [day, rows]),
      'm',
    ),
    ...cells('session_cell', single, 'c'),
  ];
  // Said in hours, which the rows are found by.
  where.and('hour IN ?', 'Array(Int64)', hoursOf(days.others([...known])));
  return {
    whole: whole.map(({ sql }) => sql),
    from: from(where),
    values: Object.assign({}, where.values, ...whole.map(({ values }) => values)) as Values,
  };
}

/** What was worked out of them, as of these counts. */
function narrowByDays(where: Where, days: readonly Day[]): Where {
  return where.and(
    '(day, rows) IN arrayZip(?, ?)',
    'Array(Int64)',
    days.map(([day]) => BigInt(day)),
    days.map(([, count]) => BigInt(count)),
  );
}

/** Whether all of a day, or of the month that begins with it, lies in the period; an unknown one lies in none. */
function isInside(
  unit: 'day' | 'month',
  day: number,
  since: string | undefined,
  until: string | undefined,
): boolean {
  if (day === NO_HOUR) return since === undefined && until === undefined;
  const start = bucketStart('day', day);
  const end = bucketStart(unit, bucketOf(unit, start) + 1);
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

export async function sessionScorings(
  connection: Connection,
  days: RolledDays,
  query: InProjects,
): Promise<SessionScoring[]> {
  const named = await namesFor(connection, query);
  const { days: rest } = await days.atRest(connection);
  const counted = narrowByDays(named(new Where('c')), rest);
  const where = named(new Where());
  where.and('hour IN ?', 'Array(Int64)', hoursOf(days.others(rest.map(([day]) => day))));
  const sql = `SELECT ${SCORED.join(', ')}, sum(sessions) FROM (
    SELECT ${SCORED.join(', ')}, sessions FROM session_scoring FINAL${counted.sql}
    UNION ALL SELECT ${SCORED.join(', ')}, 1 AS sessions FROM session FINAL${where.sql}) GROUP BY ${SCORED.join(', ')}`;
  const rows = await connection.all(sql, { ...counted.values, ...where.values });
  const scorings = rows.map((row) => ({
    ...(Object.fromEntries(
      SCORED_WITH.flatMap((name, i) => (row[i] === null ? [] : [[name, row[i]]])),
    ) as Omit<SessionScoring, 'sessions'>),
    sessions: Number(row[SCORED.length]),
  }));
  return scorings.sort(compareScorings);
}
