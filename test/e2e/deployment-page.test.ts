/** docs/deployment.md: its commands for backup and restore are run, its table is worked out again. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { capacityTable, MEASURED } from '../../docs/capacity.ts';
import { bareEnv } from '../bare-env.ts';
import { commandFolder } from '../command-folder.ts';
import { LAUNCHER } from '../launcher.ts';

const page = readFileSync('docs/deployment.md', 'utf8');
const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);
const folder = commandFolder();

function run(script: string): string {
  const env = bareEnv(folder.path);
  const { status, stdout, stderr } = spawnSync('sh', ['-ec', script], {
    cwd: folder.path,
    encoding: 'utf8',
    env: { ...env, PATH: [join(folder.path, 'bin'), dirname(process.execPath), env.PATH].join(delimiter) },
  });
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

describe('docs/deployment.md', () => {
  it('has a backup of SQLite that brings everything back', async () => {
    const backup = blocks.find((text) => text.includes('VACUUM INTO')) ?? '';
    const restore = blocks.find((text) => text.includes('cp backup.db')) ?? '';
    mkdirSync(join(folder.path, 'bin'));
    // As `npm link` does it.
    symlinkSync(LAUNCHER, join(folder.path, 'bin/assay'));
    cpSync('examples/session', join(folder.path, 'sessions'), { recursive: true });
    const list = async () =>
      (await folder.assay('sessions', 'list', '--no-sync', '--store', 'assay.db', '--format', 'json')).stdout;
    await folder.assay('sessions', 'score', 'sessions/shop', '--no-git', '--store', 'assay.db');
    const before = await list();
    expect(run(backup)).toContain('ok');
    await folder.assay('sessions', 'score', 'sessions', '--no-git', '--store', 'assay.db');
    expect(await list()).not.toBe(before);
    run(restore);
    expect(await list()).toBe(before);
  });

  it('has the table that its figures give, and states these figures', () => {
    expect(page).toContain(capacityTable());
    expect(page).toContain(`${MEASURED.processorMs} ms of all threads`);
    expect(page).toContain(`| of it the thread that answers | ${MEASURED.answeringMs} ms |`);
    expect(page).toContain('1,000 bytes');
  });

  it('names only files that are there', () => {
    for (const [, path = ''] of page.matchAll(/`((?:deploy|test|src|docs|bench)\/[\w./-]+)`/g))
      expect(existsSync(path), path).toBe(true);
  });
});
