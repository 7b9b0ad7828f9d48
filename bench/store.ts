/**
 * How much the store costs over the bare engine: `node bench/store.ts [rows]`. The floor is measured in the same run:
 * the same rows through bare node:sqlite, one prepared insert into one table without indexes in one transaction, values
 * ready made. A ratio of 2 means that the store takes twice as long as the floor.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openStore } from '../src/store/open.ts';
import type { SessionRow } from '../src/store/schema/session.ts';

const COUNT = Number(process.argv[2] ?? 20_000);
// Each round measures its own floor, because a shared machine changes its speed.
const ROUNDS = 7;

const rows = Array.from({ length: COUNT }, (_, i) => makeRow(i));
const columns = Object.keys(makeRow(0));
const values = rows.map((row) =>
  Object.values(row).map((v) => (typeof v === 'object' ? JSON.stringify(v) : v)),
);
const bytes = values.reduce((sum, list) => sum + list.join('').length, 0);

function makeRow(i: number): SessionRow {
  const start = Date.UTC(2026, 0, 1) + i * 60_000;
  return {
    sessionKey: `session-${(i * 2_654_435_761) % 2 ** 32}-${i}`,
    sessionId: `session-${(i * 2_654_435_761) % 2 ** 32}-${i}`,
    revision: i.toString(16).padStart(64, 'f'),
    scoredAt: new Date(start + 3_600_000).toISOString(),
    source: 'claude-code',
    agent: 'main',
    taskType: i % 3 === 0 ? 'coding' : 'chat',
    model: 'model-5',
    startedAt: new Date(start).toISOString(),
    endedAt: new Date(start + 1_800_000).toISOString(),
    q: (i % 100) / 100,
    tier: 'good',
    completion: 0.9,
    execution: 0.8,
    efficiency: 0.7,
    outcome: 0.6,
    coverage: 1,
    inputTokens: 120_000 + i,
    outputTokens: 9_000 + i,
    turns: 12,
    toolCalls: 40,
    toolErrors: 2,
    costUsd: 0.31,
    runs: 1,
    skippedLines: 0,
    scorerVersion: '0.1.0',
    facts: {
      signals: Array.from({ length: 12 }, (_, k) => ({ id: `signal-${k}`, value: k / 12, lines: [k, i] })),
    },
  };
}

async function time(work: () => Promise<unknown> | unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

type Times = { readonly insert: number; readonly read: number };

async function measureFloor(folder: string): Promise<Times> {
  const database = new DatabaseSync(join(folder, 'bare.db'));
  database.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE bare (${columns.join(', ')})`,
  );
  const insert = database.prepare(`INSERT INTO bare VALUES (${columns.map(() => '?').join(', ')})`);
  const times = {
    insert: await time(() => {
      database.exec('BEGIN IMMEDIATE');
      for (const list of values) insert.run(...(list as (string | number)[]));
      database.exec('COMMIT');
    }),
    read: await time(() => {
      for (const row of database.prepare('SELECT * FROM bare').iterate()) JSON.parse(String(row.facts));
    }),
  };
  database.close();
  return times;
}

async function measureStore(folder: string, size: number): Promise<Times & { readonly again: number }> {
  const store = await openStore(join(folder, `${size}.db`));
  const append = async () => {
    for (let i = 0; i < COUNT; i += size) await store.appendSessions(rows.slice(i, i + size));
  };
  const read = async () => {
    let count = 0;
    for await (const _ of store.readSessions()) count += 1;
    if (count !== COUNT) throw new Error(`read ${count} of ${COUNT} rows`);
  };
  const times = { insert: await time(append), again: await time(append), read: await time(read) };
  await store.close();
  return times;
}

const results = new Map<string, { spent: number; floor: number }[]>();

function note(what: string, spent: number, floor: number): void {
  results.set(what, [...(results.get(what) ?? []), { spent, floor }]);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

for (let round = 0; round < ROUNDS; round += 1) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  try {
    const floor = await measureFloor(folder);
    note('floor: bare insert, one transaction', floor.insert, floor.insert);
    const whole = await measureStore(folder, COUNT);
    note('append, one batch', whole.insert, floor.insert);
    const thousand = await measureStore(folder, 1000);
    note('append, batches of 1,000', thousand.insert, floor.insert);
    note('append again, batches of 1,000', thousand.again, floor.insert);
    note('append, batches of 100', (await measureStore(folder, 100)).insert, floor.insert);
    note('floor: bare read', floor.read, floor.read);
    note('read all', whole.read, floor.read);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

console.log(
  `${COUNT.toLocaleString('en')} session rows of ${Math.round(bytes / COUNT)} bytes, median of ${ROUNDS} rounds`,
);
for (const [what, list] of results) {
  const perSecond = Math.round(median(list.map(({ spent }) => (COUNT / spent) * 1000))).toLocaleString('en');
  const ratio = median(list.map(({ spent, floor }) => spent / floor)).toFixed(2);
  console.log(`${what.padEnd(36)} ${perSecond.padStart(9)} rows/s   ${ratio} × floor`);
}
