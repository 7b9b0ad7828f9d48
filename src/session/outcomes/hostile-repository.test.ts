import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { did } from '../fold/testing/fold-events.ts';
import { judgeWork } from './judge-work.ts';
import {
  days,
  hours,
  type ScratchRepository,
  scratchFolder,
  scratchRepository,
  sessionAt,
} from './testing/scratch-repository.ts';
import type { WorkOutcome } from './work-outcome.ts';

const LINES = ['export const first = "one of the lines";', 'export const second = "another of the lines";'];

function worked(path?: string): ScratchRepository {
  const repository = scratchRepository(path);
  repository.write('a.txt', ['It was here before']);
  repository.commit('Begin', hours(0));
  repository.write('src/app.js', LINES);
  repository.commit('Add lines', hours(3));
  repository.commit('Later', days(9));
  return repository;
}

async function judgedIn(
  folder: string,
  {
    to = folder,
    environment = process.env,
    timeMs,
  }: { to?: string; environment?: Record<string, string | undefined>; timeMs?: number } = {},
): Promise<WorkOutcome> {
  const write = did('Write', { file_path: join(folder, 'src/app.js'), content: LINES.join('\n') }, true);
  const session = sessionAt('the-session', folder, hours(2), ...write);
  const rows = await judgeWork([{ key: session.sessionId, facts: session }], {
    places: [{ to }],
    environment,
    timeMs,
  });
  return rows.get('the-session') as WorkOutcome;
}

/** Everything in a folder, with size and time. */
function snapshot(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const { size, mtimeMs } = statSync(join(folder, name));
      return `${name} ${size} ${mtimeMs}`;
    });
}

describe('a repository with a hostile configuration', () => {
  it('runs nothing that it names, and is not changed', async () => {
    const repository = worked();
    const marks = scratchFolder();
    const trap = join(marks, 'trap.sh');
    writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> "${marks}/sprung"\ncat\n`);
    chmodSync(trap, 0o755);
    const { git, path } = repository;
    git('config', 'core.fsmonitor', trap);
    git('config', 'core.pager', trap);
    git('config', 'pager.log', trap);
    git('config', 'core.sshCommand', trap);
    git('config', 'core.askPass', trap);
    git('config', 'core.gitProxy', trap);
    git('config', 'core.alternateRefsCommand', trap);
    git('config', 'diff.external', trap);
    git('config', 'diff.trap.command', trap);
    git('config', 'diff.trap.textconv', trap);
    git('config', 'filter.trap.clean', trap);
    git('config', 'filter.trap.smudge', trap);
    git('config', 'filter.trap.process', trap);
    git('config', 'log.showSignature', 'true');
    git('config', 'gpg.program', trap);
    git('config', 'alias.log', `!${trap}`);
    git('config', 'credential.helper', trap);
    git('config', 'remote.origin.url', `ext::${trap}`);
    git('config', 'remote.origin.uploadpack', trap);
    git('config', 'remote.origin.promisor', 'true');
    git('config', 'extensions.partialClone', 'origin');
    git('config', 'core.hooksPath', marks);
    for (const hook of [
      'post-checkout',
      'post-index-change',
      'fsmonitor-watchman',
      'reference-transaction',
      'pre-auto-gc',
    ])
      execFileSync('cp', [trap, join(marks, hook)]);
    mkdirSync(join(path, '.git/info'), { recursive: true });
    writeFileSync(join(path, '.git/info/attributes'), '* diff=trap filter=trap\n');
    writeFileSync(join(path, '.gitattributes'), '* diff=trap filter=trap\n');
    const before = snapshot(path);
    const environment = {
      ...process.env,
      GIT_EXTERNAL_DIFF: trap,
      GIT_PAGER: trap,
      GIT_SSH_COMMAND: trap,
      GIT_DIR: '/nowhere',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'diff.external',
      GIT_CONFIG_VALUE_0: trap,
    };
    expect(await judgedIn(path, { environment })).toMatchObject({ state: 'on-default', linesSurviving: 2 });
    expect(existsSync(join(marks, 'sprung'))).toBe(false);
    expect(snapshot(path)).toEqual(before);
    // Plain git, without Assay's settings, does run it.
    git('log', '-p', '--ext-diff', '-2');
    expect(existsSync(join(marks, 'sprung'))).toBe(true);
  });

  it('asks nobody for objects that are missing', async () => {
    const repository = worked();
    const marks = scratchFolder();
    const trap = join(marks, 'trap.sh');
    writeFileSync(trap, `#!/bin/sh\ntouch "${marks}/sprung"\n`);
    chmodSync(trap, 0o755);
    const blob = repository.git('rev-parse', 'HEAD:src/app.js');
    rmSync(join(repository.path, '.git/objects', blob.slice(0, 2), blob.slice(2)), { force: true });
    for (const url of [`ext::${trap}`, join(marks, 'other')]) {
      repository.git('config', 'remote.origin.url', url);
      repository.git('config', 'remote.origin.uploadpack', trap);
      repository.git('config', 'remote.origin.promisor', 'true');
      repository.git('config', 'extensions.partialClone', 'origin');
      const row = await judgedIn(repository.path);
      expect(row).toMatchObject({ state: 'unknown', reason: expect.stringContaining('could not be read') });
    }
    expect(existsSync(join(marks, 'sprung'))).toBe(false);
  });

  it('may have names that look like options', async () => {
    const folder = scratchFolder();
    const repository = worked(join(folder, '--upload-pack=x'));
    const names = ['-p', 'src/--output=pwned', ':(exclude)src'];
    const line = 'a line that stands in a file with an odd name';
    for (const name of names) repository.write(name, [line]);
    repository.commit('Odd names', days(10));
    const writes = names.flatMap((name) =>
      did('Write', { file_path: join(repository.path, name), content: line }, true),
    );
    const session = sessionAt('odd-session', repository.path, days(10) - 1_000, ...writes);
    const rows = await judgeWork([{ key: session.sessionId, facts: session }], {
      places: [],
      environment: process.env,
    });
    expect(rows.get('odd-session')).toMatchObject({ state: 'on-default', linesOnDefault: 3 });
    expect(existsSync(join(repository.path, 'pwned'))).toBe(false);
  });
});

describe('a place that cannot be asked', () => {
  const unknown = (reason: string) => ({ state: 'unknown', reason: expect.stringContaining(reason) });

  it('is said to be without git', async () => {
    const { path } = worked();
    expect(await judgedIn(path, { environment: { PATH: scratchFolder() } })).toMatchObject(
      unknown('git program was not found'),
    );
  });

  it('is said to be shallow, a file, no repository, empty or not there', async () => {
    const repository = worked();
    const folder = scratchFolder();
    const bundle = join(folder, 'app.bundle');
    repository.git('bundle', 'create', '-q', bundle, '--all');
    const shallow = join(folder, 'shallow');
    repository.git('clone', '-q', '--depth=1', `file://${repository.path}`, shallow);
    const empty = scratchRepository(join(folder, 'empty'));
    const plain = join(folder, 'plain');
    mkdirSync(plain);
    for (const [to, reason] of [
      [shallow, 'shallow clone'],
      [bundle, 'is a file'],
      [plain, 'no git repository'],
      [empty.path, 'no commits yet'],
      [join(folder, 'nowhere'), 'does not exist'],
    ] as const)
      expect(await judgedIn(repository.path, { to })).toMatchObject(unknown(reason));
  });

  it('is said to be damaged', async () => {
    const repository = worked();
    const tree = repository.git('rev-parse', 'HEAD~1^{tree}');
    const object = join(repository.path, '.git/objects', tree.slice(0, 2), tree.slice(2));
    chmodSync(object, 0o644);
    writeFileSync(object, 'not an object');
    expect(await judgedIn(repository.path)).toMatchObject(unknown('could not be read'));
    rmSync(join(repository.path, '.git/HEAD'));
    expect(await judgedIn(repository.path)).toMatchObject(unknown('no git repository'));
  });

  it('is given up when it takes too long', async () => {
    const { path } = worked();
    expect(await judgedIn(path, { timeMs: 0 })).toMatchObject(unknown('too long'));
  });

  it.runIf(process.getuid?.() === 0)('is said to be has another owner', async () => {
    const { path } = worked();
    execFileSync('chown', ['-R', '65534:65534', path]);
    const environment = { ...process.env, HOME: scratchFolder() };
    expect(await judgedIn(path, { environment })).toMatchObject(unknown('has another owner'));
  });
});
