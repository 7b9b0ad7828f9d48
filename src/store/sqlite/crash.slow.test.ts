import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { seededByRun } from '../../testing/seed.ts';
import { openStore } from '../open.ts';
import type { Store } from '../store.ts';
import { collect } from '../testing/records.ts';
import { startWriter } from './testing/processes.ts';
import { BATCH } from './testing/writer-batch.ts';

const chance = seededByRun();
const root = mkdtempSync(join(tmpdir(), 'assay-crash-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

it('keeps every acknowledged batch and no half batch when writers are killed at any moment', async () => {
  const path = join(root, 'forever.db');
  const acknowledged: string[] = [];
  for (let round = 0; round < 8; round += 1) {
    const writers = ['a', 'b'].map((name) => ({ name, ...startWriter('forever', path, `${round}${name}`) }));
    await Promise.all(
      writers.map(async ({ name, ...writer }) => {
        // In every other round not before something was acknowledged, however slow the machine is.
        await writer.said(round % 2 === 0 ? 'ready' : `${round}${name}/0`);
        await sleep(chance.below(250));
        await writer.kill();
      }),
    );
    acknowledged.push(...writers.flatMap((writer) => writer.lines.filter((line) => line !== 'ready')));
  }
  const store = await openStore(path);
  for (const stored of [await sessionBatches(store), await runBatches(store)]) {
    expect([...stored.values()].filter((count) => count !== BATCH)).toEqual([]);
    expect(acknowledged.filter((batch) => !stored.has(batch))).toEqual([]);
    // Only the batch that was under way may be there without having been acknowledged: one per writer.
    expect(stored.size - acknowledged.length).toBeLessThanOrEqual(16);
  }
  const sessions = await collect(store.readSessions());
  expect((await store.sessionRollup())[0]?.sessions).toBe(sessions.length);
  await store.close();
  expect(integrity(path)).toBe('ok');
  expect(acknowledged.length).toBeGreaterThan(0);
});

it('stores a big batch whole or not at all when it is killed halfway', async () => {
  const path = join(root, 'big.db');
  await (await openStore(path)).close();
  let interrupted = 0;
  for (let round = 0; round < 3; round += 1) {
    const writer = startWriter('big', path, `${round}`, '12000');
    await writer.said('begun');
    // The log grows while the batch is not yet committed; it is cut off somewhere on the way.
    const cut = statSync(`${path}-wal`).size + chance.below(20 * 2 ** 20) + 2 ** 20;
    while (statSync(`${path}-wal`).size < cut && !writer.lines.includes('stored 12000')) await sleep(1);
    await writer.kill();
    const acknowledged = writer.lines.includes('stored 12000');
    interrupted += acknowledged ? 0 : 1;
    const store = await openStore(path);
    const stored = (await sessionBatches(store)).get(`${round}`) ?? 0;
    await store.close();
    expect(acknowledged ? [12_000] : [0, 12_000]).toContain(stored);
  }
  expect(interrupted).toBeGreaterThan(0);
  expect(integrity(path)).toBe('ok');
});

it('opens a store whose creator was killed while creating it', async () => {
  for (let round = 0; round < 10; round += 1) {
    const folder = join(root, `new-${round}`);
    mkdirSync(folder);
    const writer = startWriter('forever', join(folder, 'store.db'), 'a');
    await writer.said('ready');
    await sleep(chance.below(15));
    await writer.kill();
    const store = await openStore(join(folder, 'store.db'));
    const stored = await runBatches(store);
    expect(writer.lines.filter((line) => line !== 'ready' && !stored.has(line))).toEqual([]);
    await store.close();
    expect(integrity(join(folder, 'store.db'))).toBe('ok');
  }
});

async function sessionBatches(store: Store): Promise<Map<string, number>> {
  return countByBatch((await collect(store.readSessions())).map((row) => row.sessionId));
}

async function runBatches(store: Store): Promise<Map<string, number>> {
  const ids = (await store.listRuns()).map((summary) => summary.runId);
  for (const id of ids) expect((await store.readRun(id))?.cases).toHaveLength(2);
  return countByBatch(ids);
}

/** `batch/row` → how many rows of each batch there are. */
function countByBatch(ids: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) {
    const batch = id.slice(0, id.lastIndexOf('/'));
    counts.set(batch, (counts.get(batch) ?? 0) + 1);
  }
  return counts;
}

function integrity(path: string): unknown {
  const database = new DatabaseSync(path);
  try {
    return database.prepare('PRAGMA integrity_check').get()?.integrity_check;
  } finally {
    database.close();
  }
}
