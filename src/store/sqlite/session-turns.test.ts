import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openStore } from '../open.ts';
import { at, session } from '../testing/records.ts';
import { Connection } from './connection.ts';
import { MIGRATIONS } from './migrations.ts';
import { turnsIn } from './stored-session.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-turns-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const STEP = MIGRATIONS.find(({ name }) => name.startsWith('sessions by their turns'));

/** As it was before that step, where turns are in the packed part of a row only, and then the step. */
function takeStepAgain(path: string): void {
  const connection = new Connection(path, 'write');
  connection.define('turns_in', turnsIn);
  connection.exec('DROP INDEX session_by_turns; ALTER TABLE session DROP COLUMN turns');
  connection.exec(STEP?.sql ?? '');
  connection.close();
}

it('has the sessions of a store from before in the order of their turns', async () => {
  const path = join(root, 'store.db');
  const rows = [3, undefined, 0, 41, 7.5].map((turns, i) =>
    session(`s${i}`, '1', {
      startedAt: at(i),
      endedAt: at(i + 1),
      turns,
    }),
  );
  const before = await openStore(path);
  await before.appendSessions(rows);
  await before.close();
  takeStepAgain(path);
  const store = await openStore(path);
  const longest = await store.listSessions({ order: 'longest' });
  await store.close();
  expect(longest.map(({ sessionKey, turns }) => [sessionKey, turns])).toEqual([
    ['s3', 41],
    ['s4', 7.5],
    ['s0', 3],
    ['s2', 0],
  ]);
});

it('names a session as damaged whose turns are not those that were stored', async () => {
  const path = join(root, 'damaged.db');
  const store = await openStore(path);
  await store.appendSessions([session('a', '1', { turns: 4 })]);
  await store.close();
  const connection = new Connection(path, 'write');
  connection.exec('UPDATE session SET turns = 5');
  connection.close();
  const again = await openStore(path);
  await expect(again.listSessions({ order: 'longest' })).rejects.toMatchObject({ code: 'STORE_CORRUPT' });
  await again.close();
});
