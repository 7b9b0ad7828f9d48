/** A sender names any folder as the one its session worked in. That must not open the repositories of this machine to it. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { configSchema } from '../../config.ts';
import { days, hours, scratchRepository } from '../../session/outcomes/testing/scratch-repository.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { createToken, tokenPath } from './tokens.ts';

const SECRET = 'the discount for resellers of the northern region is forty percent';

let machine = '';
let commit = '';
const home = () => join(machine, 'home');
beforeEach(() => {
  machine = realpathSync(mkdtempSync(join(tmpdir(), 'assay-machine-')));
  onTestFinished(() => rmSync(machine, { recursive: true }));
  for (const project of ['theirs', 'ours']) {
    const { write, commit: commitAll } = scratchRepository(join(machine, project));
    write('prices.txt', [SECRET]);
    const made = commitAll('Set prices', days(2));
    if (project === 'theirs') commit = made;
  }
  mkdirSync(home());
  // A folder of theirs that is named as the other project is.
  mkdirSync(join(machine, 'theirs/ours'));
});

/** What an agent leaves that wrote the line into a file of the folder. */
function transcript(cwd: string): string {
  const about = { isSidechain: false, userType: 'external', cwd, sessionId: 'probe', version: '2.1.0' };
  const at = (hour: number) => new Date(hours(hour)).toISOString();
  const write = { file_path: join(cwd, 'prices.txt'), content: `${SECRET}\n` };
  const usage = { input_tokens: 6, output_tokens: 90 };
  const say = (id: string, content: object[]) => ({
    type: 'assistant',
    message: { id, type: 'message', role: 'assistant', model: 'claude-opus-4-5-20251101', content, usage },
  });
  return [
    { type: 'user', message: { role: 'user', content: 'Write down the prices' } },
    say('m1', [{ type: 'tool_use', id: 't1', name: 'Write', input: write }]),
    {
      type: 'user',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }] },
    },
    say('m2', [{ type: 'text', text: 'Done: the prices are written down.' }]),
  ]
    .map((line, i) => ({
      ...about,
      ...line,
      uuid: `u${i}`,
      parentUuid: i === 0 ? null : `u${i - 1}`,
      timestamp: at(i),
    }))
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}

async function serverWith(repositories: Record<string, string[]>): Promise<TestServer> {
  const config = configSchema.parse({ session: { repositories } });
  const environment = { HOME: home(), PATH: process.env.PATH };
  return startTestServer({ withSessions: false, config, machine: { home: home(), environment } });
}

/** Sends it with a token of our project, and gives all that the server then says of it to the same token. */
async function answersAbout(server: TestServer, cwd: string): Promise<string> {
  const { token } = await createToken(tokenPath({ HOME: home() }), {
    name: 'ours',
    scope: 'write',
    now: new Date(),
    projects: ['ours'],
  });
  const authorization = `Bearer ${token}`;
  const ask = async (path: string) => (await server.ask(path, { headers: { authorization } })).text();
  const sent = await server.ask('/api/v1/sessions/probe/events?ended=true', {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/x-ndjson' },
    body: transcript(cwd),
  });
  expect(sent.status).toBe(200);
  const keys = async () =>
    (JSON.parse(await ask('/api/v1/sessions')) as { items: { session_key: string }[] }).items;
  await expect.poll(keys, { timeout: 60_000 }).toHaveLength(1);
  const [{ session_key: key } = { session_key: '' }] = await keys();
  const paths = ['', `/${key}`, `/${key}/explanation`, '/outcomes'].map((path) => `/api/v1/sessions${path}`);
  const answers: string[] = [];
  for (const path of paths) answers.push(await ask(path));
  return answers.join('\n');
}

describe('a session that is sent for a project', () => {
  it('learns of the repository of its own project, where that is configured', async () => {
    const server = await serverWith({ ours: [join(machine, 'ours')] });
    const answers = await answersAbout(server, join(machine, 'ours'));
    expect(answers).toContain('"lines_committed":1');
    expect(answers).toContain(`"repository":"${join(machine, 'ours/.git')}"`);
  });

  it('learns nothing of a repository where none is configured', async () => {
    const answers = await answersAbout(await serverWith({}), join(machine, 'ours'));
    expect(answers).not.toContain('"lines_committed":1');
    expect(answers).not.toMatch(/"repository":"\//);
  });

  it.each([
    ['in a folder with the name of its project', (at: string) => join(at, 'theirs/ours')],
    [
      'by a repository of its own that points there',
      (at: string) => {
        mkdirSync(join(at, 'ours/x/ours'), { recursive: true });
        writeFileSync(join(at, 'ours/x/ours/.git'), `gitdir: ${join(at, 'theirs/.git')}\n`);
        return join(at, 'ours/x/ours');
      },
    ],
    [
      'by a `.git` whose parts are links',
      (at: string) => {
        const own = join(at, 'ours/z/ours');
        mkdirSync(join(own, '.git'), { recursive: true });
        for (const name of ['HEAD', 'config']) cpSync(join(at, 'theirs/.git', name), join(own, '.git', name));
        for (const name of ['refs', 'objects'])
          symlinkSync(join(at, 'theirs/.git', name), join(own, '.git', name));
        return own;
      },
    ],
    [
      'by objects that it borrows',
      (at: string) => {
        const own = join(at, 'ours/w/ours');
        execFileSync('git', ['clone', '-q', '--shared', join(at, 'theirs'), own]);
        return own;
      },
    ],
    [
      'by a link in its own repository',
      (at: string) => {
        symlinkSync(join(at, 'theirs'), join(at, 'ours/link'));
        return join(at, 'ours/link/ours');
      },
    ],
    [
      'by a worktree of theirs in its own folder',
      (at: string) => {
        execFileSync('git', ['worktree', 'add', '-q', join(at, 'ours/y/ours')], { cwd: join(at, 'theirs') });
        return join(at, 'ours/y/ours');
      },
    ],
  ])('learns nothing of that of another project, %s', async (_, place) => {
    const server = await serverWith({ ours: [join(machine, 'ours')], theirs: [join(machine, 'theirs')] });
    const answers = await answersAbout(server, place(machine));
    expect(answers).toContain('"session_id":"probe"');
    for (const secret of [commit, commit.slice(0, 12), '"lines_committed":1', '/theirs/.git'])
      expect(answers).not.toContain(secret);
  });
});
