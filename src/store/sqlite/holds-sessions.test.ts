import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, it } from 'vitest';
import { openStore } from '../open.ts';
import { at, session } from '../testing/records.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-holds-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

it('holds what was stored until it is replaced, or no longer what was written', async () => {
  const path = join(root, 'store.db');
  const store = await openStore(path);
  await store.appendSessions([
    session('a', '1', { scoredAt: at(1) }),
    session('b', '1', { scoredAt: at(1) }),
  ]);
  const holds = (revision: string) =>
    store.holdsSessions(
      [
        ['a', revision],
        ['b', '1'],
      ],
      at(1),
    );
  expect(await holds('1')).toBe(true);
  await store.appendSessions([session('a', '2', { scoredAt: at(2) })]);
  expect([await holds('1'), await holds('2')]).toEqual([false, true]);
  const damage = (sql: string): void => {
    const database = new DatabaseSync(path);
    database.exec(sql);
    database.close();
  };
  damage("UPDATE session SET facts = x'00' WHERE session_key = 'a'");
  expect(await holds('2')).toBe(false);
  await store.appendSessions([session('a', '2', { scoredAt: at(3) })]);
  expect(await holds('2')).toBe(true);
  damage("UPDATE session SET q = 0.123 WHERE session_key = 'b'");
  expect(await holds('2')).toBe(false);
  await store.close();
});
