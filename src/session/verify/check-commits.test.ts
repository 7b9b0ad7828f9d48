import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  hours,
  type ScratchRepository,
  scratchFolder,
  scratchRepository,
} from '../outcomes/testing/scratch-repository.ts';
import { type CheckOptions, checkCommits } from './check-commits.ts';

const CHECK = 'sh check.sh';

async function verified(
  repository: ScratchRepository,
  sessions: readonly (readonly string[])[],
  options: Partial<CheckOptions> = {},
) {
  const works = sessions.map((commits, i) => ({ key: String(i), repository: repository.path, commits }));
  const checked = await checkCommits(
    works,
    {
      command: CHECK,
      timeMs: 120_000,
      runs: 1,
      parallel: 2,
      environment: process.env,
      allowed: [],
      signal: new AbortController().signal,
      cache: new Map(),
      onChecked: () => {},
      ...options,
    },
    () => new Date(0),
  );
  const all = [...checked.verifications.values()];
  return { ...checked, results: all.map(({ result }) => result), reasons: all.map(({ reason }) => reason) };
}

/** Each state is a commit on top of the previous one. */
function committed(...states: readonly Readonly<Record<string, readonly string[]>>[]) {
  const repository = scratchRepository();
  const commits = states.map((files, i) => {
    for (const [name, lines] of Object.entries(files)) repository.write(name, lines);
    return repository.commit(`Commit ${i}`, hours(i));
  });
  return { repository, commits };
}

const check = (command: string) => ({ 'check.sh': [command] });
const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith('assay-verify-'));

describe('the check of a project, before and after commits', () => {
  it('was fixed, kept green, broken or stayed red, and each tree is checked once', async () => {
    const states = ['exit 1', 'exit 0 # good', 'exit 0', 'exit 1 # bad', 'exit 1'].map(check);
    const { repository, commits } = committed(...states);
    const sessions = commits.slice(1).map((sha) => [sha]);
    const { results, run, seen } = await verified(repository, sessions);
    expect(results).toEqual(['fixed', 'kept green', 'broke', 'still red']);
    // The last commit has the tree of the first one.
    expect(run).toBe(new Set(commits.map((sha) => repository.git('rev-parse', `${sha}^{tree}`))).size);
    const again = await verified(repository, sessions, { cache: seen });
    expect(again).toMatchObject({ results, run: 0 });
    expect(await verified(repository, sessions.slice(0, 1), { cache: seen, command: 'true' })).toMatchObject({
      results: ['kept green'],
      run: 2,
    });
    expect(repository.git('status', '--porcelain')).toBe('');
    expect(left()).toEqual([]);
  });

  it('takes the parent of the first and the last of several commits, and says what of others lies between', async () => {
    const { repository, commits } = committed(...['exit 1', 'exit 2', 'exit 3', 'exit 0'].map(check));
    const [, first = '', , last = ''] = commits;
    const { results, reasons } = await verified(repository, [[first, last]]);
    expect(results).toEqual(['fixed']);
    expect(reasons).toEqual(['1 commit of others between']);
  });

  it('cannot check a first commit, one without a change, one that is gone, or a check that cannot run', async () => {
    const { repository, commits } = committed(check('exit 0'), {}, check('nonesuch-program'));
    const [first = '', same = '', impossible = ''] = commits;
    const sessions = [[first], [same], ['0'.repeat(40)], [impossible]];
    expect((await verified(repository, sessions, { command: 'nonesuch-program' })).results).toEqual(
      Array(4).fill('could not check'),
    );
    // It ran on the tree before, so anything missing is missing because of the commit.
    expect((await verified(repository, [[impossible]])).results).toEqual(['broke']);
    expect((await verified(repository, [[impossible]], { setup: 'exit 3' })).reasons).toEqual([
      'at its commit the setup failed with exit code 3',
    ]);
  });

  it('runs the setup in each checkout, and finds a flaky check', async () => {
    const count = 'n=$(cat n 2>/dev/null || echo 0); echo $((n+1)) > n';
    const { repository, commits } = committed(check('test -f made'), check(`${count}; test $((n % 2)) = 0`));
    const { reasons } = await verified(repository, [[commits[1] ?? '']], { setup: 'touch made', runs: 3 });
    expect(reasons).toEqual(['at its commit the check is flaky: it passed 2 of 3 runs']);
  });

  it('checks a commit of a linked worktree', async () => {
    const { repository, commits } = committed(check('exit 1'));
    const path = join(scratchFolder(), 'linked');
    repository.git('worktree', 'add', '-q', path, '-b', 'side');
    writeFileSync(join(path, 'check.sh'), 'exit 0\n');
    execFileSync('git', [
      '-C',
      path,
      '-c',
      'user.name=A',
      '-c',
      'user.email=a@example.org',
      'commit',
      '-qam',
      'x',
    ]);
    const sha = repository.git('rev-parse', 'side');
    expect(commits).not.toContain(sha);
    expect((await verified({ ...repository, path }, [[sha]])).results).toEqual(['fixed']);
  });
});

describe('a hostile project', () => {
  it('has none of its hooks, filters and submodules run, and its links lead nowhere when files are written', async () => {
    const marks = scratchFolder();
    const trap = join(marks, 'trap.sh');
    writeFileSync(trap, `#!/bin/sh\necho "$0" >> "${marks}/sprung"\ncat\n`);
    chmodSync(trap, 0o755);
    const outside = scratchFolder();
    const { repository, commits } = committed(
      { ...check('exit 1'), '.gitattributes': ['* filter=trap diff=trap'], 'data.txt': ['one'] },
      { ...check('exit 0'), '.gitmodules': ['[submodule "sub"]', '\tpath = sub', `\turl = ext::${trap}`] },
    );
    symlinkSync(outside, join(repository.path, 'link'));
    repository.git('update-index', '--add', '--cacheinfo', `160000,${commits[0]},sub`);
    const sha = repository.commit('Link', hours(5));
    for (const [key, value] of [
      ['filter.trap.smudge', trap],
      ['filter.trap.process', trap],
      ['core.fsmonitor', trap],
      ['core.hooksPath', marks],
      ['submodule.recurse', 'true'],
    ] as const)
      repository.git('config', key, value);
    for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change'])
      execFileSync('cp', [trap, join(marks, hook)]);
    const home = scratchFolder();
    writeFileSync(join(home, '.gitconfig'), `[filter "trap"]\n\tsmudge = ${trap}\n`);
    const before = readdirSync(join(repository.path, '.git'), { recursive: true }).sort();
    const environment = { ...process.env, HOME: home, GIT_DIR: '/nowhere' };
    const { results } = await verified(repository, [[commits[1] ?? '', sha]], { environment });
    expect(results).toEqual(['fixed']);
    expect(existsSync(join(marks, 'sprung'))).toBe(false);
    expect(readdirSync(join(repository.path, '.git'), { recursive: true }).sort()).toEqual(before);
    expect(readdirSync(outside)).toEqual([]);
  });

  it('learns no secret of the environment', async () => {
    const { repository, commits } = committed(check('exit 1'), check('env'));
    const command = 'env > env.txt; ! grep -q hidden env.txt && sh check.sh';
    const environment = {
      ...process.env,
      NPM_TOKEN: 'hidden-1',
      AWS_SECRET_ACCESS_KEY: 'hidden-2',
      HOME: '/hidden',
    };
    expect((await verified(repository, [[commits[1] ?? '']], { command, environment })).results).toEqual([
      'fixed',
    ]);
    const allowed = ['NPM_TOKEN'];
    expect(
      (await verified(repository, [[commits[1] ?? '']], { command, environment, allowed })).results,
    ).toEqual(['still red']);
  });

  it('is stopped when it never ends, floods its output or leaves processes behind', async () => {
    const { repository, commits } = committed(
      check('exit 0'),
      check('head -c 50000000 /dev/zero; exit 0'),
      check('setsid sleep 1717 & sleep 1717 & exit 0'),
      check('sleep 1000'),
    );
    const sessions = commits.slice(1).map((sha) => [sha]);
    const { seen } = await verified(repository, sessions.slice(0, 2));
    const { results, reasons } = await verified(repository, sessions, { timeMs: 1_000, cache: seen });
    expect(results).toEqual(['kept green', 'kept green', 'could not check']);
    expect(reasons[2]).toContain('did not end within 1 s');
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain('sleep 1717');
    expect(left()).toEqual([]);
  });

  it('writes nothing outside of its checkout where the system can prevent it, and says where it cannot', async () => {
    const outside = scratchFolder();
    const { repository, commits } = committed(check('exit 1'), check('exit 0'));
    const command = `touch "${outside}/out" "${repository.path}/out"; mkdir -p deep/er; chmod 555 deep; sh check.sh`;
    const { results, isolated } = await verified(repository, [[commits[1] ?? '']], { command });
    expect(results).toEqual(['fixed']);
    expect([existsSync(join(outside, 'out')), existsSync(join(repository.path, 'out'))]).toEqual([
      !isolated,
      !isolated,
    ]);
    // Without the isolation programs it says so and runs the check anyway.
    const bin = scratchFolder();
    for (const name of ['sh', 'git', 'setsid', 'sleep', 'chmod'])
      symlinkSync(
        execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(),
        join(bin, name),
      );
    const environment = { ...process.env, PATH: bin };
    const leaving = 'setsid sleep 1919 & sleep 1919 & sh check.sh';
    expect(await verified(repository, [[commits[1] ?? '']], { environment, command: leaving })).toMatchObject(
      {
        results: ['fixed'],
        isolated: false,
      },
    );
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain('sleep 1919');
  });

  it('is stopped when nobody waits any more', async () => {
    const { repository, commits } = committed(check('exit 0'), check('sleep 1818'));
    const controller = new AbortController();
    const asked = verified(repository, [[commits[1] ?? '']], {
      signal: controller.signal,
      onChecked: () => controller.abort(),
    });
    await expect(asked).rejects.toThrow();
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain('sleep 1818');
    expect(left()).toEqual([]);
  });

  it('leaves a folder when it is killed, which the next verification removes', async () => {
    const pid = execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' }).trim();
    const abandoned = join(tmpdir(), `assay-verify-${pid}-old`);
    mkdirSync(abandoned);
    const { repository, commits } = committed(check('exit 1'), check('exit 0'));
    await verified(repository, [[commits[1] ?? '']]);
    expect(existsSync(abandoned)).toBe(false);
  });
});
