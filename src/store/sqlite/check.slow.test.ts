/** Stores are really damaged: rows by SQL, and bytes of the file. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultPorts } from '../../operations/default-ports.ts';
import { checkStore } from '../../operations/store/check-store.ts';
import { openStore } from '../open.ts';
import {
  alert,
  alertEvent,
  at,
  attempt,
  decomposition,
  decompositionText,
  delivery,
  hashed,
  rating,
  run,
  session,
} from '../testing/records.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-check-test-'));
const intact = join(folder, 'intact.db');
let count = 0;

beforeAll(async () => {
  const store = await openStore(intact);
  const ids = Array.from({ length: 60 }, (_, i) => `s${i}`);
  await store.appendSessions(
    ids.map((id, i) =>
      hashed(session(id, '', { q: 0.5, startedAt: at(i), facts: { text: `${i}`.repeat(300) } })),
    ),
  );
  await store.appendRuns([run('r')]);
  await store.appendRatings([rating('a'), rating('b')]);
  await store.appendAlerts([alert('al')]);
  await store.appendAlertEvents([alertEvent('ev', { alertId: 'al' })]);
  await store.appendDeliveries([delivery('d')]);
  await store.appendDeliveryAttempts([attempt('at', { deliveryId: 'd' })]);
  await store.appendDecompositions(
    ids.map((id, i) => decomposition(id, { at: at(i), costUsd: 0.1 })),
    [decompositionText('s1')],
  );
  await store.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function copy(): string {
  const path = join(folder, `copy-${count++}.db`);
  copyFileSync(intact, path);
  return path;
}

async function faultsOf(path: string) {
  return (await checkStore(path, defaultPorts())).damages;
}

describe('a store that is checked', () => {
  it('is whole as it was written', async () => {
    const check = await checkStore(intact, defaultPorts());
    expect(check.damages).toEqual([]);
    // 60 + 1 + 2 + 1 + 1 + 1 + 1 + 60 + 1.
    expect(check.records).toBe(128);
  });

  it.each<[sql: string, table: string, key: RegExp, what: RegExp]>([
    ["UPDATE run SET body = replace(body, '0.75', '0.9')", 'runs', /^r$/, /content_hash/],
    ["UPDATE run SET cases = x'00'", 'runs', /^r$/, /run.cases/],
    ["UPDATE rating SET author = 'me' WHERE rating_id = 'b'", 'ratings', /^b$/, /content_hash/],
    ['DELETE FROM alert', 'alert_event', /^ev$/, /its alert is missing/],
    ['DELETE FROM delivery', 'delivery_attempt', /^at$/, /its delivery is missing/],
    ["DELETE FROM decomposition WHERE id = 's1'", 'decomposition_text', /^s1$/, /request of this text/],
    [
      "UPDATE session SET q = 0.6 WHERE session_key = 's7'",
      'sessions',
      /^s7$/,
      /differs from what was stored/,
    ],
    ["UPDATE session_facts SET facts = x'00' WHERE session = 8", 'sessions', /^s7$/, /session.facts/],
    ['DELETE FROM session_group', 'sessions', /^s/, /session\./],
  ])('names what is damaged after %s', async (sql, table, key, what) => {
    const path = copy();
    const database = new DatabaseSync(path);
    database.exec(sql);
    database.close();
    const faults = await faultsOf(path);
    const found = faults.find((one) => one.table === table && what.test(one.what));
    expect(found, JSON.stringify(faults.slice(0, 5))).toBeDefined();
    if (found?.key !== undefined) expect(found.key).toMatch(key);
    expect(found?.remedy).toMatch(/backup|Score|prune|copy/);
  });

  it('tells damage wherever bytes of the file are overwritten', async () => {
    const bytes = readFileSync(intact);
    const pages = Math.floor(bytes.length / 4096);
    for (const page of [1, Math.floor(pages / 3), Math.floor(pages / 2), pages - 2]) {
      const path = copy();
      const damaged = Buffer.from(bytes);
      damaged.fill(0xa5, page * 4096, (page + 1) * 4096);
      writeFileSync(path, damaged);
      expect((await faultsOf(path)).length, `page ${page}`).toBeGreaterThan(0);
    }
  });

  it('is not looked into where it is none, or has to be migrated first', async () => {
    await expect(checkStore(join(folder, 'none.db'), defaultPorts())).rejects.toMatchObject({
      code: 'STORE_UNREADABLE',
      message: expect.stringMatching(/There is no store/),
    });
  });
});
