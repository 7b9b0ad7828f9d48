import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AssayError } from '../../errors.ts';
import { openStore } from '../open.ts';
import type { Store } from '../store.ts';
import { alert, approval, collect, denseText, rating, run, session } from '../testing/records.ts';
import { APPLICATION_ID, MIGRATIONS } from './schema.ts';
import { openSqliteStore } from './sqlite-store.ts';
import { startWriter } from './testing/processes.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-damage-'));
const intact = join(root, 'intact.db');
let count = 0;

beforeAll(async () => {
  const store = await openStore(intact);
  const ids = Array.from({ length: 200 }, (_, i) => String(i));
  await store.appendSessions(ids.map((id) => session(id, '1', { facts: { text: 'x'.repeat(500) } })));
  await store.appendRuns(ids.slice(0, 20).map((id) => run(id)));
  await store.appendRatings([rating('a')]);
  await store.appendApprovals([approval('a')]);
  await store.appendAlerts([alert('a')]);
  await store.close();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A copy of the intact store in a folder of its own. */
function copy(): string {
  const folder = join(root, `copy-${count++}`);
  mkdirSync(folder);
  copyFileSync(intact, join(folder, 'store.db'));
  return join(folder, 'store.db');
}

function execute(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

/** Name and content of everything in the folder of the file. */
function folderOf(path: string): [string, string][] {
  const folder = join(path, '..');
  return readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString('base64')]);
}

async function withStore<T>(path: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(path);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function readEverything(path: string): Promise<void> {
  const store = await openStore(path);
  try {
    await collect(store.readSessions());
    for (const { runId } of await store.listRuns()) await store.readRun(runId);
    await store.readRatings();
    await store.readApprovals();
    await store.readAlerts();
    await store.trackAlerts({ now: '2026-01-01' });
    await store.readFeedback();
    await store.listSessions();
    await store.sessionRollup({ by: ['taskType'], bucket: 'day', histograms: true });
    await store.sessionRollup({ by: ['project', 'model'] });
  } finally {
    await store.close();
  }
}

describe('a file that is not a store of this version', () => {
  it.each<[string, (path: string) => void]>([
    [
      'a text',
      (path) => writeFileSync(path, 'not a database, but long enough to be taken for one '.repeat(100)),
    ],
    [
      'the database of somebody else',
      (path) => {
        rmSync(path);
        execute(path, 'CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)');
      },
    ],
    ['a database with another application id', (path) => execute(path, 'PRAGMA application_id = 7')],
    ['a store without its list of migrations', (path) => execute(path, 'DELETE FROM migration')],
    [
      'a store with a gap in its list of migrations',
      (path) => execute(path, 'UPDATE migration SET number = 2 WHERE number = 1'),
    ],
  ])('is refused and left alone: %s', async (_what, change) => {
    const path = copy();
    change(path);
    const before = folderOf(path);
    await expect(openStore(path)).rejects.toMatchObject({
      code: 'STORE_CORRUPT',
      message: expect.stringMatching(new RegExp(path)),
    });
    expect(folderOf(path)).toEqual(before);
  });

  it('is refused and left alone: a store of a newer version', async () => {
    const path = copy();
    execute(
      path,
      `INSERT INTO migration VALUES (${MIGRATIONS.length + 1}, 'from the future', '2030-01-01T00:00:00.000Z')`,
    );
    const before = folderOf(path);
    await expect(openStore(path)).rejects.toMatchObject({
      code: 'STORE_NEWER',
      message: expect.stringMatching(new RegExp(path)),
    });
    expect(folderOf(path)).toEqual(before);
  });

  it('is refused and left alone: a newer store whose last writer was killed', async () => {
    const path = copy();
    const writer = startWriter('newer', path);
    await writer.said('migrated');
    await writer.kill();
    // SQLite rebuilds -shm, its index of the log; the two files that hold data stay as they are.
    const data = () => folderOf(path).filter(([name]) => !name.endsWith('-shm'));
    const before = data();
    expect(before.map(([name]) => name)).toEqual(['store.db', 'store.db-wal']);
    await expect(openStore(path)).rejects.toMatchObject({ code: 'STORE_NEWER' });
    expect(data()).toEqual(before);
  });

  it('is not written any more once a newer version has migrated it', async () => {
    const path = copy();
    const store = await openStore(path);
    execute(
      path,
      `INSERT INTO migration VALUES (${MIGRATIONS.length + 1}, 'from the future', '2030-01-01T00:00:00.000Z')`,
    );
    await expect(store.appendRatings([rating('b')])).rejects.toMatchObject({ code: 'STORE_NEWER' });
    expect(await store.readRatings()).toEqual([rating('a')]);
    await store.close();
  });

  it('becomes a store if it is empty', async () => {
    const path = copy();
    truncateSync(path);
    await readEverything(path);
    const database = new DatabaseSync(path);
    expect(database.prepare('PRAGMA application_id').get()?.application_id).toBe(APPLICATION_ID);
    database.close();
  });
});

describe('a damaged store', () => {
  it.each<[string, string]>([
    ['a number', 'UPDATE session SET q = 9e999'],
    ['a rating', `UPDATE rating SET body = replace(body, '0.5', '0.75')`],
    ['an approval', `UPDATE approval SET run_id = 'another'`],
    ['a body', `UPDATE alert SET body = '{'`],
    ['a measurement', `UPDATE run SET body = replace(body, '0.75', '0.76')`],
    ['cases', `UPDATE run SET cases = CAST(substr(cases, 1, length(cases) - 4) AS BLOB)`],
    ['the time of a run', `UPDATE run SET at = '2020-01-01T00:00:00.000Z'`],
    ['a table that is gone', 'DROP TABLE alert'],
    ['names that are gone', 'DELETE FROM session_group'],
    ['facts that are gone', 'DELETE FROM session_facts WHERE session = 7'],
    ['facts of another form', `UPDATE session_facts SET facts = CAST('{' AS BLOB)`],
    [
      'a byte of facts',
      `UPDATE session_facts SET facts = CAST(substr(facts, 1, length(facts) - 4) || x'00000000' AS BLOB) WHERE session = 7`,
    ],
  ])('is recognised by its content: %s', async (_what, sql) => {
    const path = copy();
    execute(path, sql);
    await expect(readEverything(path)).rejects.toMatchObject({
      code: 'STORE_CORRUPT',
      message: expect.stringMatching(new RegExp(path)),
    });
  });

  it('names the session that is damaged, gives the others, and takes it anew when it is scored again', async () => {
    const path = copy();
    execute(
      path,
      `UPDATE session_facts SET facts = CAST('{}' AS BLOB) WHERE session = (SELECT id FROM session WHERE session_key = '8')`,
    );
    await withStore(path, async (store) => {
      const damage: AssayError[] = [];
      const others = await collect(store.readSessions({ onDamage: (error) => damage.push(error) }));
      expect(others).toHaveLength(199);
      expect(damage).toMatchObject([
        {
          code: 'STORE_CORRUPT',
          message: expect.stringMatching(/session with the key "8"/),
          remedy: expect.stringContaining('Score its transcript again'),
        },
      ]);
      const eight = session('8', '1', { facts: { text: 'x'.repeat(500) } });
      await store.appendSessions([{ ...eight, scoredAt: '2027-01-01T00:00:00.000Z' }]);
      expect(await collect(store.readSessions())).toHaveLength(200);
      expect((await store.sessionRollup())[0]?.sessions).toBe(200);
    });
  });

  it('is recognised when pages in the middle are overwritten', async () => {
    const path = copy();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xab, bytes.length / 4, bytes.length / 2));
    await expect(readEverything(path)).rejects.toMatchObject({ code: 'STORE_CORRUPT' });
  });

  it('is recognised when the end of the file is missing', async () => {
    const path = copy();
    truncateSync(path, 10 * 4096 + 17);
    await expect(readEverything(path)).rejects.toMatchObject({ code: 'STORE_CORRUPT' });
  });

  it('gives an answer or a store error, whatever bytes are flipped', async () => {
    const bytes = readFileSync(intact);
    const flips = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 })), {
      minLength: 1,
      maxLength: 9,
    });
    const inHeader = fc.array(fc.tuple(fc.nat(200), fc.integer({ min: 1, max: 255 })), {
      minLength: 1,
      maxLength: 2,
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(flips, inHeader), async (changes) => {
        const path = copy();
        const damaged = Buffer.from(bytes);
        for (const [at, change] of changes) damaged[at] = (damaged[at] ?? 0) ^ change;
        writeFileSync(path, damaged);
        const outcome = await readEverything(path).catch((error: unknown) => error);
        if (outcome !== undefined) {
          expect(outcome).toBeInstanceOf(AssayError);
          expect((outcome as AssayError).code).toMatch(/^STORE_(CORRUPT|NEWER|UNREADABLE)$/);
        }
        rmSync(join(path, '..'), { recursive: true });
      }),
      { numRuns: 100 },
    );
  });
});

describe('a full disk', () => {
  it('refuses the batch, keeps what was stored before, and goes on with what fits', async () => {
    const path = copy();
    const store = await openSqliteStore(path, path, { maxPages: 100 });
    const rows = Array.from({ length: 1000 }, (_, i) =>
      session(`new ${i}`, '1', { facts: denseText(1000, i) }),
    );
    await expect(store.appendSessions(rows)).rejects.toMatchObject({
      code: 'STORE_FULL',
      message: expect.stringMatching(new RegExp(path)),
    });
    expect(await collect(store.readSessions())).toHaveLength(200);
    expect(await store.appendSessions(rows.slice(0, 3))).toEqual({ added: 3, known: 0 });
    await store.close();
    await readEverything(path);
  });
});
