/**
 * What a store on ClickHouse costs: `node bench/clickhouse.ts [sessions [sessions in SQLite]]` (two million and
 * 200,000 by default). Sessions as they come from people's agents (store-sessions.ts) are stored through the contract, as
 * nodes store them; of those the server itself makes the others, each with a key and a start of its own and without its
 * facts, which no list and no sum reads. *Bytes* are therefore those of the sessions that were stored whole. Then every
 * question of the commands and pages is asked, of ClickHouse and, in the same run, of a SQLite store whose sums are kept:
 * times of the clock, and of the processor in both processes together, which a busy machine changes little.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { usualScoring } from '../src/operations/session/stored/stored-scores.ts';
import { openClickHouseStore } from '../src/store/clickhouse/clickhouse-store.ts';
import { ROW_COLUMNS } from '../src/store/clickhouse/session-rows.ts';
import { ClickHouseServer, missingClickHouse } from '../src/store/clickhouse/testing/clickhouse-server.ts';
import { openStore } from '../src/store/open.ts';
import type { SessionRow } from '../src/store/session-row.ts';
import type { Store } from '../src/store/store.ts';
import { FILTERS, portsOver, QUESTIONS } from './store-questions.ts';
import { END, fillStore, makeRow, START } from './store-sessions.ts';

/** Sessions that are stored as nodes store them. */
const WHOLE = 20_000;
/** Copies of each that the server makes at once. */
const COPIES = 10;
const ROUNDS = 10;
const ASKED = ['', 'since 7d', 'since 90d', 'agent', 'project'];
const DATABASE = 'bench';

const figure = (n: number) => Math.round(n).toLocaleString('en');

function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function rows(from: number, size: number, count: number): SessionRow[] {
  const scoring = usualScoring();
  return Array.from({ length: size }, (_, i) => makeRow(from + i, count, scoring));
}

/** Rows per second of the clock, by the size of a batch and by how many write at once. */
async function sayInserts(store: Store): Promise<void> {
  let made = WHOLE;
  for (const [size, writers] of [
    [1, 1],
    [1, 20],
    [100, 1],
    [100, 20],
    [10_000, 1],
  ] as const) {
    const batches = Array.from({ length: size === 10_000 ? 2 : Math.max(20, writers) }, () => {
      made += size;
      return rows(made, size, 1_000_000);
    });
    const start = performance.now();
    await Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
        for (let i = writer; i < batches.length; i += writers) await store.appendSessions(batches[i] ?? []);
      }),
    );
    const seconds = (performance.now() - start) / 1000;
    const each = (seconds * 1000 * writers) / batches.length;
    console.log(
      `insert: ${writers} writing ${figure(size)} at once`.padEnd(44),
      `${figure((batches.length * size) / seconds).padStart(7)} rows/s ${figure(each).padStart(7)} ms until acknowledged`,
    );
  }
}

const SPAN_MS = END - START;
/** What of a copied session is its own. */
const OWN: Readonly<Record<string, string>> = {
  session_key: 'substring(lower(hex(sipHash128(base.session_key, copy))), 1, 24)',
  session_id: 'toString(reinterpretAsUUID(sipHash128(base.session_id, copy)))',
  revision: 'lower(concat(hex(sipHash128(base.revision, copy)), hex(sipHash128(copy, base.revision))))',
  scored_at: 'at + 9000000',
  started_at: 'at',
  ended_at: 'at + (base.ended_at - base.started_at)',
  hour: 'toInt32(intDiv(at, 3600000))',
  version: 'bitShiftLeft(toUInt256(at + 62176219200000), 192)',
  facts: "'{}'",
};

async function multiply(server: ClickHouseServer, count: number): Promise<void> {
  const columns = ROW_COLUMNS.map((name) => OWN[name] ?? `base.${name}`).join(', ');
  const left = count - Number(await server.ask(`SELECT count() FROM ${DATABASE}.session FINAL`));
  await server.ask(`CREATE TABLE ${DATABASE}.base ENGINE = MergeTree ORDER BY tuple() AS
    SELECT ${ROW_COLUMNS.filter((name) => name !== 'facts').join(', ')} FROM ${DATABASE}.session FINAL
    ORDER BY session_key LIMIT ${WHOLE}`);
  const start = performance.now();
  for (let done = 0; done < left; done += WHOLE * COPIES) {
    const now = Math.min(WHOLE * COPIES, left - done);
    await server.ask(`INSERT INTO ${DATABASE}.session (${ROW_COLUMNS.join(', ')})
      WITH toInt64(${START} + cityHash64(base.session_key, copy) % ${SPAN_MS}) AS at
      SELECT ${columns} FROM ${DATABASE}.base AS base
      CROSS JOIN (SELECT ${done} + number AS copy FROM numbers(${COPIES})) AS copies LIMIT ${now}
      SETTINGS insert_deduplicate = 0`);
  }
  await server.ask(`DROP TABLE ${DATABASE}.base SYNC`);
  const seconds = (performance.now() - start) / 1000;
  console.log(`made by the server: ${figure(left)} sessions, ${figure(left / seconds)} rows/s`);
}

async function bytesOf(server: ClickHouseServer): Promise<Map<string, number>> {
  const text = await server.ask(
    `SELECT table, sum(bytes_on_disk) FROM system.parts WHERE database = '${DATABASE}' AND active GROUP BY table`,
  );
  return new Map(
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split('\t'))
      .map(([name, n]) => [name ?? '', Number(n)]),
  );
}

type Cost = { readonly p50: number; readonly p99: number; readonly cpu: number };

/** Of a process of somebody else, in milliseconds. */
function cpuOf(pid: number | undefined): number {
  if (pid === undefined) return 0;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

const TICK_MS = 1000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

async function ask(store: Store, pid: number | undefined): Promise<Map<string, Cost>> {
  const ports = portsOver(store);
  const own = () => (process.cpuUsage().user + process.cpuUsage().system) / 1000;
  const costs = new Map<string, Cost>();
  for (const [question, run] of Object.entries(QUESTIONS))
    for (const name of ASKED) {
      const times: number[] = [];
      let cpu = 0;
      for (let round = 0; round <= ROUNDS; round += 1) {
        const [start, used] = [performance.now(), own() + cpuOf(pid)];
        await run({ from: 'store', filter: FILTERS[name] ?? {} }, ports);
        // The first one warms.
        if (round === 0) continue;
        times.push(performance.now() - start);
        cpu += own() + cpuOf(pid) - used;
      }
      costs.set(name === '' ? question : `  … ${question}, ${name}`, {
        p50: quantile(times, 0.5),
        p99: quantile(times, 0.99),
        cpu: cpu / ROUNDS,
      });
    }
  return costs;
}

/** Every day has its sums, and nothing is being merged. */
async function comeToRest(server: ClickHouseServer, store: Store): Promise<number> {
  const start = performance.now();
  await store.sessionRollup();
  const seconds = (performance.now() - start) / 1000;
  for (let quiet = 0; quiet < 3; ) {
    quiet = (await server.ask('SELECT count() FROM system.merges')).trim() === '0' ? quiet + 1 : 0;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  return seconds;
}

async function main(count: number, inSqlite: number): Promise<void> {
  const missing = missingClickHouse();
  if (missing !== undefined) return console.log(`not measured: ${missing}`);
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const server = await ClickHouseServer.start({ within: folder });
  try {
    // As long as it takes: what is worked out meanwhile would be in the times.
    const store = await openClickHouseStore(server.address(DATABASE), { settleMs: 0 });
    const start = performance.now();
    for (let i = 0; i < WHOLE; i += 10_000) await store.appendSessions(rows(i, 10_000, WHOLE));
    console.log(
      `stored: ${figure(WHOLE)} sessions whole, ${figure((WHOLE * 1000) / (performance.now() - start))} rows/s with making them`,
    );
    await server.ask(`OPTIMIZE TABLE ${DATABASE}.session FINAL`);
    const whole = await bytesOf(server);
    const all = [...whole.values()].reduce((sum, n) => sum + n, 0);
    console.log(
      `${figure((whole.get('session') ?? 0) / WHOLE)} bytes per session, ${figure(all / WHOLE)} with all that is kept of it`,
    );
    await sayInserts(store);
    await multiply(server, count);
    console.log(
      `sums of ${figure((END - START) / 86_400_000)} days worked out in ${figure(await comeToRest(server, store))} s`,
    );
    const path = join(folder, 'store.db');
    const spent = await fillStore(path, inSqlite);
    console.log(
      `SQLite: ${figure(inSqlite)} sessions, ${figure(inSqlite / spent)} rows per processor second, ${figure(statSync(path).size / inSqlite)} bytes per session`,
    );
    const far = await ask(store, server.pid);
    const sqlite = await openStore(path);
    const near = await ask(sqlite, undefined);
    await sqlite.close();
    await store.close();
    say(far, near, count, inSqlite);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function say(
  far: ReadonlyMap<string, Cost>,
  near: ReadonlyMap<string, Cost>,
  count: number,
  inSqlite: number,
): void {
  console.log(`ClickHouse with ${figure(count)} sessions, SQLite with ${figure(inSqlite)}:`);
  const ratios: number[] = [];
  for (const [name, { p50, p99, cpu }] of far) {
    const other = near.get(name) as Cost;
    ratios.push(cpu / other.cpu);
    console.log(
      name.padEnd(34),
      `p50 ${p50.toFixed(0).padStart(5)} ms p99 ${p99.toFixed(0).padStart(5)} ms cpu ${cpu.toFixed(0).padStart(5)} ms`,
      `| SQLite p50 ${other.p50.toFixed(0).padStart(4)} ms p99 ${other.p99.toFixed(0).padStart(4)} ms cpu ${other.cpu.toFixed(0).padStart(4)} ms`,
      `| ${(cpu / other.cpu).toFixed(1)} × the processor for ${(count / inSqlite).toFixed(0)} × the sessions`,
    );
  }
  console.log(
    `all questions: ${quantile(ratios, 0.5).toFixed(1)} × the processor of SQLite (median), ${Math.max(...ratios).toFixed(1)} × at most`,
  );
}

const [count = '2000000', inSqlite = '200000'] = process.argv.slice(2);
await main(Number(count), Number(inSqlite));
