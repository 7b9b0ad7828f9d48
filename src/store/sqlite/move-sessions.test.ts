import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { openStore } from '../open.ts';
import { SessionModel } from '../testing/model.ts';
import { at, collect, session } from '../testing/records.ts';
import { defineChecksum } from './checksum.ts';
import { Connection } from './connection.ts';
import { plainFacts } from './deflated-facts.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations.ts';
import { isMoving, moveSome } from './move-sessions.ts';
import { columnName } from './table.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-move-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** How many steps led to rows that were not small yet. */
const BEFORE = MIGRATIONS.findIndex(({ moves }) => moves);

const ROWS = Array.from({ length: 60 }, (_, i) => [
  session(`s${i}`, 'f'.repeat(64), {
    startedAt: at(i),
    endedAt: at(i + 9),
    project: `/p${i % 7}`,
    q: i / 60,
    costUsd: i,
    roi: 1 / 60,
  }),
  session(`s${i}`, 'b', {
    scoredAt: at(i),
    startedAt: at(i),
    q: i / 70,
    taskType: 'chat',
    facts: { runs: [{ turns: i }] },
  }),
]).flat();

/** A store as the version before left it: of each session the revision `b` is current, except of the first. */
function before(name: string): string {
  const path = join(root, name);
  const connection = new Connection(path, 'write');
  migrate(connection, MIGRATIONS.slice(0, BEFORE));
  for (const { facts, ...row } of ROWS) {
    const current = Number((row.revision === 'b') !== (row.sessionKey === 's0'));
    const json = JSON.stringify(facts);
    const columns = [...Object.keys(row).map(columnName), 'current'];
    const values = [...Object.values(row), current] as (string | number)[];
    const names = [...columns, 'checksum', 'facts_checksum', 'facts'];
    connection.run(`INSERT INTO session (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`, [
      ...values,
      defineChecksum(columns)(values),
      crc32(json),
      plainFacts(json),
    ]);
  }
  connection.close();
  return path;
}

it('gives every session of the layout before as it was, with its sums', async () => {
  const store = await openStore(before('whole.db'));
  try {
    const model = new SessionModel();
    model.append(ROWS);
    expect(await collect(store.readSessions())).toEqual(model.current());
    for (const by of [[], ['project'], ['taskType', 'project']] as const)
      expect(await store.sessionRollup({ by, histograms: true })).toEqual(
        model.rollup({ by, histograms: true }),
      );
  } finally {
    await store.close();
  }
});

it('goes on where it was interrupted', async () => {
  const path = before('interrupted.db');
  const connection = new Connection(path, 'write');
  migrate(connection);
  for (const most of [50, 1]) connection.transaction(() => moveSome(connection, most));
  expect(isMoving(connection)).toBe(true);
  connection.close();
  const store = await openStore(path);
  try {
    const model = new SessionModel();
    model.append(ROWS);
    expect(await collect(store.readSessions())).toEqual(model.current());
    expect(await store.sessionRollup({ by: ['project'] })).toEqual(model.rollup({ by: ['project'] }));
  } finally {
    await store.close();
  }
});

it('names what was damaged before as damaged', async () => {
  const path = before('damaged.db');
  const connection = new Connection(path, 'write');
  connection.exec(`
    UPDATE session SET q = 0.5 WHERE session_key = 's7';
    UPDATE session SET scored_at = 'never' WHERE session_key = 's8';
    UPDATE session SET facts = x'00' WHERE session_key = 's9';
  `);
  connection.close();
  const store = await openStore(path);
  try {
    const damage: string[] = [];
    const whole = await collect(store.readSessions({ onDamage: ({ message }) => damage.push(message) }));
    expect(whole).toHaveLength(57);
    expect(damage).toHaveLength(3);
    for (const name of ['"s7"', '"s8"', '"s9"']) expect(damage.join()).toContain(name);
  } finally {
    await store.close();
  }
});
