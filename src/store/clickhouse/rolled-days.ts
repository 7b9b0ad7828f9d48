/**
 * Days whose sums are worked out. A day is worked out when the number of its rows, the former ones counted too, has stayed
 * the same for a while: what is being written then is seen. Any process may do so, and two that do at once get the same.
 */
import { DIMENSIONS } from '../rollup.ts';
import type { Connection } from './connection.ts';
import { NO_HOUR } from './schema.ts';
import { columnName } from './table.ts';

export type Day = readonly [day: number, rows: number];

const NAMES = DIMENSIONS.map(columnName).join(', ');

/** As long as a batch is on its way at most. */
const SETTLE_MS = 10_000;
/** Days worked out after one question; the others have their turn after the next. */
const AT_ONCE = 31;

const STATES = `
  SELECT day, touched.rows, rolled.rows FROM (SELECT day, sum(rows) AS rows FROM session_touch GROUP BY day) AS touched
  LEFT JOIN (SELECT day, max(rows) AS rows FROM session_rolled GROUP BY day) AS rolled USING day`;

export class RolledDays {
  readonly #settleMs: number;
  readonly #seen = new Map<number, { readonly rows: number; readonly at: number }>();
  #all: readonly number[] = [];
  #working: Promise<void> | undefined;

  constructor(settleMs = SETTLE_MS) {
    this.#settleMs = settleMs;
  }

  /** Those into which nothing was written since they were worked out. Others that have come to rest are, meanwhile. */
  async atRest(connection: Connection): Promise<readonly Day[]> {
    const states = await this.#states(connection);
    const settled = this.#settled(states.filter(([, rows, rolled]) => rows !== rolled));
    if (settled.length > 0) await this.#workOut(connection, settled);
    const now = this.#settleMs === 0 && settled.length > 0 ? await this.#states(connection) : states;
    return now.filter(([, rows, rolled]) => rows === rolled).map(([day, rows]) => [day, rows]);
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

  async #states(connection: Connection): Promise<readonly (readonly [number, number, number])[]> {
    const states = (await connection.all(STATES)).map((row) => row.map(Number) as [number, number, number]);
    this.#all = states.map(([day]) => day);
    return states;
  }

  #settled(changed: readonly (readonly [number, number, number])[]): Day[] {
    const now = performance.now();
    return changed.flatMap(([day, rows]) => {
      const before = this.#seen.get(day);
      if (before?.rows !== rows) this.#seen.set(day, { rows, at: now });
      const since = before?.rows === rows ? before.at : now;
      return now - since >= this.#settleMs ? [[day, rows] as const] : [];
    });
  }

  /** Beside the question that found them, except where there is nothing to wait for. */
  async #workOut(connection: Connection, days: readonly Day[]): Promise<void> {
    if (this.#working !== undefined) return;
    const work = async () => {
      for (const day of days.slice(0, this.#settleMs === 0 ? undefined : AT_ONCE))
        await rollUp(connection, day);
    };
    this.#working = work().finally(() => {
      this.#working = undefined;
    });
    if (this.#settleMs === 0) await this.#working;
    // It is tried again after the next question.
    else this.#working = this.#working.catch(() => {});
  }
}

async function rollUp(connection: Connection, [day, rows]: Day): Promise<void> {
  await connection.run(
    `INSERT INTO session_cell (day, rows, label, ${NAMES}, sums, bins)
     SELECT day, {rows:UInt64}, label, ${NAMES}, sumForEach(sums),
       sumMap(mapFromArrays(bins, arrayMap(_ -> toUInt64(1), bins)))
     FROM session FINAL WHERE hour >= {from:Int32} AND hour <= {to:Int32} AND day = {day:Int32} GROUP BY day, label, ${NAMES}`,
    { day, rows, ...(day === NO_HOUR ? { from: day, to: day } : { from: day * 24, to: day * 24 + 23 }) },
  );
  await connection.insert('session_rolled', ['day', 'rows'], [[day, rows]]);
  // The sums before these are nobody's any more.
  await connection.remove('session_cell', 'day = {day:Int32} AND rows < {rows:UInt64}', { day, rows });
}
