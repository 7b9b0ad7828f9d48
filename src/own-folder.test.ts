import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from './config.ts';
import { hasConsent, rememberConsent } from './operations/session/model-consent.ts';
import { isOwnFolder, makeGuardedFolder, makeOwnFolder, userCacheFolder } from './own-folder.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-own-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const mode = (path: string) => statSync(path).mode & 0o777;
/** Only root can give a file away. */
const asRoot = it.skipIf(process.geteuid?.() !== 0);
const SOMEBODY = 54_321;

/** A folder as another account leaves it for us, in three ways. */
const PLANTED: [string, (path: string) => void][] = [
  [
    'that all may write to',
    (path) => {
      mkdirSync(path);
      chmodSync(path, 0o777);
    },
  ],
  [
    'that is a link',
    (path) => {
      mkdirSync(`${path}-elsewhere`, { mode: 0o700 });
      symlinkSync(`${path}-elsewhere`, path);
    },
  ],
];

describe('a folder of one’s own', () => {
  it('is made for its owner alone', () => {
    const path = join(root, 'a', 'b');
    expect(makeOwnFolder(path)).toBe(true);
    expect(mode(path)).toBe(0o700);
    expect(makeOwnFolder(path)).toBe(true);
  });

  it.each(PLANTED)('is not one %s', (_, plant) => {
    const path = join(root, 'planted');
    plant(path);
    expect([isOwnFolder(path), makeOwnFolder(path)]).toEqual([false, false]);
  });

  asRoot('is not one that belongs to another user', () => {
    const path = join(root, 'planted');
    mkdirSync(path, { mode: 0o700 });
    chownSync(path, SOMEBODY, SOMEBODY);
    expect([isOwnFolder(path), makeOwnFolder(path)]).toEqual([false, false]);
  });

  it('is not one that others can put another folder in the place of', () => {
    const shared = join(root, 'shared');
    mkdirSync(shared);
    chmodSync(shared, 0o777);
    const path = join(shared, 'a', 'b');
    expect([makeOwnFolder(path), makeGuardedFolder(path)]).toEqual([true, false]);
    // As in `/tmp`: only the owner of an entry may rename it.
    chmodSync(shared, 0o1777);
    expect(makeGuardedFolder(path)).toBe(true);
  });

  asRoot.each([0o755, 0o1777])(
    'is not one below a folder of somebody else (%o), who may rename it',
    (bits) => {
      const theirs = join(root, 'theirs');
      mkdirSync(theirs);
      chownSync(theirs, SOMEBODY, SOMEBODY);
      chmodSync(theirs, bits);
      const path = join(theirs, 'a', 'b');
      expect([makeOwnFolder(path), makeGuardedFolder(path)]).toEqual([true, false]);
    },
  );

  it('is never looked for relative to where one stands', () => {
    expect(userCacheFolder({ HOME: '/home/ada', XDG_CACHE_HOME: 'cache' })).toBe('/home/ada/.cache/assay');
    expect(userCacheFolder({ HOME: '/home/ada', XDG_CACHE_HOME: '/c' })).toBe('/c/assay');
  });
});

describe('the consent to send digests to a model', () => {
  it('is not taken from a folder that others may write to', () => {
    const folder = join(root, 'config');
    expect(rememberConsent(folder, 'openai')).toBe(true);
    expect(hasConsent(folder, 'openai')).toBe(true);
    chmodSync(folder, 0o777);
    expect(hasConsent(folder, 'openai')).toBe(false);
  });
});

describe('a configuration that nobody named', () => {
  const write = (path: string) => writeFileSync(path, 'export default { store: "planted.db" };');

  it('is not run when all may write to it, unless it is named', async () => {
    const path = join(root, 'assay.config.js');
    write(path);
    chmodSync(path, 0o666);
    await expect(loadConfig(root)).rejects.toMatchObject({ code: 'CONFIG_UNREADABLE' });
    expect((await loadConfig(root, { file: path })).config.store).toBe('planted.db');
  });

  asRoot('is not run when somebody else put it further up', async () => {
    const folder = join(root, 'mine');
    mkdirSync(folder);
    const path = join(root, 'assay.config.js');
    write(path);
    chownSync(path, SOMEBODY, SOMEBODY);
    await expect(loadConfig(folder)).rejects.toMatchObject({
      message: expect.stringContaining('belongs to another user'),
    });
    chownSync(folder, SOMEBODY, SOMEBODY);
    // Whoever works in the folder of somebody else works by their settings.
    expect((await loadConfig(folder)).config.store).toBe('planted.db');
  });
});
