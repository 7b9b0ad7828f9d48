import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import { defaultPorts } from '../../src/operations/default-ports.ts';
import { SessionFollower } from '../../src/operations/session/follow-sessions.ts';
import { answerFromStore, storeProxy } from '../../src/operations/session/store-proxy.ts';
import { bareEnv } from '../bare-env.ts';
import { assayIn, commandFolder } from '../command-folder.ts';
import { LAUNCHER } from '../launcher.ts';

const folder = commandFolder();
const IDS = ['11111111-aaaa-4aaa-8aaa-000000000001', '22222222-aaaa-4aaa-8aaa-000000000002'];
const app = () => join(folder.path, 'app');
const transcriptOf = (id: string) => join(folder.path, '.claude/projects/app', `${id}.jsonl`);
const verify = (...words: readonly string[]) => assayIn(app(), ['sessions', 'verify', ...words], home());
const home = () => ({ env: { HOME: folder.path } });

function git(at: string, ...args: readonly string[]): void {
  const author = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.org', GIT_AUTHOR_DATE: at };
  const committer = { GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.org', GIT_COMMITTER_DATE: at };
  const env = { ...bareEnv(folder.path), GIT_CONFIG_GLOBAL: '/dev/null', ...author, ...committer };
  execFileSync('git', args, { cwd: app(), env });
}

function writeTo(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** A session that writes a file at ten o'clock and says that it is done. */
function wrote(id: string, day: string, content: string): void {
  const common = { sessionId: id, cwd: app(), version: '2.1.0', isSidechain: false };
  const input = { file_path: join(app(), 'value.txt'), content };
  const records = [
    { type: 'user', message: { role: 'user', content: 'Write the value' } },
    {
      type: 'assistant',
      message: {
        id: 'm1',
        role: 'assistant',
        model: 'm',
        content: [{ type: 'tool_use', id: 't1', name: 'Write', input }],
      },
    },
    {
      type: 'user',
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 't1', content: 'File written' }],
      },
    },
    {
      type: 'assistant',
      message: {
        id: 'm2',
        role: 'assistant',
        model: 'm',
        content: [{ type: 'text', text: 'The value is written, and that is all that was asked for.' }],
        stop_reason: 'end_turn',
      },
    },
  ].map((record, i) => ({
    ...common,
    ...record,
    uuid: `${id}-${i}`,
    ...(i > 0 && { parentUuid: `${id}-${i - 1}` }),
    timestamp: `${day}T10:0${i}:00.000Z`,
  }));
  writeTo(transcriptOf(id), `${records.map((one) => JSON.stringify(one)).join('\n')}\n`);
}

beforeEach(() => {
  mkdirSync(app());
  git('2026-03-01T09:00:00Z', 'init', '-q', '-b', 'main');
  writeTo(join(app(), 'check.sh'), 'grep -q good value.txt\n');
  writeTo(join(app(), 'value.txt'), 'a value of the beginning\n');
  git('2026-03-01T09:00:00Z', 'add', '-A');
  git('2026-03-01T09:00:00Z', 'commit', '-q', '-m', 'Begin');
  const days = ['2026-03-02', '2026-03-03'];
  for (const [i, content] of ['a good value, number two\n', 'a worse value, number three\n'].entries()) {
    wrote(IDS[i] ?? '', days[i] ?? '', content);
    writeTo(join(app(), 'value.txt'), content);
    git(`${days[i]}T11:00:00Z`, 'commit', '-qam', `Value ${i}`);
  }
  git('2026-03-20T09:00:00Z', 'commit', '-q', '--allow-empty', '-m', 'Later');
});

async function row(index: number) {
  const { stdout } = await assayIn(app(), ['sessions', 'list', '--format', 'jsonl'], home());
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return rows.find(({ session_id }) => session_id === IDS[index]);
}

async function states(): Promise<(number | undefined)[]> {
  const found: (number | undefined)[] = [];
  for (const id of IDS) {
    const { stdout } = await assayIn(app(), ['sessions', 'explain', id, '--format', 'json'], home());
    const signals = JSON.parse(stdout).runs.flatMap((run: { categories: { signals: object[] }[] }) =>
      Object.values(run.categories).flatMap(({ signals: own }) => own),
    );
    found.push(signals.find(({ id: name }: { id: string }) => name === 'state-changed')?.value);
  }
  return found;
}

it('goes before every other evidence of what a session came to, also when its transcript is read again', async () => {
  const { stdout, status } = await verify('--command', 'sh check.sh', '--format', 'json');
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    checkouts: { run: 3, cached: 0 },
    sessions: [
      { session_id: IDS[0], result: 'fixed' },
      { session_id: IDS[1], result: 'broke' },
    ],
  });
  expect([(await row(0)).verified, (await row(1)).verified]).toEqual(['yes', 'failed']);
  expect(await states()).toEqual([1, 0]);
  // It is still that session after more was written to its transcript.
  appendFileSync(
    transcriptOf(IDS[1] ?? ''),
    `${JSON.stringify({ type: 'summary', summary: 'x', leafUuid: 'y' })}\n`,
  );
  expect(await states()).toEqual([1, 0]);
  const again = await verify(IDS[1] ?? '', '--command', 'sh check.sh', '--format', 'csv');
  expect(again.stdout).toContain('broke');
  expect((await verify('--command', 'sh check.sh')).stdout).toContain('ran in 0 checkouts, 3 cached');
});

it('stays where the server follows the sessions', async () => {
  await verify('--command', 'sh check.sh');
  const ports = defaultPorts({ store: join(folder.path, '.local/share/assay/assay.db') });
  const from = { paths: [], home: folder.path, environment: bareEnv(folder.path) };
  const repositories = { places: [], environment: bareEnv(folder.path) };
  const request = { from, repositories, silenceMs: 1 };
  // As in the thread of the server.
  const store = storeProxy((question) => answerFromStore(question, ports));
  const followed = new SessionFollower(request, { ...ports, store: async () => store }, () => {});
  await followed.begin();
  await followed.stop();
  await ports.close();
  expect((await row(1)).verified).toBe('failed');
});

it('runs no command that nobody named, and none of a configuration that nobody trusts', async () => {
  expect((await verify()).status).toBe(3);
  writeTo(join(app(), 'assay.config.yaml'), 'session:\n  verify:\n    command: touch ran; sh check.sh\n');
  const refused = await verify();
  expect([refused.status, refused.stderr]).toEqual([3, expect.stringContaining('do not trust')]);
  await assayIn(app(), ['trust'], home());
  expect((await verify()).stdout).toContain('1 fixed, 1 broke');
});

const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('assay-verify-'));
const isSleeping = () =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n').includes('sleep 1616');

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    if (tries > 600) throw new Error('it did not come to that');
    await wait(50);
  }
}

it.each(['SIGINT', 'SIGKILL'] as const)(
  'leaves no process and, by its next run, no folder after %s',
  async (signal) => {
    const words = ['sessions', 'verify', '--command', 'sleep 1616', '--store', join(folder.path, 'other.db')];
    const child = spawn(process.execPath, [LAUNCHER, ...words], {
      cwd: app(),
      env: bareEnv(folder.path),
      stdio: 'ignore',
    });
    await until(isSleeping);
    const [own = ''] = folders();
    child.kill(signal);
    await once(child, 'exit');
    if (signal === 'SIGKILL') {
      expect(folders()).toEqual([own]);
      await verify('--command', 'sh check.sh');
    }
    await until(() => !isSleeping());
    expect(folders()).toEqual([]);
  },
);
