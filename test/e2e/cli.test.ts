import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { COMMANDS } from '../../src/cli/command-list.ts';
import type { CommandResult } from '../../src/testing/run-command.ts';
import { bareEnv } from '../bare-env.ts';
import { assayIn, launchIn } from '../command-folder.ts';
import { LAUNCHER } from '../launcher.ts';

const EXPERIMENT = resolve('examples/workflow');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const assay = (words: string[], env?: NodeJS.ProcessEnv) => assayIn(folder, words, { env });

/** What every refusal looks like: exit code 3, nothing on standard output, two lines, no stack trace. */
function expectRefusal(result: CommandResult, code: string, message: RegExp) {
  expect(result.stderr).toMatch(message);
  expect(result.stderr).toContain(`[${code}]`);
  expect(result.stderr.trimEnd().split('\n')).toHaveLength(2);
  expect(result).toMatchObject({ status: 3, stdout: '' });
}

/** The work is done and shown; only keeping it failed. */
function expectStorageFailure({ stdout, ...result }: CommandResult, code: string, message: RegExp) {
  expect(stdout).toContain('bundled example');
  expectRefusal({ ...result, stdout: '' }, code, message);
}

describe('the main job', () => {
  it('measures the bundled example without a key, a server or a configuration', async () => {
    const { status, stdout, stderr } = await assay(['example']);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^.*bundled example/);
    expect(stdout).toContain('✓ Passed');
    expect(stdout).toMatch(/Overall score +0\.82/);
    expect(stdout).toContain('Next:');
  });

  it.each([
    [['example'], ['json', 'jsonl', 'csv', 'markdown', 'junit', 'html'], 'tidal-marsh'],
    [['workflow', 'heatmap', EXPERIMENT], ['json', 'jsonl', 'csv', 'markdown', 'html'], 'SECURE'],
    [
      ['workflow', 'compare', 'review-1', 'review-2', '--experiment', EXPERIMENT],
      ['markdown', 'html'],
      'review-2',
    ],
  ])('prints %j in every format', async (words, formats, content) => {
    for (const format of formats) {
      const { status, stdout, stderr } = await assay([...words, '--format', format]);
      expect({ format, status, stderr }).toEqual({ format, status: 0, stderr: '' });
      expect(stdout, format).toContain(content);
    }
  });

  it('fits 80 columns and has no colour when it is not a terminal', async () => {
    const { stdout } = await assay(['example']);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(stdout).not.toContain('\x1b[');
  });

  it('leaves nothing behind unless a store is named; then it stores what it measured, and shows the series of the runs', async () => {
    await assay(['example']);
    expect(existsSync(join(folder, '.local'))).toBe(false);
    const store = ['--store', 'own.db'];
    await assay(['example', ...store]);
    await assay(['example', ...store]);
    expect(existsSync(join(folder, 'own.db'))).toBe(true);
    expect((await assay(['runs', ...store])).stdout).toMatch(/2 runs/);
    const runs = JSON.parse((await assay(['runs', '--format', 'json', ...store])).stdout) as {
      run: { id: string };
    }[];
    const id = runs[0]?.run.id.slice(0, 8) ?? '';
    const run = JSON.parse((await assay(['runs', id, '--format', 'json', ...store])).stdout) as {
      cases: unknown[];
    };
    expect(run.cases).toHaveLength(5);
    const verdict = JSON.parse((await assay(['example', '--format', 'json', ...store])).stdout) as {
      trends: { points: unknown[] }[];
    };
    expect(verdict.trends[0]?.points).toHaveLength(3);
  });

  it('computes the same numbers in every format', async () => {
    const json = JSON.parse((await assay(['example', '--format', 'json'])).stdout) as {
      suite: { metrics: { overall: { value: number; n: number } } };
      gate: { verdict: string; exit_code: number };
    };
    // by hand from the files of the example: recall 44/45-ish per case; see examples/decomposition
    expect(json.suite.metrics.overall.value).toBeCloseTo(
      (0.25 * (1 + 1 + 1 + 1 + 8 / 9)) / 5 +
        0.2 * ((1 + 1 + 1 + 1 + 8 / 9) / 5) +
        0.2 * ((1 + 1 + 0.8 + 1 + 0.75) / 5) +
        0.2,
      12,
    );
    expect(json.suite.metrics.overall.n).toBe(5);
    expect(json.gate).toMatchObject({ verdict: 'passed', exit_code: 0 });
  });
});

/** Asks the command line of the package for the help of each command, in one process. */
const ALL_HELP = `
  import { existsSync } from 'node:fs';
  import { pathToFileURL } from 'node:url';
  const [launcher, ...names] = process.argv.slice(1);
  const at = (path) => new URL(path, pathToFileURL(launcher));
  const source = at('../src/cli/main.ts');
  const { main } = await import((existsSync(source) ? source : at('../dist/cli/main.js')).href);
  const write = process.stdout.write.bind(process.stdout);
  const printed = [];
  for (const name of names) {
    let text = '';
    process.stdout.write = (part) => ((text += part), true);
    await main([...name.split(' '), '--help']);
    if (process.exitCode !== 0) throw new Error(name + ' ended with ' + process.exitCode);
    printed.push([name, text]);
  }
  write(JSON.stringify(printed));
`;

describe('help and version', () => {
  it('prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(launchIn(folder, ['--version']).stdout).toBe(`${version}\n`);
  });

  it('fits one screen, and names commands that there are', async () => {
    for (const words of [['--help'], ['help'], ['-h']]) {
      const { status, stdout } = await assay(words);
      expect(status).toBe(0);
      const lines = stdout.trimEnd().split('\n');
      expect(lines.length).toBeLessThanOrEqual(24);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
      const named = lines.filter((line) => line.startsWith('  ')).map((line) => line.slice(2, 28).trim());
      expect(named).toHaveLength(15);
      for (const name of named) expect(COMMANDS.map((entry) => entry.name)).toContain(name);
    }
  });

  it('lists every command of a group, and no line breaks a word or leaves the screen', async () => {
    for (const group of ['sessions', 'decomposition', 'workflow']) {
      const { stdout } = await assay([group, '--help']);
      for (const { name } of COMMANDS) if (name.startsWith(`${group} `)) expect(stdout).toContain(name);
      for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    }
  });

  it('has an example for every command', async () => {
    const names = COMMANDS.map(({ name }) => name);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', ALL_HELP, LAUNCHER, ...names],
      { cwd: folder, encoding: 'utf8', env: bareEnv(folder) },
    );
    expect(status, stderr).toBe(0);
    const printed = new Map<string, string>(JSON.parse(stdout));
    for (const entry of COMMANDS) {
      const { command } = await entry.load();
      expect(command.summary).toBe(entry.summary);
      expect(command.name).toBe(entry.name);
      const help = printed.get(entry.name) ?? '';
      expect(help, entry.name).toMatch(/Examples?\n {2}assay\b/);
      for (const line of help.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
    }
    expect(await assay(['sessions', 'score', '--help'])).toEqual({
      status: 0,
      stdout: printed.get('sessions score'),
      stderr: '',
    });
  });
});

describe('where a result goes', () => {
  it('goes into the file that --out names, whole, and nothing is printed', async () => {
    const printed = (await assay(['metrics', '--format', 'json'])).stdout;
    const { status, stdout, stderr } = await assay([
      'metrics',
      '--format',
      'json',
      '--out',
      'deep/metrics.json',
    ]);
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    expect(stderr).toContain('deep/metrics.json');
    expect(readFileSync(join(folder, 'deep/metrics.json'), 'utf8')).toBe(printed);
  });

  it('leaves what was there when the command fails', async () => {
    writeFileSync(join(folder, 'kept.json'), 'before');
    expect((await assay(['metrics', 'nope', '--out', 'kept.json'])).status).toBe(3);
    expect(readFileSync(join(folder, 'kept.json'), 'utf8')).toBe('before');
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('opens as a page in the browser of the person', async () => {
    const browser = join(folder, 'browser.sh');
    writeFileSync(
      browser,
      `#!/bin/sh\nprintf %s "$1" > ${join(folder, 'opened')}.part && mv ${join(folder, 'opened')}.part ${join(folder, 'opened')}\n`,
      { mode: 0o755 },
    );
    const { status, stderr } = await assay(['example', '--no-store', '--open', '--out', 'page.html'], {
      BROWSER: browser,
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining('page.html') });
    expect(readFileSync(join(folder, 'page.html'), 'utf8')).toMatch(/^<!doctype html>/);
    await vi.waitFor(
      () => expect(readFileSync(join(folder, 'opened'), 'utf8')).toMatch(/^file:.*page\.html$/),
      60_000,
    );
  });

  it('says where the page is when no browser starts', async () => {
    const { status, stderr } = launchIn(folder, ['example', '--no-store', '--open', '--out', 'page.html'], {
      BROWSER: '/nowhere',
    });
    expect(status).toBe(0);
    expect(stderr).toMatch(/Assay could not start a browser \(\/nowhere\)\. Open file:/);
  });

  it('says nothing beside it with --quiet, and keeps nothing with --no-store', async () => {
    const { stderr } = await assay(['example', '--quiet', '--no-store', '--out', 'report.txt']);
    expect(stderr).toBe('');
    expect(existsSync(join(folder, '.assay'))).toBe(false);
  });
});

describe('a wrong word', () => {
  it.each([
    [['exmaple'], /no command "exmaple"; did you mean "example"\?/],
    [['example', '--formt', 'json'], /no option "--formt"; did you mean "--format"\?/],
    [['example', '--format', 'jsn'], /--format takes one of .*, not "jsn"; did you mean "json"\?/],
    [['session'], /no command "session"; did you mean "sessions"\?/],
    [['session', 'score'], /no command "session score"; did you mean "sessions score"\?/],
    [['example', 'extra'], /there is no example "extra"/],
    [['example', 'workflow', 'extra'], /"extra" is one argument too many/],
    [['metrics', 'overal'], /no metric "overal"; did you mean "overall"\?/],
    [['example', '--store'], /store/],
    [['example', '--constructor', 'x'], /no option "--constructor"/],
  ])('%j gets exit code 3 and the likely one', async (words, message) => {
    expectRefusal(await assay(words), 'USAGE', message);
  });

  it('as the id of a run gets exit code 3 and the command that lists the runs', async () => {
    const result = await assay(['runs', 'nope']);
    expectRefusal(result, 'RUN_NOT_FOUND', /no run starts with "nope"/);
    expect(result.stderr).toContain('assay runs --all');
  });
});

describe('bad input', () => {
  it('refuses a store that is a folder, a foreign file, or damaged, after the result', async () => {
    mkdirSync(join(folder, 'place'));
    expectStorageFailure(await assay(['example', '--store', 'place']), 'STORE_UNREADABLE', /place/);
    writeFileSync(join(folder, 'letter.txt'), 'Dear reader, this is not a database. '.repeat(100));
    expectStorageFailure(await assay(['example', '--store', 'letter.txt']), 'STORE_CORRUPT', /letter\.txt/);
    expect(readFileSync(join(folder, 'letter.txt'), 'utf8')).toMatch(/^Dear reader/);
  });

  it('refuses a store behind a file, and a kind of store it does not have', async () => {
    writeFileSync(join(folder, 'file'), '');
    expectStorageFailure(await assay(['example', '--store', 'file/assay.db']), 'STORE_UNREADABLE', /file/);
    expectStorageFailure(
      await assay(['example', '--store', 'postgres://host/db']),
      'STORE_UNSUPPORTED',
      /postgres/,
    );
  });

  it('shows a stack trace only with --debug', async () => {
    writeFileSync(join(folder, 'assay.config.json'), '{');
    expect((await assay(['example'])).stderr).not.toMatch(/\n {4}at /);
    expect((await assay(['example', '--debug'])).stderr).toMatch(/\n {4}at /);
  });

  it('does not let a file name steer the terminal', async () => {
    const { stderr } = await assay(['example', '--config', 'evil\x1b[2J\nname.json']);
    expect(stderr).not.toContain('\x1b');
    expect(stderr.trimEnd().split('\n')).toHaveLength(2);
  });

  it.skipIf(!existsSync('/dev/full'))('says so when the result cannot be written', () => {
    const { status, stderr } = spawnSync(
      '/bin/sh',
      ['-c', `"${process.execPath}" "${LAUNCHER}" metrics > /dev/full`],
      {
        cwd: folder,
        encoding: 'utf8',
        env: bareEnv(folder),
      },
    );
    expect(status).toBe(3);
    expect(stderr).toContain('[OUTPUT_FAILED]');
  });

  it('ends quietly when the reader has seen enough', () => {
    const script = `"${process.execPath}" "${LAUNCHER}" example --format json | head -c 1`;
    const { stderr } = spawnSync('/bin/sh', ['-c', script], {
      cwd: folder,
      encoding: 'utf8',
      env: bareEnv(folder),
    });
    expect(stderr).toBe('');
  });
});

describe('settings', () => {
  it('prefers the flag to the environment, the environment to the file, the file to the default', async () => {
    const store = async (words: string[], env = {}) =>
      (
        JSON.parse((await assay(['config', '--format', 'json', ...words], env)).stdout) as {
          settings: { store: string };
        }
      ).settings.store;
    expect(await store([])).toBe(join(folder, '.local/share/assay/assay.db'));
    writeFileSync(join(folder, 'assay.config.json'), '{ "store": "file.db" }');
    expect(await store([])).toMatch(/\/file\.db$/);
    expect(await store([], { ASSAY_STORE: 'env.db' })).toBe('env.db');
    expect(await store(['--store', 'flag.db'], { ASSAY_STORE: 'env.db' })).toBe('flag.db');
  });

  it('gates on the attainable scale when told to', async () => {
    writeFileSync(
      join(folder, 'assay.config.js'),
      "export default { decomposition: { overallScale: 'attainable' } };",
    );
    const { gate } = JSON.parse((await assay(['example', '--format', 'json'])).stdout) as {
      gate: { checks: { id: string }[] };
    };
    expect(gate.checks.map((check) => check.id)).toContain('decomposition/overall-attainable');
  });
});

describe('an older Node', () => {
  // The launcher only reads its own version, so a program that claims another one stands in for an old Node.
  const pretendOld = (launcher: string, words: string[]) =>
    spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } });
         Object.defineProperty(process, 'version', { value: 'v20.1.0' });
         process.argv = [process.argv[0], ...${JSON.stringify([launcher, ...words])}];
         await import(${JSON.stringify(launcher)});`,
      ],
      { cwd: folder, encoding: 'utf8', env: bareEnv(folder) },
    );

  it('hands over to the Node 24 of the package, with its exit code', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(pretendOld(LAUNCHER, ['--version'])).toMatchObject({ status: 0, stdout: `${version}\n` });
    expect(pretendOld(LAUNCHER, ['nonsense']).status).toBe(3);
  });

  it('says in one line which version is needed when there is none', () => {
    const lonely = join(folder, 'assay');
    mkdirSync(join(lonely, 'bin'), { recursive: true });
    writeFileSync(join(lonely, 'package.json'), '{ "type": "module", "version": "0.0.0" }');
    writeFileSync(join(lonely, 'bin/assay.js'), readFileSync(LAUNCHER));
    const { status, stderr } = pretendOld(join(lonely, 'bin/assay.js'), ['--version']);
    expect(stderr).toMatch(/^assay needs Node 24 or newer and this is v20\.1\.0; .*\n$/);
    expect(status).toBe(3);
  });

  const oldNode = ['/usr/local/bin/node', '/usr/bin/node'].find(
    (path) =>
      existsSync(path) &&
      Number(spawnSync(path, ['-p', 'process.versions.node.split(".")[0]'], { encoding: 'utf8' }).stdout) <
        24,
  );
  it.skipIf(oldNode === undefined)(
    'really runs when an old Node of this machine starts it (needs one)',
    async () => {
      const { status, stdout } = await assay(['metrics'], { node: oldNode ?? '' });
      expect(status).toBe(0);
      expect(stdout).toContain('decomposition/overall');
    },
  );
});
