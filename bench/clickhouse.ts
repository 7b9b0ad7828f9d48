/**
 * The cost of a store on ClickHouse: `node bench/clickhouse.ts [SESSIONS [SESSIONS IN SQLITE [ROUNDS [FOLDER]]]]`, by
 * default a million, 100,000 and ten. Some sessions are stored through the contract, which gives bytes and rows per
 * second. The server copies them to make the others (clickhouse-sessions.ts). Then it asks every question of the
 * commands and pages, of ClickHouse and, in the same run, of a SQLite store: elapsed times, and CPU times of both
 * processes together, which a busy machine changes little. A folder stores both for the next run.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openClickHouseStore } from '../src/store/clickhouse/clickhouse-store.ts';
import { ClickHouseServer, missingClickHouse } from '../src/store/clickhouse/testing/clickhouse-server.ts';
import { openStore } from '../src/store/open.ts';
import type { Store } from '../src/store/store.ts';
import { multiply, rowsFrom } from './clickhouse-sessions.ts';
import { FILTERS, portsOver, QUESTIONS } from './store-questions.ts';
import { END, fillStore, START } from './store-sessions.ts';

/** Sessions that are stored as nodes store them. */
const WHOLE = 20_000;
const ASKED = ['', 'since 7d', 'project'];
/** Those that were stored whole, those that were made of them, and those that are timed. */
const [KEPT, MANY, TIMED] = ['whole', 'many', 'timed'];

const figure = (n: number) => Math.round(n).toLocaleString('en');

function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

async function countIn(server: ClickHouseServer, database: string): Promise<number> {
  return Number(await server.ask(`SELECT count() FROM ${database}.session FINAL`));
}

async function storeWhole(server: ClickHouseServer): Promise<void> {
  const store = await openClickHouseStore(server.address(KEPT));
  if ((await countIn(server, KEPT)) < WHOLE)
    for (let i = 0; i < WHOLE; i += 10_000) await store.appendSessions(rowsFrom(i, 10_000, WHOLE));
  await store.sessionRollup();
  await store.close();
  for (const table of ['session', 'session_place']) await server.ask(`OPTIMIZE TABLE ${KEPT}.${table} FINAL`);
  const bytes = await bytesOf(server, KEPT);
  const all = [...bytes.values()].reduce((sum, n) => sum + n, 0);
  console.log(
    `${figure(WHOLE)} sessions stored whole: ${figure((bytes.get('session') ?? 0) / WHOLE)} bytes each, ${figure(all / WHOLE)} with all that is kept of it`,
  );
}

async function bytesOf(server: ClickHouseServer, database: string): Promise<Map<string, number>> {
  const text = await server.ask(
    `SELECT table, sum(bytes_on_disk) FROM system.parts WHERE database = '${database}' AND active GROUP BY table`,
  );
  const lines = text.split('\n').filter(Boolean);
  return new Map(lines.map((line) => line.split('\t')).map(([name, n]) => [name ?? '', Number(n)]));
}

/** By the size of a batch and by how many write at once: by the clock, and by the processor of both processes. */
async function sayInserts(server: ClickHouseServer): Promise<void> {
  const store = await openClickHouseStore(server.address(TIMED));
  let made = 0;
  for (const [size, writers] of [
    [1, 1],
    [100, 1],
    [100, 10],
    [10_000, 1],
  ] as const) {
    const batches = Array.from({ length: size === 10_000 ? 2 : 20 }, () => {
      made += size;
      return rowsFrom(made, size, 1_000_000);
    });
    const [start, used] = [performance.now(), ownMs() + cpuOf(server.pid)];
    await Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
        for (let i = writer; i < batches.length; i += writers) await store.appendSessions(batches[i] ?? []);
      }),
    );
    const [ms, cpu] = [performance.now() - start, ownMs() + cpuOf(server.pid) - used];
    const rows = batches.length * size;
    console.log(
      `insert: ${writers} writing ${figure(size)} at once`.padEnd(36),
      `${figure((rows * 1000) / ms).padStart(7)} rows/s ${figure((ms * writers) / batches.length).padStart(6)} ms until acknowledged`,
      `${figure((rows * 1000) / cpu).padStart(7)} rows per second of the processor`,
    );
  }
  await store.close();
  await server.ask(`DROP DATABASE ${TIMED} SYNC`);
}

function ownMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const TICK_MS = 1000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** CPU time of another process, in milliseconds. */
function cpuOf(pid: number | undefined): number {
  if (pid === undefined) return 0;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Takes the first sums, and waits until nothing is being merged. */
async function comeToRest(server: ClickHouseServer, store: Store): Promise<void> {
  const [start, used] = [performance.now(), cpuOf(server.pid)];
  await store.sessionRollup();
  const [seconds, cpu] = [(performance.now() - start) / 1000, (cpuOf(server.pid) - used) / 1000];
  console.log(
    `first sums over ${figure((END - START) / 86_400_000)} days in ${figure(seconds)} s, ${figure(cpu)} s of the processor`,
  );
  for (let quiet = 0; quiet < 3; ) {
    quiet = (await server.ask('SELECT count() FROM system.merges')).trim() === '0' ? quiet + 1 : 0;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

type Cost = { readonly p50: number; readonly p99: number; readonly cpu: number };

async function ask(store: Store, pid: number | undefined, rounds: number): Promise<Map<string, Cost>> {
  const ports = portsOver(store);
  const costs = new Map<string, Cost>();
  for (const [question, run] of Object.entries(QUESTIONS))
    for (const name of ASKED) {
      const times: number[] = [];
      let cpu = 0;
      for (let round = 0; round <= rounds; round += 1) {
        const [start, used] = [performance.now(), ownMs() + cpuOf(pid)];
        await run({ from: 'store', filter: FILTERS[name] ?? {} }, ports);
        // The first one warms.
        if (round === 0) continue;
        times.push(performance.now() - start);
        cpu += ownMs() + cpuOf(pid) - used;
      }
      costs.set(name === '' ? question : `  … ${question}, ${name}`, {
        p50: quantile(times, 0.5),
        p99: quantile(times, 0.99),
        cpu: cpu / rounds,
      });
    }
  return costs;
}

async function fill(server: ClickHouseServer, count: number): Promise<Store> {
  // Waits until the rollups are done, so that they do not add to the times.
  const store = await openClickHouseStore(server.address(MANY));
  if ((await countIn(server, MANY)) < count) await multiply(server, { from: KEPT, to: MANY, count });
  const [rows, sessions] = [await countIn(server, MANY), count];
  if (rows !== sessions) throw new Error(`${rows} sessions were made, and not ${sessions}`);
  await comeToRest(server, store);
  const all = [...(await bytesOf(server, MANY)).values()].reduce((sum, n) => sum + n, 0);
  console.log(`${figure(count)} sessions made, ${figure(all / count)} bytes each without facts`);
  return store;
}

async function main(count: number, inSqlite: number, rounds: number, folder: string): Promise<void> {
  const server = await ClickHouseServer.start({ at: join(folder, 'clickhouse') });
  try {
    await storeWhole(server);
    await sayInserts(server);
    const store = await fill(server, count);
    const path = join(folder, `sqlite-${inSqlite}.db`);
    if (!existsSync(path)) await fillStore(path, inSqlite);
    console.log(`SQLite: ${figure(inSqlite)} sessions, ${figure(statSync(path).size / inSqlite)} bytes each`);
    const far = await ask(store, server.pid, rounds);
    const sqlite = await openStore(path);
    const near = await ask(sqlite, undefined, rounds);
    await sqlite.close();
    await store.close();
    say(far, near, count, inSqlite);
  } finally {
    await server.stop();
  }
}

function say(
  far: ReadonlyMap<string, Cost>,
  near: ReadonlyMap<string, Cost>,
  count: number,
  inSqlite: number,
): void {
  console.log(`ClickHouse with ${figure(count)} sessions, SQLite with ${figure(inSqlite)}:`);
  const ms = (n: number, width = 6) => `${n.toFixed(0).padStart(width)} ms`;
  const costs = [...far].map(([name, cost]) => ({ name, cost, other: near.get(name) as Cost }));
  for (const { name, cost, other } of costs)
    console.log(
      name.padEnd(34),
      `p50 ${ms(cost.p50)} p99 ${ms(cost.p99)} cpu ${ms(cost.cpu)} | SQLite p50 ${ms(other.p50)} p99 ${ms(other.p99)} cpu ${ms(other.cpu)}`,
    );
  const worst = costs.toSorted((a, b) => b.cost.cpu - a.cost.cpu)[0];
  const middle = (of: (one: (typeof costs)[number]) => number) => quantile(costs.map(of), 0.5);
  console.log(
    `all ${costs.length} questions: ${ms(
      middle(({ cost }) => cost.cpu),
      0,
    )} of the processor (median), SQLite ${ms(
      middle(({ other }) => other.cpu),
      0,
    )}; at most ${ms(worst?.cost.cpu ?? 0, 0)} (${worst?.name.trim()})`,
  );
}

const [count = '1000000', inSqlite = '100000', rounds = '10', named] = process.argv.slice(2);
const missing = missingClickHouse();
if (missing !== undefined) console.log(`not measured: ${missing}`);
else {
  const folder = named ?? mkdtempSync(join(tmpdir(), 'assay-bench-'));
  try {
    mkdirSync(folder, { recursive: true });
    await main(Number(count), Number(inSqlite), Number(rounds), folder);
  } finally {
    if (named === undefined) rmSync(folder, { recursive: true, force: true });
  }
}
