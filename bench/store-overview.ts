/**
 * What an overview of many stored sessions costs: `node bench/store-overview.ts [sessions]` (a million by default). Makes
 * a store of sessions over half a year (40 projects, 6 models, 4 agents, 6 task types, unevenly used), then asks it in a
 * new process what dashboards ask. The floor is measured in the same run: bare node:sqlite adding up Q and cost over
 * every row of the same file, which is what each answer would cost at least without the kept sums. The last column is
 * the time of the answer as a share of that floor. Times are those of the processor, so that a busy machine changes
 * little.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { openStore } from '../src/store/open.ts';
import type { RollupQuery } from '../src/store/rollup.ts';
import type { SessionRow } from '../src/store/schema/session.ts';
import type { SessionQuery, Store } from '../src/store/store.ts';

const DAYS = 180;
const START = Date.UTC(2026, 0, 1);
const END = START + DAYS * 86_400_000;
const BATCH = 2000;
const ROUNDS = 5;
const TYPES = ['coding', 'chat', 'research', 'operations', 'discovery', 'heartbeat'] as const;

/** Numbers that look random and are the same in every run. */
function noise(i: number, salt: number): number {
  const x = Math.imul(i ^ (salt * 0x9e3779b1), 0x85ebca6b);
  const y = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return ((y ^ (y >>> 16)) >>> 0) / 2 ** 32;
}

/** The first of n is picked most often. */
function uneven(i: number, salt: number, n: number): number {
  return Math.floor(noise(i, salt) ** 2 * n);
}

function makeRow(i: number, count: number): SessionRow {
  const at = START + Math.floor(((i + noise(i, 1)) / count) * DAYS * 86_400_000);
  const q = 0.2 + 0.8 * noise(i, 2) ** 0.5;
  return {
    sessionKey: `${(Math.floor(noise(i, 3) * 2 ** 32) >>> 0).toString(16)}-${i}`,
    sessionId: `${(Math.floor(noise(i, 3) * 2 ** 32) >>> 0).toString(16)}-${i}`,
    revision: i.toString(16).padStart(64, 'f'),
    scoredAt: new Date(at + 3_600_000).toISOString(),
    source: 'claude-code',
    agent: `agent-${uneven(i, 4, 4)}`,
    taskType: TYPES[uneven(i, 5, TYPES.length)] ?? 'chat',
    model: `model-${uneven(i, 6, 6)}`,
    project: `/home/dev/projects/service-${uneven(i, 7, 40)}`,
    startedAt: new Date(at).toISOString(),
    endedAt: new Date(at + 1_800_000).toISOString(),
    q,
    tier:
      q >= 0.9 ? 'excellent' : q >= 0.75 ? 'good' : q >= 0.6 ? 'acceptable' : q >= 0.4 ? 'poor' : 'failed',
    completion: 0.9,
    execution: 0.8,
    coverage: 0.5 + noise(i, 8) / 2,
    inputTokens: Math.floor(noise(i, 9) * 100_000),
    outputTokens: Math.floor(noise(i, 10) * 10_000),
    turns: 12,
    toolCalls: 40,
    toolErrors: 2,
    costUsd: noise(i, 11),
    runs: 1,
    skippedLines: 0,
    scorerVersion: 'session-4',
    facts: { facts: { runs: [] } },
  };
}

const since = (days: number) => new Date(END - days * 86_400_000 - 1_234_567).toISOString();

const QUESTIONS: Readonly<Record<string, (store: Store) => Promise<readonly unknown[]>>> = {
  'overview of everything': rollup({}),
  'overview with medians': rollup({ histograms: true }),
  'by task type and model': rollup({ by: ['taskType', 'model'] }),
  '… with medians': rollup({ by: ['taskType', 'model'], histograms: true }),
  'by project': rollup({ by: ['project'] }),
  'by project and model': rollup({ by: ['project', 'model'] }),
  'one project by model': rollup({ project: '/home/dev/projects/service-3', by: ['model'] }),
  'the last 30 days by task type and model': rollup({ since: since(30), by: ['taskType', 'model'] }),
  '… by project': rollup({ since: since(30), by: ['project'] }),
  '… by project and model': rollup({ since: since(30), by: ['project', 'model'] }),
  'the last 24 hours by hour and model': rollup({ since: since(1), bucket: 'hour', by: ['model'] }),
  'a line per day over half a year': rollup({ bucket: 'day' }),
  '… per day and model': rollup({ bucket: 'day', by: ['model'] }),
  '… per week with medians': rollup({ bucket: 'week', histograms: true }),
  'a page of 50, newest first': list({ order: 'newest' }),
  '… of one project': list({ order: 'newest', project: '/home/dev/projects/service-39' }),
  '… of a project that is nowhere': list({ order: 'newest', project: '/nowhere' }),
  'the 50 with the lowest Q': list({ order: 'lowest Q' }),
  '… of the last 7 days': list({ order: 'lowest Q', since: since(7) }),
};

function rollup(query: RollupQuery) {
  return (store: Store) => store.sessionRollup(query);
}

function list(query: SessionQuery) {
  return (store: Store) => store.listSessions({ ...query, limit: 50 });
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function times(work: () => unknown): Promise<number> {
  const spent: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = cpuMs();
    await work();
    spent.push(cpuMs() - start);
  }
  return median(spent);
}

async function fill(path: string, count: number): Promise<void> {
  const store = await openStore(path);
  let spent = 0;
  for (let i = 0; i < count; i += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - i) }, (_, k) => makeRow(i + k, count));
    const start = cpuMs();
    await store.appendSessions(rows);
    spent += cpuMs() - start;
  }
  await store.close();
  const seconds = spent / 1000;
  const bytes = Math.round(statSync(path).size / count);
  console.log(
    `${count.toLocaleString('en')} sessions stored at ${Math.round(count / seconds).toLocaleString('en')} per second, ${bytes} bytes each`,
  );
}

async function floorOf(path: string): Promise<number> {
  const database = new DatabaseSync(path, { readOnly: true });
  const sql = 'SELECT count(*), sum(q), sum(cost_usd) FROM session NOT INDEXED';
  const spent = await times(() => database.prepare(sql).get());
  database.close();
  return spent;
}

/** A process of its own, so that its memory is that of the answers. */
async function ask(path: string): Promise<void> {
  const store = await openStore(path);
  const before = process.resourceUsage().maxRSS;
  const results: [string, number, number][] = [];
  for (const [name, question] of Object.entries(QUESTIONS)) {
    const { length } = await question(store);
    results.push([name, length, await times(() => question(store))]);
  }
  await store.close();
  const after = process.resourceUsage().maxRSS;
  console.log(JSON.stringify({ results, beforeMb: before / 1024, afterMb: after / 1024 }));
}

async function main(count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  try {
    const path = join(folder, 'store.db');
    await fill(path, count);
    const floor = await floorOf(path);
    const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url), 'ask', path], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const { results, beforeMb, afterMb } = JSON.parse(child.stdout) as {
      results: [string, number, number][];
      beforeMb: number;
      afterMb: number;
    };
    console.log(`floor: adding up every row, bare engine ${floor.toFixed(1).padStart(9)} ms`);
    for (const [name, rows, ms] of results) {
      const share = (ms / floor).toFixed(4);
      console.log(
        `${name.padEnd(40)} ${ms.toFixed(1).padStart(8)} ms ${`${rows}`.padStart(6)} rows ${share} × floor`,
      );
    }
    console.log(
      `peak memory ${afterMb.toFixed(0)} MB, of which ${beforeMb.toFixed(0)} MB before the first question`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const [first = '1000000', path = ''] = process.argv.slice(2);
await (first === 'ask' ? ask(path) : main(Number(first)));
