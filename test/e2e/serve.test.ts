import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { keyedFetch, withoutKey } from '../../src/testing/server-keys.ts';
import { bareEnv } from '../bare-env.ts';
import { commandFolder } from '../command-folder.ts';
import { LAUNCHER } from '../launcher.ts';

const folder = commandFolder();

type Serving = {
  readonly url: string;
  readonly child: ChildProcess;
  readonly logged: () => string;
  readonly printed: () => string;
};

const browsed = () => join(folder.path, 'browsed');

/** With a browser that only writes down the address that it is given. */
function envOfStart(): NodeJS.ProcessEnv {
  const browser = join(folder.path, 'browser.sh');
  writeFileSync(browser, `#!/bin/sh\necho "$1" > '${browsed()}'\n`, { mode: 0o755 });
  return { ...bareEnv(folder.path), BROWSER: browser };
}

const serve = (...words: string[]) => start('--port', '0', ...words);

async function start(...words: string[]): Promise<Serving> {
  const child = spawn(process.execPath, [LAUNCHER, 'serve', ...words], {
    cwd: folder.path,
    env: envOfStart(),
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let [stdout, logged] = ['', ''];
  child.stderr.on('data', (chunk) => {
    logged += chunk;
  });
  for await (const chunk of child.stdout) {
    stdout += chunk;
    const [, url] = /Assay is at (\S+)[\s\S]*Ctrl-C/.exec(stdout) ?? [];
    if (url !== undefined)
      return { url: withoutKey(url), child, logged: () => logged, printed: () => stdout };
  }
  throw new Error(`it did not start: ${logged}`);
}

describe('assay serve', () => {
  it('answers, logs as JSON, and ends with what was acknowledged kept', async () => {
    cpSync('examples/session', join(folder.path, 'sessions'), { recursive: true });
    const store = ['--store', 'scores.db'];
    const scored = await folder.assay('sessions', 'score', 'sessions', '--no-git', ...store);
    expect(scored.status).toBe(0);
    const { url, child, logged } = await serve('--log', 'all', ...store);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    const page = await (await keyedFetch(new URL('/api/v1/sessions?limit=1', url))).json();
    const [session] = (page as { items: { session_key: string; session_id: string }[] }).items;
    const saved = await keyedFetch(new URL(`/api/v1/sessions/${session?.session_key}/ratings`, url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"rating":5}',
    });
    expect(saved.status).toBe(201);
    const listening = await keyedFetch(new URL('/api/v1/events', url));
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await listening.text();
    expect(await ended).toEqual([0, null]);
    // A clone may say first that it builds the dashboard.
    const lines = logged()
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('assay: '));
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty('event');
    const again = await serve(...store);
    const ratings = await (await keyedFetch(new URL('/api/v1/ratings', again.url))).json();
    expect(ratings).toMatchObject({ items: [{ rating: 5, subject_id: session?.session_id }] });
  });

  it('says the same of a session as the commands do', async () => {
    cpSync('examples/session', join(folder.path, 'sessions'), { recursive: true });
    await folder.assay('sessions', 'score', 'sessions', '--no-git', '--store', '.local/share/assay/assay.db');
    const { url } = await serve();
    const asked = async (path: string) => (await keyedFetch(new URL(`/api/v1/${path}`, url))).json();
    const printed = async (...words: string[]) =>
      JSON.parse((await folder.assay('sessions', ...words, '--no-sync', '--format', 'json')).stdout);
    expect(await asked('sessions/roi?by=model')).toEqual(await printed('roi', '--by', 'model'));
    expect(await asked('sessions/frontier')).toEqual(await printed('frontier'));
    expect(await asked('sessions/attention')).toEqual(await printed('attention', '--no-titles'));
    const listed = (await printed('list', '--by', 'project', '--no-titles')) as { groups: object[] };
    const groups = listed.groups.map((group) => ({ ...group, listed: [] }));
    expect(await asked('sessions/summary?by=project')).toEqual({ ...listed, groups });
    const { items } = (await asked('sessions')) as { items: { session_key: string }[] };
    const rows = (await printed('score')) as { session_key: string }[];
    for (const { session_key: key } of items) {
      expect(await asked(`sessions/${key}/explanation?quotes=true`)).toEqual(
        await printed('explain', key, '--show'),
      );
      expect(await asked(`sessions/${key}`)).toEqual(rows.find((row) => row.session_key === key));
    }
  });

  it('prints the summary and serves without a terminal, at the next free port where the usual one is in use', async () => {
    const [usual, next] = [await start('--summary'), await start('--summary')];
    for (const { url, printed: told } of [usual, next]) {
      expect(told()).toContain('No agent sessions were found on this machine');
      expect((await keyedFetch(new URL('/api/v1/overview', url))).status).toBe(200);
    }
    const ports = [usual, next].map(({ url }) => Number(new URL(url).port));
    expect(ports[0]).toBeGreaterThanOrEqual(4117);
    expect(ports[1]).toBeGreaterThan(ports[0] ?? 0);
    expect(existsSync(browsed())).toBe(false);
    for (const { child } of [usual, next]) {
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([0, null]);
    }
  });

  it('opens a browser where it runs in a terminal', async (context) => {
    if (spawnSync('script', ['--version']).status !== 0) return context.skip('script is not installed');
    const words = [process.execPath, LAUNCHER, 'serve', '--summary'].map((word) => `'${word}'`).join(' ');
    const child = spawn('script', ['-qec', words, '/dev/null'], { cwd: folder.path, env: envOfStart() });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    while (!existsSync(browsed()) || readFileSync(browsed(), 'utf8') === '') await sleep(50);
    // The page leads there; what other accounts see of the process has no key in it.
    const page = readFileSync(fileURLToPath(readFileSync(browsed(), 'utf8').trim()), 'utf8');
    expect(page).toMatch(/url=http:\/\/127\.0\.0\.1:\d+\/#key=[\w-]{43}"/);
    child.kill('SIGTERM');
    await once(child, 'exit');
  });

  it('ends when npm is told to, although a shell of npm stands between', async () => {
    const env = { ...envOfStart(), npm_lifecycle_event: 'start' };
    const words = `'${process.execPath}' '${LAUNCHER}' serve --port 0; true`;
    const shell = spawn('sh', ['-c', words], { cwd: folder.path, env });
    let output = '';
    shell.stdout.on('data', (chunk) => {
      output += chunk;
    });
    await expect.poll(() => output, { timeout: 60_000 }).toContain('Ctrl-C');
    shell.kill('SIGTERM');
    // Its pipe is closed when the server has ended, which has it from the shell.
    await once(shell, 'close');
  });

  it('shows what it finds where it can store nothing', () => {
    const home = join(folder.path, 'home');
    mkdirSync(join(home, '.claude/projects/site'), { recursive: true });
    cpSync('examples/session/site', join(home, '.claude/projects/site'), { recursive: true });
    // A file where the folder would be made: root may write anywhere else.
    writeFileSync(join(home, '.local'), '');
    const env = { ...envOfStart(), HOME: home, CI: 'true' };
    const args = [LAUNCHER, 'serve', '--summary'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: folder.path,
      env,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, expect.stringContaining('run stores nothing')]);
    expect(stdout).toContain('Q');
  });

  it('only prints the summary in CI', () => {
    const { status, stdout } = spawnSync(process.execPath, [LAUNCHER, 'serve', '--summary'], {
      cwd: folder.path,
      env: { ...envOfStart(), CI: 'true' },
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    expect(stdout).toContain('No agent sessions were found on this machine');
    expect(stdout).not.toContain('http://');
  });

  it('refuses a port that is taken, a port that is none, and an address for all without a token', async () => {
    const { url } = await serve();
    const taken = await folder.assay('serve', '--port', new URL(url).port);
    expect([taken.status, taken.stderr]).toEqual([
      3,
      expect.stringMatching(/port \d+ is already in use[\s\S]*ADDRESS_TAKEN[\s\S]*--port 0/),
    ]);
    expect((await folder.assay('serve', '--port', 'http')).stderr).toContain('USAGE');
    for (const words of [
      ['--host', '0.0.0.0'],
      ['--allow-host', 'team.example'],
    ]) {
      const { status, stderr } = await folder.assay('serve', '--port', '0', ...words);
      expect([status, stderr]).toEqual([3, expect.stringMatching(/TOKEN_NEEDED[\s\S]*assay token create/)]);
    }
  });

  it.each([['--host='], ['--host= '], ['--allow-host='], ['--allow-host=,']])(
    'refuses %j, which would open it to more than was meant',
    async (word) => {
      expect((await folder.assay('token', 'create', 'team')).status).toBe(0);
      const { status, stdout, stderr } = await folder.assay('serve', '--port', '0', word);
      expect([status, stdout, stderr]).toEqual([
        3,
        '',
        expect.stringMatching(/ (is empty|has an empty part).*\[USAGE\]\n {2}\S/),
      ]);
    },
  );
});

describe('assay serve at every address', () => {
  it('prints one that a browser can open, and answers at those by which others reach it', async () => {
    const token = (await folder.assay('token', 'create', 'team', '--scope', 'read')).stdout.trim();
    const { url, printed: told } = await serve('--host', '0.0.0.0');
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4')
      .map(({ address }) => `http://${address}:${new URL(url).port}/`);
    for (const at of [url, ...others]) {
      expect(told()).toContain(at);
      const headers = { authorization: `Bearer ${token}` };
      expect((await keyedFetch(new URL('/api/v1/overview', at), { headers })).status).toBe(200);
      expect((await fetch(new URL('/api/v1/overview', at))).status).toBe(401);
    }
    expect(told()).not.toContain('0.0.0.0');
  });
});

describe('the key of a server of this machine', () => {
  const keyFile = () => join(folder.path, '.config/assay/serve-key');

  it('is in a file of its owner, the same after a restart, and another one once others could read it', async () => {
    const { printed, url, child } = await serve();
    const key = readFileSync(keyFile(), 'utf8').trim();
    expect(printed()).toContain(`${url}#key=${key}\n`);
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
    child.kill('SIGTERM');
    await once(child, 'exit');
    const second = await serve();
    expect(second.printed()).toContain(`#key=${key}\n`);
    chmodSync(keyFile(), 0o644);
    const third = await serve();
    expect(third.printed()).not.toContain(key);
    const asked = await fetch(new URL('/api/v1/overview', third.url), {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(asked.status).toBe(401);
  });
});

describe('assay token', () => {
  it('makes, lists and takes back tokens that a server goes by at once', async () => {
    const made = await folder.assay('token', 'create', 'ci', '--scope', 'write', '--days', '1');
    const token = made.stdout.trim();
    expect(token).toMatch(/^assay_[0-9a-f]{8}_[\w-]{43}$/);
    const listed = (await folder.assay('token', 'list', '--format', 'json')).stdout;
    expect(JSON.parse(listed)).toMatchObject({ tokens: [{ label: 'ci', scope: 'write', expired: false }] });
    expect(listed + (await folder.assay('token', 'list')).stdout).not.toContain(token.slice(-20));
    expect(readFileSync(join(folder.path, '.config/assay/tokens.json'), 'utf8')).not.toContain(
      token.slice(-20),
    );
    const { url } = await serve('--allow-host', 'team.example');
    const status = async (headers = {}) =>
      (await keyedFetch(new URL('/api/v1/overview', url), { headers })).status;
    const headers = { authorization: `Bearer ${token}` };
    expect([await status(), await status(headers)]).toEqual([401, 200]);
    expect((await folder.assay('token', 'revoke', 'ci')).stdout).toContain('Revoked ci');
    expect(await status(headers)).toBe(401);
    expect((await folder.assay('token', 'revoke', 'ci')).status).toBe(3);
  });

  it.each([
    [['--days', '-1']],
    [['--days', 'x']],
    [['a b']],
    [['']],
    [[' ']],
    [['--scope', 'all']],
    [['--scope', '']],
    [['--project', '']],
    [['--project', ' ']],
    [['--project', ',']],
    [['--project', 'checkout,,billing']],
    [['--project', 'checkout', '--project', '']],
    [['--team', '']],
    [['--team', 'nobody']],
    [['--team', 'unknown']],
  ])('refuses %j, and says what to do', async (words) => {
    const config = folder.write('assay.config.json', { teams: { nobody: [], payments: ['billing'] } });
    const { status, stdout, stderr } = await folder.assay('token', 'create', ...words, '--config', config);
    expect([status, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(/^assay: .+ \[USAGE\]\n {2}\S.+\n$/);
    expect(existsSync(join(folder.path, '.config/assay/tokens.json'))).toBe(false);
  });

  it('makes one for the projects and the team that are named, and for all only where nothing is', async () => {
    const config = folder.write('assay.config.json', { teams: { payments: ['billing'] } });
    const create = (...words: string[]) => folder.assay('token', 'create', ...words, '--config', config);
    expect((await create('ann', '--project', 'checkout, billing')).stderr).toContain('for checkout, billing');
    expect((await create('bob', '--team', 'payments')).stderr).toContain('for the team payments');
    expect((await create('eve')).stderr).toContain('for all projects');
    const { tokens } = JSON.parse((await folder.assay('token', 'list', '--format', 'json')).stdout);
    expect(
      tokens.map(({ projects, team }: { projects: unknown; team: unknown }) => [projects, team]),
    ).toEqual([
      [['checkout', 'billing'], null],
      [[], 'payments'],
      [null, null],
    ]);
  });
});

describe('commands beside the server', () => {
  it.each([[['runs']], [['--help']]])('%j loads no router', (words) => {
    const hook = `import { registerHooks } from 'node:module';
      registerHooks({ resolve: (name, context, next) => {
        if (/hono/.test(name)) process.stderr.write('LOADED ' + name);
        return next(name, context);
      } });`;
    const { stderr } = spawnSync(
      process.execPath,
      ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, LAUNCHER, ...words],
      { cwd: folder.path, env: bareEnv(folder.path), encoding: 'utf8' },
    );
    expect(stderr).not.toContain('LOADED');
  });
});
