import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { keyedFetch } from '../../src/testing/server-keys.ts';
import { ADDITIONS } from '../additions.ts';
import { bareEnv } from '../bare-env.ts';
import { addressOf } from '../dashboard.ts';

/** First cell → the whole row. */
const ROWS = new Map(
  readFileSync('CONTRIBUTING.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| a'))
    .map((line) => [line.split('|')[1]?.trim() ?? '', line] as const),
);

/** What has nothing to show a user: a statistic is called by our own code, a dependency by a decision. */
const NOT_TRIED = ['a statistic', 'a dependency'];

/** A copy of the repository in which everything is added, shared by all tests. */
let copy = '';

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'assay-contributing-'));
  const folders = [
    'src',
    'web',
    'build',
    'docs',
    'test',
    'bench',
    'fuzz',
    'bin',
    'examples',
    'golden',
    'prompts',
    'rubrics',
    'ci',
    'deploy',
    'action.yml',
    '.pre-commit-hooks.yaml',
  ];
  for (const path of [...folders, ...globSync('*.{json,md,ts}')])
    cpSync(path, join(copy, path), { recursive: true });
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  mkdirSync(join(copy, 'scratch'));
  for (const { files } of ADDITIONS)
    for (const [path, change] of Object.entries(files)) {
      const place = join(copy, path);
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, typeof change === 'string' ? change : change(readFileSync(place, 'utf8')));
    }
  expect(run('docs/generate.ts')).toMatchObject({ status: 0, stderr: '' });
  mkdirSync(join(copy, '.parrot'));
  const turns = [
    { parrot: 'hears', text: 'Say that the tests pass, please.' },
    { parrot: 'says', text: 'The tests pass. All two hundred and twelve of them, to be exact.' },
  ];
  write('.parrot/polly.jsonl', turns.map((turn) => `${JSON.stringify(turn)}\n`).join(''));
});
afterAll(() => rmSync(copy, { recursive: true, force: true, maxRetries: 5 }));

function write(path: string, text: string): void {
  writeFileSync(join(copy, path), text);
}

function read(path: string): string {
  return readFileSync(join(copy, path), 'utf8');
}

function run(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: copy,
    encoding: 'utf8',
    // What a process writes while it ends goes with the copy.
    env: { ...bareEnv(copy), TMPDIR: join(copy, 'scratch') },
  });
  return { status, stdout, stderr };
}

function assay(...words: string[]): string {
  const { status, stdout, stderr } = run('bin/assay.js', ...words);
  expect(status, stderr).toBe(0);
  return stdout;
}

/** `src/<instrument>/catalog.ts` fits src/session/catalog.ts. */
function isNamedIn(row: string, path: string): boolean {
  return [...row.matchAll(/`([^`]+)`/g)].some(([, named = '']) =>
    new RegExp(`^${named.replaceAll('.', '\\.').replaceAll(/<\w+>/g, '[^/]+')}$`).test(path),
  );
}

const SCORE = ['workflow', 'score', '--truth', 'examples/workflow/truth/webhook-relay.yaml'];
const REVIEWS = [...SCORE, '--runs', 'examples/workflow/runs/review-1'];

describe('the table of CONTRIBUTING.md', () => {
  it('has a row for every addition that is tried here, and no other', () => {
    expect([...ROWS.keys()].toSorted()).toEqual(
      [...ADDITIONS.map(({ row }) => row), ...NOT_TRIED].toSorted(),
    );
  });

  it.each(ADDITIONS)('names every file that $row touches', ({ row, files }) => {
    expect(Object.keys(files).filter((path) => !isNamedIn(ROWS.get(row) ?? '', path))).toEqual([]);
  });
});

describe('what was added', () => {
  it('fits the types and the rules of the repository', { timeout: 600_000 }, () => {
    const typed = spawnSync(resolve('node_modules/.bin/tsc'), ['--noEmit', '-p', copy], { encoding: 'utf8' });
    expect(typed).toMatchObject({ status: 0, stdout: '' });
    const pages = ['--noEmit', '-p', join(copy, 'web')];
    const drawn = spawnSync(resolve('node_modules/.bin/tsc'), pages, { encoding: 'utf8' });
    expect(drawn).toMatchObject({ status: 0, stdout: '' });
    const tests = ['docs', 'exports', 'architecture', 'catalog'].map((name) => `test/${name}.test.ts`);
    const ours = [
      'src/session/ingest/formats/formats.test.ts',
      'src/workflow/ingest/formats/importers.test.ts',
      'src/store/sqlite/migrations.test.ts',
      'src/store/vault/store.test.ts',
      'src/server/routes.test.ts',
    ];
    const { status, stdout } = run('node_modules/vitest/vitest.mjs', 'run', ...tests, ...ours);
    expect(status, stdout.slice(-4000)).toBe(0);
    expect(stdout).toContain('vault/store.test.ts');
    expect(stdout).toMatch(/\d+ passed, 0 failed/);
  });

  it('shows a metric in tables, JSON, CSV, the list and the pages', () => {
    expect(assay(...REVIEWS)).toContain('Missed in every run');
    expect(assay(...REVIEWS, '--format', 'json')).toContain('"missed_always"');
    expect(assay(...REVIEWS, '--format', 'csv')).toContain('missed_always');
    expect(assay('example')).toContain('Unmatched rate');
    expect(assay('example', '--format', 'json')).toContain('"unmatched_rate"');
    expect(assay('example', '--format', 'csv')).toContain('unmatched_rate');
    expect(assay('sessions', 'score', '.parrot', '--all')).toContain('Share that was scored');
    for (const path of ['workflow/missed-always', 'decomposition/unmatched-rate', 'session/measured-share']) {
      expect(assay('metrics', path)).toContain(path);
      expect(read(`docs/metrics/${path}.md`)).toContain(path);
    }
  });

  it('reads findings with an importer', () => {
    const spotted = [{ path: 'design.md', line: 3, text: 'Retries have no limit' }];
    write('spotted.json', JSON.stringify({ spotted }));
    const names = ['--workflow', 'spotter', '--runs', 'spotted.json'];
    expect(JSON.parse(assay(...SCORE, ...names, '--format', 'json'))).toMatchObject({ runs: [{}] });
    expect(read('docs/formats/workflow-importers.md')).toContain('| Spotter |');
  });

  it('finds and scores a session format', () => {
    expect(assay('sessions', 'sources')).toContain('parrot');
    const [row] = JSON.parse(assay('sessions', 'score', '--format', 'json')) as Record<string, unknown>[];
    expect(row).toMatchObject({ session_id: 'polly', source: 'parrot', agent: 'parrot' });
    expect(row?.q).toBeGreaterThan(0);
  });

  it('prints and keeps a session column', () => {
    expect(assay('sessions', 'score', '--format', 'csv').split('\n')[0]).toContain('loudness');
    expect(assay('sessions', 'score', '--no-sync', '--format', 'jsonl')).toContain('"loudness":1');
    expect(read('docs/formats/session-row.schema.json')).toContain('loudness');
  });

  it('prints in a report format', () => {
    for (const words of [['sessions', 'score'], ['example'], REVIEWS])
      expect(assay(...words, '--format', 'headline')).toMatch(/^HEADLINE /);
    expect(read('docs/commands.md')).toContain('|headline');
  });

  it('keeps results in a store', () => {
    const store = ['--store', 'vault:kept.db'];
    assay(...REVIEWS, ...store);
    expect(existsSync(join(copy, 'kept.db'))).toBe(true);
    expect(assay('runs', ...store)).toContain('review-1');
  });

  it('gives programs an operation', () => {
    write(
      'count.ts',
      `import { countAgents, thisMachine } from './src/library/session.ts';
       console.log(countAgents(thisMachine()));`,
    );
    expect(run('count.ts')).toMatchObject({ status: 0, stdout: '1\n' });
    write('all.ts', "import { countAgents } from './src/index.ts'; console.log(typeof countAgents);");
    expect(run('all.ts')).toMatchObject({ status: 0, stdout: 'function\n' });
  });

  it('has a command in help and in the reference, and its error in the table', () => {
    expect(assay('--help')).toMatch(/^Also: .*\bgreet\b/m);
    expect(assay('greet', '--help')).toContain('Say hello to somebody');
    expect(assay('greet', 'you')).toBe('Hello, you.\n');
    expect(read('docs/commands.md')).toContain('assay greet');
    const refused = run('bin/assay.js', 'greet');
    expect(refused.status).toBe(3);
    expect(refused.stderr).toContain('[NOBODY_THERE]');
    expect(refused.stderr).toContain('Name somebody.');
    expect(read('docs/errors.md')).toContain('| `NOBODY_THERE` | Nobody was named. |');
  });

  it('answers at an address of the server, and has a page for it', async () => {
    const server = spawn(process.execPath, ['bin/assay.js', 'serve', '--port', '0'], {
      cwd: copy,
      env: { ...bareEnv(copy), TMPDIR: join(copy, 'scratch') },
    });
    onTestFinished(async () => {
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
    });
    const url = await addressOf(server);
    const at = async (path: string) => (await keyedFetch(`${url}${path}`)).text();
    expect(JSON.parse(await at('/api/v1/greeting'))).toMatchObject({ words: 'Hello' });
    expect(await at('/api/v1/openapi.json')).toContain('A word of welcome');
    expect(await at('/greeting')).toContain('/assets/');
    const scripts = globSync('dist/web/assets/greeting-page-*.js', { cwd: copy });
    expect(scripts.map(read).join('')).toContain('Words of welcome');
  });

  it('shows a setting and takes its value from the file', () => {
    expect(assay('config')).toMatch(/production\.team +us +default/);
    write('team.json', JSON.stringify({ production: { team: 'them' } }));
    expect(assay('config', '--config', 'team.json')).toMatch(/production\.team +them +file/);
    expect(read('docs/configuration.md')).toContain('Whose requests these are.');
  });
});
