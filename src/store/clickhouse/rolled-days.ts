/**
 * Days and months whose sums are worked out. A day is worked out when the number of its rows, the former ones counted too, has
 * stayed the same for a while: what is being written then is seen. A month is added up of its days when all of them are. Any
 * process may do so, and two that do at once get the same.
 */
import { DIMENSIONS, SCORED_WITH } from '../rollup.ts';
import { bucketOf, bucketStart } from '../time-bucket.ts';
import type { Connection } from './connection.ts';
import { NO_HOUR } from './schema.ts';
import { columnName } from './table.ts';

export type Day = readonly [day: number, rows: number];
/** By its first day; its rows are those of its days. */
export type Month = { readonly day: number; readonly rows: number; readonly days: readonly Day[] };

/** Into which nothing was written since they were worked out. */
export type AtRest = { readonly days: readonly Day[]; readonly months: readonly Month[] };

const NAMES = DIMENSIONS.map(columnName).join(', ');
const SCORED = SCORED_WITH.map(columnName).join(', ');

/** As long as a batch is on its way at most. */
const SETTLE_MS = 10_000;
/** Days worked out together, and after one question; the others have their turn after the next. */
const AT_ONCE = 31;
const HOURS_PER_DAY = 24;

const STATES = `
  SELECT day, touched.rows, rolled.rows FROM (SELECT day, sum(rows) AS rows FROM session_touch GROUP BY day) AS touched
  LEFT JOIN (SELECT day, max(rows) AS rows FROM session_summed GROUP BY day) AS rolled USING day
  UNION ALL SELECT day, 0, max(rows) FROM session_month_summed GROUP BY day`;

type States = {
  readonly days: readonly (readonly [day: number, rows: number, rolled: number])[];
  readonly months: ReadonlyMap<number, number>;
};

export class RolledDays {
  readonly #settleMs: number;
  readonly #seen = new Map<number, { readonly rows: number; readonly at: number }>();
  #all: readonly number[] = [];
  #working: Promise<void> | undefined;

  constructor(settleMs = SETTLE_MS) {
    this.#settleMs = settleMs;
  }

  /** Others that have come to rest are worked out meanwhile. */
  async atRest(connection: Connection): Promise<AtRest> {
    let states = await this.#states(connection);
    const changed = this.#settled(states.days.filter(([, rows, rolled]) => rows !== rolled));
    const work =
      changed.length > 0 ? () => rollUpAll(connection, changed, this.#most) : dueMonths(connection, states);
    if (work !== undefined) {
      await this.#workOut(work);
      if (this.#settleMs === 0) states = await this.#states(connection);
      const due = this.#settleMs === 0 ? dueMonths(connection, states) : undefined;
      if (due !== undefined) {
        await this.#workOut(due);
        states = await this.#states(connection);
      }
    }
    return restOf(states);
  }

  /** The days with sessions beside these, as of the last look. */
  others(days: readonly number[]): readonly number[] {
    const known = new Set(days);
    return this.#all.filter((day) => !known.has(day));
  }

  /** Ends when nothing is being worked out any more. */
  async close(): Promise<void> {
    await this.#working;
  }

  get #most(): number {
    return this.#settleMs === 0 ? Number.POSITIVE_INFINITY : AT_ONCE;
  }

  async #states(connection: Connection): Promise<States> {
    const rows = (await connection.all(STATES)).map((row) => row.map(Number) as [number, number, number]);
    const days = rows.filter(([, touched]) => touched > 0);
    this.#all = days.map(([day]) => day);
    const months = rows.filter(([, touched]) => touched === 0);
    return { days, months: new Map(months.map(([day, , rolled]) => [day, rolled])) };
  }

  #settled(changed: States['days']): Day[] {
    const now = performance.now();
    return changed.flatMap(([day, rows]) => {
      const before = this.#seen.get(day);
      if (before?.rows !== rows) this.#seen.set(day, { rows, at: now });
      const since = before?.rows === rows ? before.at : now;
      return now - since >= this.#settleMs ? [[day, rows] as const] : [];
    });
  }

  /** Beside the question that found them, except where there is nothing to wait for. */
  async #workOut(work: () => Promise<void>): Promise<void> {
    if (this.#working !== undefined) return;
    this.#working = work().finally(() => {
      this.#working = undefined;
    });
    if (this.#settleMs === 0) await this.#working;
    // It is tried again after the next question.
    else this.#working = this.#working.catch(() => {});
  }
}

function restOf(states: States): AtRest {
  const days = states.days
    .filter(([, rows, rolled]) => rows === rolled)
    .map(([day, rows]) => [day, rows] as const);
  return { days, months: wholeMonths(states).filter(({ day, rows }) => states.months.get(day) === rows) };
}

/** Those whose days are all at rest. To the last one something comes every moment. */
function wholeMonths({ days }: States): Month[] {
  const dated = days.filter(([day]) => day !== NO_HOUR);
  const byMonth = Map.groupBy(dated, ([day]) => bucketOf('month', bucketStart('day', day)));
  const last = Math.max(...byMonth.keys());
  return [...byMonth].flatMap(([month, some]) => {
    if (month === last || some.some(([, rows, rolled]) => rows !== rolled)) return [];
    return {
      day: bucketOf('day', bucketStart('month', month)),
      rows: some.reduce((sum, [, rows]) => sum + rows, 0),
      days: some.map(([day, rows]) => [day, rows] as const),
    };
  });
}

function dueMonths(connection: Connection, states: States): (() => Promise<void>) | undefined {
  const due = wholeMonths(states).filter(({ day, rows }) => states.months.get(day) !== rows);
  if (due.length === 0) return undefined;
  return async () => {
    for (const month of due) await addUp(connection, month);
  };
}

/** The hours that the rows of these days are found by. */
export function hoursOf(days: readonly number[]): bigint[] {
  return days
    .flatMap((day) =>
      day === NO_HOUR ? [NO_HOUR] : Array.from({ length: HOURS_PER_DAY }, (_, i) => day * HOURS_PER_DAY + i),
    )
    .map(BigInt);
}

async function rollUpAll(connection: Connection, days: readonly Day[], most: number): Promise<void> {
  for (let i = 0; i < Math.min(most, days.length); i += AT_ONCE)
    await rollUp(connection, days.slice(i, i + AT_ONCE));
}

async function rollUp(connection: Connection, days: readonly Day[]): Promise<void> {
  const values = valuesOf(days);
  const from = 'FROM session FINAL WHERE hour IN {hours:Array(Int32)} AND day IN {days:Array(Int32)}';
  await connection.run(
    `INSERT INTO session_cell (day, rows, label, ${NAMES}, sums, bins)
     SELECT day, ${COUNTED}, label, ${NAMES}, sumForEach(sums),
       sumMap(mapFromArrays(bins, arrayMap(_ -> toUInt64(1), bins)))
     ${from} GROUP BY day, label, ${NAMES}`,
    values,
  );
  await connection.run(
    `INSERT INTO session_scoring (day, rows, project, ${SCORED}, sessions)
     SELECT day, ${COUNTED}, project, ${SCORED}, count() ${from} GROUP BY day, project, ${SCORED}`,
    values,
  );
  await connection.insert('session_summed', ['day', 'rows'], days);
  for (const table of ['session_cell', 'session_scoring']) await removeFormer(connection, table, days);
}

async function addUp(connection: Connection, { day, rows, days }: Month): Promise<void> {
  await connection.run(
    `INSERT INTO session_month (day, rows, label, ${NAMES}, sums, bins)
     SELECT {first:Int32}, {all:UInt64}, label, ${NAMES}, sumForEach(sums), sumMap(bins) FROM session_cell FINAL
     WHERE (day, rows) IN arrayZip({days:Array(Int32)}, {counts:Array(UInt64)}) GROUP BY label, ${NAMES}`,
    { ...valuesOf(days), first: day, all: rows },
  );
  await connection.insert('session_month_summed', ['day', 'rows'], [[day, rows]]);
  await removeFormer(connection, 'session_month', [[day, rows]]);
}

/** The count of the day that a row is of. */
const COUNTED = 'transform(day, {days:Array(Int32)}, {counts:Array(UInt64)}, toUInt64(0))';

function valuesOf(days: readonly Day[]) {
  return {
    days: days.map(([day]) => BigInt(day)),
    counts: days.map(([, rows]) => BigInt(rows)),
    hours: hoursOf(days.map(([day]) => day)),
  };
}

/** What was worked out of these days before is nobody's any more. Deleting rewrites parts, also where there is nothing to delete. */
async function removeFormer(connection: Connection, table: string, days: readonly Day[]): Promise<void> {
  const values = valuesOf(days);
  const former = `day IN {days:Array(Int32)} AND rows < ${COUNTED}`;
  const [some] = await connection.all(`SELECT 1 FROM ${table} WHERE ${former} LIMIT 1`, values);
  if (some !== undefined) await connection.remove(table, former, values);
}
