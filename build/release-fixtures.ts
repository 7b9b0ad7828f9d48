/**
 * `node build/release-fixtures.ts COMMIT VERSION` checks a release out into a folder of its own and lets it do what a project does:
 * score sessions, rate them, measure, keep a baseline, decide about a prompt, begin a blind evaluation. What it leaves behind is
 * `test/fixtures/releases/VERSION.tgz`, from which `test/releases.test.ts` goes on with the code of today.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Transcripts of the repository as it was, one agent each. */
const SESSIONS = [
  'claude-code-subagents',
  'codex-rollout',
  'openclaw-main',
  'pi-v1-linear',
  'openhands-events',
];

const OUTPUTS = ['--golden', 'golden', '--outputs', 'outputs'];

/** Words of the first release that every later one has to know. */
const STEPS: readonly (readonly string[])[] = [
  ['sessions', 'score', 'sessions'],
  ['sessions', 'baselines', 'fit', 'sessions', '--out', 'baselines.json'],
  ['decomposition', 'baseline', ...OUTPUTS],
  ['decomposition', 'run', ...OUTPUTS],
  ['decomposition', 'run', ...OUTPUTS, '--format', 'json', '--out', 'run.json'],
  [
    'decomposition',
    'prompt',
    'new',
    'decompose-concepts',
    '--changes',
    'shorter rules',
    '--prompts',
    'prompts',
  ],
  ['decomposition', 'prompt', 'promote', 'decompose-concepts-v1.1', ...OUTPUTS, '--prompts', 'prompts'],
  ['workflow', 'score', 'workflow/runs/review-1', '--truth', 'workflow/truth/webhook-relay.yaml'],
  [
    ...[
      'workflow',
      'blind',
      'start',
      '--truth',
      'workflow/truth/webhook-relay.yaml',
      '--runs',
      'workflow/runs',
    ],
    ...['--out', 'blind', '--evaluators', 'ada,bob', '--by', 'ada'],
  ],
];

const CONFIG = { store: 'assay.db', decomposition: { matchLevel: 'alias' }, session: { flagBelow: 0.35 } };

function makeProject(release: string, project: string): void {
  mkdirSync(join(project, 'sessions'), { recursive: true });
  for (const name of SESSIONS)
    cpSync(join(release, 'test/fixtures/session', name), join(project, 'sessions', name), {
      recursive: true,
    });
  for (const [from, to] of [
    ['examples/decomposition/golden', 'golden'],
    ['examples/decomposition/outputs', 'outputs'],
    ['examples/workflow', 'workflow'],
    ['prompts', 'prompts'],
  ] as const)
    cpSync(join(release, from), join(project, to), { recursive: true });
  writeFileSync(join(project, 'assay.config.json'), JSON.stringify(CONFIG, null, 2));
}

function runSteps(release: string, project: string): void {
  const env = { PATH: process.env.PATH, HOME: project, USER: 'ada' };
  for (const step of STEPS) {
    const { status, stderr } = spawnSync(process.execPath, [join(release, 'bin/assay.js'), ...step], {
      cwd: project,
      env,
      encoding: 'utf8',
    });
    console.log(`${status} assay ${step.join(' ')}`);
    if (status === null || status > 2) throw new Error(stderr);
  }
}

/** As a person does, who is asked at a terminal: the answers are typed when they are asked for. */
function rate(release: string, project: string): Promise<void> {
  const line = `"${process.execPath}" "${join(release, 'bin/assay.js')}" sessions rate sessions --sample 3`;
  const terminal = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: project, USER: 'ada' },
  });
  const ratings = ['4', '2', '5'];
  terminal.stdout.on('data', (said: Buffer) => {
    for (const [question] of said.toString('utf8').matchAll(/How well did it go|Note \(/g))
      terminal.stdin.write(question.startsWith('Note') ? 'seen, by hand\n' : `${ratings.shift()}\n`);
  });
  return new Promise((resolve, reject) => {
    terminal.on('error', reject);
    terminal.on('exit', (status) => {
      console.log(`${status} assay sessions rate`);
      if (status === 0 && existsSync(join(project, 'ratings.csv'))) resolve();
      else reject(new Error('nothing was rated'));
    });
  });
}

/** Everything in one file, nothing that is kept for speed alone. */
function settle(project: string): void {
  const database = new DatabaseSync(join(project, 'assay.db'));
  database.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE; VACUUM');
  database.close();
  for (const name of ['.cache', '.config', '.local', 'assay.db-wal', 'assay.db-shm'])
    if (existsSync(join(project, name))) rmSync(join(project, name), { recursive: true });
}

const [commit, version] = process.argv.slice(2);
if (commit === undefined || version === undefined)
  throw new Error('name a commit and the version it was released as');
const scratch = mkdtempSync(join(tmpdir(), 'assay-release-'));
try {
  const [release, project] = [join(scratch, 'release'), join(scratch, 'project')];
  mkdirSync(release);
  execFileSync('tar', ['-x', '-C', release], {
    input: execFileSync('git', ['archive', commit], { maxBuffer: 1 << 30 }),
  });
  symlinkSync(resolve('node_modules'), join(release, 'node_modules'));
  makeProject(release, project);
  runSteps(release, project);
  await rate(release, project);
  settle(project);
  mkdirSync('test/fixtures/releases', { recursive: true });
  const sorted = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner'];
  execFileSync('tar', ['-czf', `test/fixtures/releases/${version}.tgz`, ...sorted, '-C', project, '.']);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
