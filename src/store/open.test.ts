import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asOther, whyOtherCannotRun } from '../testing/other-account.ts';
import { openStore } from './open.ts';
import { collect, rating, run, session } from './testing/records.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-open-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('the address of a store', () => {
  it('is a path, and everything on the way to it is made', async () => {
    const address = join(root, 'a/b/c #1 100%?.db');
    const store = await openStore(address);
    expect(store.address).toBe(address);
    await store.close();
    expect(existsSync(address)).toBe(true);
  });

  it('may be relative to the current folder', async () => {
    const path = join(root, 'relative.db');
    await (await openStore(relative(process.cwd(), path))).close();
    expect(existsSync(path)).toBe(true);
  });

  it.each([
    ['file:', (path: string) => pathToFileURL(path).href],
    ['file: without slashes', (path: string) => `file:${relative(process.cwd(), path)}`],
    ['sqlite://', (path: string) => `sqlite://${path}`],
    ['sqlite:', (path: string) => `sqlite:${path}`],
    ['sqlite: with a relative path', (path: string) => `sqlite:${relative(process.cwd(), path)}`],
  ])('may be a URL with %s', async (what, addressOf) => {
    const path = join(root, `${what.replaceAll(/\W/g, '')} ü.db`);
    await (await openStore(addressOf(path))).close();
    expect(existsSync(path)).toBe(true);
  });

  it('may be :memory:, which leaves nothing behind', async () => {
    const store = await openStore(':memory:');
    await store.appendSessions([session('a', '1'), session('b', '1')]);
    await store.appendRuns([run('a')]);
    let seen = 0;
    for await (const row of store.readSessions()) {
      seen += 1;
      await store.appendSessions([{ ...row, sessionKey: `${row.sessionKey}+` }]);
    }
    expect(seen).toBe(2);
    expect(await collect(store.readSessions())).toHaveLength(4);
    expect(await store.readRun('a')).toEqual(run('a'));
    await store.close();
    expect(existsSync(':memory:')).toBe(false);
  });

  it.each([
    ['clickhouse://me:secret@host:8123/db', 'STORE_UNREADABLE'],
    ['https://me:secret@host', 'STORE_UNREADABLE'],
    ['postgres://me:secret@host', 'STORE_UNSUPPORTED'],
    ['http://me:secret@host', 'STORE_UNSUPPORTED'],
  ])(
    'is refused when it holds a password or names another kind of store, without repeating it: %s',
    async (address, code) => {
      const error = await openStore(address).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code });
      expect(String(error)).not.toContain('secret');
    },
  );

  it('is refused when no file can be there', async () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    const unreadable = { code: 'STORE_UNREADABLE' };
    await expect(openStore('')).rejects.toMatchObject(unreadable);
    await expect(openStore('a\0b')).rejects.toMatchObject(unreadable);
    await expect(openStore(root)).rejects.toMatchObject({ ...unreadable, message: `${root} is a folder` });
    await expect(openStore(join(file, 'store.db'))).rejects.toMatchObject({
      ...unreadable,
      message: expect.stringMatching(new RegExp(file)),
    });
    await expect(openStore('/dev/null')).rejects.toMatchObject(unreadable);
    await expect(openStore('file://elsewhere/store.db')).rejects.toMatchObject(unreadable);
  });
});

describe('the folder of Assay in a project', () => {
  it('is kept out of git when Assay makes it', async () => {
    const path = join(root, 'project', '.assay/assay.db');
    await (await openStore(path)).close();
    expect(readFileSync(join(path, '../.gitignore'), 'utf8')).toBe('*\n');
  });

  it('is left as it is when it was there before', async () => {
    const path = join(root, 'project with folder', '.assay/assay.db');
    mkdirSync(join(path, '..'), { recursive: true });
    await (await openStore(path)).close();
    expect(readdirSync(join(path, '..'))).toEqual(['assay.db']);
  });
});

it('refuses to work after it was closed', async () => {
  const store = await openStore(join(root, 'closed.db'));
  await store.close();
  await expect(store.readRun('a')).rejects.toMatchObject({
    code: 'INTERNAL',
    message: expect.stringMatching(/closed/),
  });
  await expect(collect(store.readSessions())).rejects.toMatchObject({ code: 'INTERNAL' });
  await expect(store.appendRuns([run('a')])).rejects.toMatchObject({ code: 'INTERNAL' });
});

it('ends a reading that is under way when it is closed', async () => {
  const store = await openStore(join(root, 'closed-while-reading.db'));
  await store.appendSessions([session('a', '1'), session('b', '1')]);
  const rows = store.readSessions()[Symbol.asyncIterator]();
  await rows.next();
  await store.close();
  await expect(rows.next()).rejects.toMatchObject({ code: 'INTERNAL' });
  expect(readdirSync(root).filter((name) => name.startsWith('closed-while-reading'))).toEqual([
    'closed-while-reading.db',
  ]);
});

const READER = fileURLToPath(new URL('sqlite/testing/reader.ts', import.meta.url));

/** Root may do everything, so the reading is done by an account that may not. */
function readAsSomebody(path: string): unknown {
  const options = { ...asOther(), encoding: 'utf8', cwd: '/' } as const;
  const { stdout, stderr } = spawnSync(process.execPath, [READER, path], options);
  return stdout === '' ? stderr : JSON.parse(stdout);
}

describe('permissions', () => {
  chmodSync(root, 0o755);
  const obstacle = whyOtherCannotRun([READER, root]);
  beforeEach((context) => context.skip(obstacle !== undefined, obstacle));
  const folder = join(root, 'permissions');
  const path = join(folder, 'store.db');

  beforeAll(async () => {
    const store = await openStore(path);
    await store.appendRuns([run('a')]);
    await store.appendSessions([session('a', '1')]);
    await store.appendRatings([rating('a')]);
    await store.close();
    chmodSync(path, 0o444);
  });
  afterAll(() => chmodSync(folder, 0o755));

  it('reads a read-only store in a read-only folder, and says that it cannot be written', () => {
    chmodSync(folder, 0o555);
    expect(readAsSomebody(path)).toEqual({ sessions: 1, runs: 1, write: 'STORE_UNREADABLE' });
    expect(readdirSync(folder)).toEqual(['store.db']);
  });

  it('reads a read-only store in a folder where it may make files', () => {
    chmodSync(folder, 0o777);
    expect(readAsSomebody(path)).toEqual({ sessions: 1, runs: 1, write: 'STORE_UNREADABLE' });
  });

  it('says that it cannot open what it may not read or make', () => {
    chmodSync(folder, 0o555);
    expect(readAsSomebody(join(folder, 'new.db'))).toBe('STORE_UNREADABLE');
    expect(readAsSomebody(join(folder, 'new/new.db'))).toBe('STORE_UNREADABLE');
    chmodSync(path, 0o000);
    expect(readAsSomebody(path)).toBe('STORE_UNREADABLE');
  });
});
