import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bareEnv } from '../bare-env.ts';
import { assayIn } from '../command-folder.ts';

const ID = '33333333-cccc-4ccc-8ccc-000000000003';
const LINES = [
  'export const first = "a line that is committed";',
  'export const second = "one that is not";',
];

let home: string;
let app: string;

function git(at: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync('git', args, {
    cwd: app,
    encoding: 'utf8',
    env: {
      ...bareEnv(home),
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_AUTHOR_DATE: at,
      GIT_COMMITTER_DATE: at,
      GIT_AUTHOR_NAME: 'A',
      GIT_AUTHOR_EMAIL: 'a@example.org',
      GIT_COMMITTER_NAME: 'A',
      GIT_COMMITTER_EMAIL: 'a@example.org',
    },
  });
  if (status !== 0) throw new Error(stderr);
}

/** A Claude Code transcript in which a file is written at ten in the morning. */
function transcript(folder: string, file = 'src/app.js'): string {
  const common = { sessionId: ID, cwd: folder, version: '2.1.0', isSidechain: false };
  const at = (minute: number) => `2026-03-02T10:0${minute}:00.000Z`;
  const input = { file_path: join(folder, file), content: LINES.join('\n') };
  const content = [{ type: 'tool_use', id: 't1', name: 'Write', input }];
  const result = [{ type: 'tool_result', tool_use_id: 't1', content: 'File created successfully' }];
  const said = [{ type: 'text', text: 'The file is written, as you asked for it.' }];
  return [
    {
      ...common,
      type: 'user',
      uuid: 'a',
      timestamp: at(0),
      message: { role: 'user', content: 'Write app.js' },
    },
    {
      ...common,
      type: 'assistant',
      uuid: 'b',
      timestamp: at(1),
      message: { id: 'm1', role: 'assistant', model: 'm', content },
    },
    { ...common, type: 'user', uuid: 'c', timestamp: at(2), message: { role: 'user', content: result } },
    {
      ...common,
      type: 'assistant',
      uuid: 'd',
      timestamp: at(3),
      message: { id: 'm2', role: 'assistant', model: 'm', content: said, stop_reason: 'end_turn' },
    },
  ]
    .map((record) => JSON.stringify(record))
    .join('\n');
}

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'assay-outcomes-'));
  app = join(home, 'app');
  mkdirSync(join(app, 'src'), { recursive: true });
  mkdirSync(join(home, 'runs'));
  mkdirSync(join(home, 'moved'));
  writeFileSync(join(home, 'runs', `${ID}.jsonl`), transcript(app));
  writeFileSync(join(home, 'moved', `${ID}.jsonl`), transcript('/nowhere/app'));
  git('2026-03-01T09:00:00Z', 'init', '-q', '-b', 'main');
  writeFileSync(join(app, 'src/app.js'), `${LINES[0]}\n`);
  git('2026-03-02T11:00:00Z', 'add', '-A');
  git('2026-03-02T11:00:00Z', 'commit', '-q', '-m', 'Add a line');
  git('2026-03-12T11:00:00Z', 'commit', '-q', '--allow-empty', '-m', 'Later');
});
afterAll(() => rmSync(home, { recursive: true }));

const assay = (...words: readonly string[]) => assayIn(home, ['sessions', ...words]);

const row = async (...words: readonly string[]) =>
  JSON.parse((await assay(...words, '--format', 'jsonl')).stdout);

describe('assay sessions outcomes', () => {
  it('finds the repository by the folder of the session, and says what became of its lines', async () => {
    expect(await row('outcomes', 'runs')).toMatchObject({
      session_id: ID,
      repository: expect.stringContaining(app),
      lines_written: 2,
      lines_committed: 1,
      lines_on_default: 1,
      lines_surviving: 1,
      survival_1d: 1,
      survival_7d: 1,
      survival_30d: null,
      commits: [expect.stringMatching(/^[0-9a-f]{40}$/)],
      reverted: false,
      state: 'on-default',
      tellable_from: '2026-04-01',
      evidence: ['written lines'],
    });
    const { stdout, status } = await assay('outcomes', 'runs');
    expect(status).toBe(0);
    expect(stdout).toContain('that of 1 reached the default branch');
  });

  it('takes a repository that is named, for all or for a recorded folder', async () => {
    const gone = await assay('outcomes', 'moved', '--format', 'csv');
    expect(gone.status).toBe(2);
    expect(gone.stdout).toContain('its folder does not exist here');
    for (const repo of ['app', '/nowhere/app=app', '/nowhere=app,/else=nowhere'])
      expect(await row('outcomes', 'moved', '--repo', repo)).toMatchObject({
        state: 'on-default',
        lines_committed: 1,
      });
  });

  it('says the same a second time, from what it remembers', async () => {
    expect(await row('outcomes', 'runs')).toEqual(await row('outcomes', 'runs'));
  });
});

describe('assay sessions score', () => {
  it('asks the repository unless it is told not to', async () => {
    expect(await row('score', 'runs')).toMatchObject({ work: 'on-default', judged_on: expect.any(String) });
    expect(await row('score', 'runs', '--no-git')).toMatchObject({ work: null, judged_on: null });
    const { stdout } = await assay('explain', '3333', 'runs');
    expect(stdout).toContain('the repository shows: 50% of its lines came into main');
  });

  it('asks the repository again what it ignores with --fresh', async () => {
    mkdirSync(join(home, 'notes'));
    mkdirSync(join(app, 'notes'));
    writeFileSync(join(home, 'notes', `${ID}.jsonl`), transcript(app, 'notes/plan.js'));
    writeFileSync(join(app, 'notes/plan.js'), LINES.join('\n'));
    const work = async (...words: readonly string[]) => (await row('score', 'notes', ...words)).work;
    expect(await work()).toBe('not-committed');
    writeFileSync(join(app, '.gitignore'), 'notes/\n');
    expect(await work('--fresh')).toBe('nothing-written');
    expect(await work()).toBe('nothing-written');
    rmSync(join(app, '.gitignore'));
  });
});
