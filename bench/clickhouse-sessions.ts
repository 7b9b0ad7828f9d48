/**
 * Many sessions in a ClickHouse, for its benchmark. Some are stored through the contract, as nodes store them; of those the
 * server makes the others, as fast as it can: each with a key, a start and a revision of its own, in the order of their
 * starts, as they would have come, and without its facts, which no list and no sum reads. One of ten comes a second time, scored again.
 */

import type { ClickHouseServer } from '../src/store/clickhouse/testing/clickhouse-server.ts';
import { SESSION_FIELDS, type SessionRow } from '../src/store/schema/session.ts';
import { columnName } from '../src/store/sql/tables.ts';
import { scoredWith } from '../src/sync.ts';
import { END, makeRow, START } from './store-sessions.ts';

/** Rows of one insert: some hours of the fleet at 20 million. */
const AT_ONCE = 250_000;
/** One of so many was scored again. */
const AGAIN = 10;
/** The year 0, which versions count from, in milliseconds. */
const EPOCH = 62_167_219_200_000n;

export function rowsFrom(from: number, size: number, count: number): SessionRow[] {
  const scoring = scoredWith({});
  return Array.from({ length: size }, (_, i) => makeRow(from + i, count, scoring));
}

const ROW_COLUMNS = [...SESSION_FIELDS.map(({ name }) => columnName(name)), 'facts', 'version'];
const iso = (ms: string) =>
  `concat(replaceOne(toString(toDateTime64((${ms}) / 1000, 3, 'UTC')), ' ', 'T'), 'Z')`;

/** The columns in which a generated session differs from the one it is copied from. */
const OWN: Readonly<Record<string, string>> = {
  session_key: 'own_key',
  session_id:
    "concat(substring(own_key, 1, 8), '-', substring(own_key, 9, 4), '-4000-8000-', substring(own_key, 13, 12))",
  revision: "concat(own_key, own_key, substring(own_key, 1, 14), if(is_again, '02', '01'))",
  scored_at: iso('own_scored_at'),
  started_at: iso('own_start'),
  ended_at: iso('own_start + 1800000'),
  version: `bitShiftLeft(toUInt256(own_scored_at + ${EPOCH}), 192)`,
  facts: "'{}'",
};

/** `to` gets `count` sessions that are made of those in `from`. */
export async function multiply(
  server: ClickHouseServer,
  {
    from: original,
    to: database,
    count,
  }: { readonly from: string; readonly to: string; readonly count: number },
): Promise<void> {
  const whole = Number(await server.ask(`SELECT count() FROM ${original}.session FINAL`));
  const columns = ROW_COLUMNS.map((name) => `${OWN[name] ?? name} AS new_${name}`).join(', ');
  const kept = ROW_COLUMNS.filter((name) => name !== 'facts').join(', ');
  await server.ask(`CREATE TABLE ${database}.base ENGINE = MergeTree ORDER BY number AS
    SELECT rowNumberInAllBlocks() AS number, ${kept} FROM ${original}.session FINAL`);
  for (let from = 0; from < count; from += AT_ONCE) {
    const to = Math.min(count, from + AT_ONCE);
    // A batch of those that are new, with some of the batch before that go on.
    const again = Math.max(0, from - AT_ONCE);
    await server.ask(`INSERT INTO ${database}.session (${ROW_COLUMNS.join(', ')})
      SELECT ${columns} FROM (
        SELECT made, is_again,
          substring(lower(hex(sipHash128(made))), 1, 24) AS own_key,
          toInt64(${START} + intDiv(made * ${END - START}, ${count})) AS own_start,
          own_start + 9000000 + is_again AS own_scored_at, base.*
        FROM (
          SELECT number AS made, 0 AS is_again FROM numbers(${from}, ${to - from})
          UNION ALL SELECT number AS made, 1 AS is_again FROM numbers(${again}, ${from - again}) WHERE number % ${AGAIN} = 0
        ) AS news INNER JOIN ${database}.base AS base ON base.number = cityHash64(made) % ${whole})
      SETTINGS insert_deduplicate = 0, max_insert_block_size = ${2 * AT_ONCE}, min_insert_block_size_rows = ${AT_ONCE},
        min_insert_block_size_bytes = 0, max_block_size = 65536`);
  }
  await server.ask(`DROP TABLE ${database}.base SYNC`);
}
