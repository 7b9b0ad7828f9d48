/**
 * A dashboard with something to show: the transcripts of this repository's examples and fixtures, moved to the last
 * weeks, scored by the real command into a store of its own, and served by the real server.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runCommand } from '../src/testing/run-command.ts';
import { withoutKey } from '../src/testing/server-keys.ts';
import { LAUNCHER } from './launcher.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const DAY_MS = 86_400_000;
const run = promisify(execFile);

export type Dashboard = {
  readonly url: string;
  /** What a guarded one lets in. */
  readonly token: string;
  readonly folder: string;
  /** The folder of transcripts, which `score` scores. */
  readonly transcripts: string;
  /** Runs a command of the command line over the same store. */
  readonly assay: (...words: string[]) => Promise<string>;
  /** Ends the server as a crash does; returns a function that starts it again at the same address. */
  readonly kill: () => Promise<() => Promise<void>>;
  readonly stop: () => Promise<void>;
};

const EXAMPLES = [
  'examples/session/shop/11111111-aaaa-4aaa-8aaa-000000000001.jsonl',
  'examples/session/shop/22222222-bbbb-4bbb-8bbb-000000000002.jsonl',
  'examples/session/site/33333333-cccc-4ccc-8ccc-000000000003.jsonl',
  'examples/session/site/55555555-eeee-4eee-8eee-000000000005.jsonl',
  'examples/session/site/66666666-ffff-4fff-8fff-000000000006.jsonl',
];
const MODELS = ['claude-opus-4-5-20251101', 'claude-sonnet-4-5-20250929', 'claude-haiku-4-5-20251001'];

const TIME = /"(20\d\d-\d\d-\d\dT[\d:.]+Z)"/g;

/** A transcript as it would be, had it ended so many days ago. */
function shifted(text: string, daysAgo: number): string {
  const times = [...text.matchAll(TIME)].map(([, time = '']) => Date.parse(time));
  const now = Date.now();
  const shift = now - daysAgo * DAY_MS - Math.max(...times);
  return text.replaceAll(TIME, (_, time) => `"${new Date(Date.parse(time) + shift).toISOString()}"`);
}

/** The same by another model and under another id. */
export function movedTranscript(path: string, daysAgo: number, variant: number): string {
  const id = basename(path, '.jsonl');
  const model = MODELS[variant % MODELS.length] ?? '';
  return (
    shifted(readFileSync(join(ROOT, path), 'utf8'), daysAgo)
      // A message that two files hold counts once.
      .replaceAll(/"(id|requestId|tool_use_id|uuid|parentUuid)": ?"([^"]+)"/g, `"$1":"$2-${variant}"`)
      .replaceAll(id, id.replace(/^.{4}/, String(1000 + variant)))
      .replaceAll(/claude-(?:opus|sonnet)-[\w-]+/g, model)
  );
}

async function fill(folder: string, transcripts: string, assay: Dashboard['assay']): Promise<void> {
  let variant = 0;
  const put = (path: string, text: string) => {
    const to = join(transcripts, path);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, text.replaceAll('/work/site', join(folder, 'site')));
  };
  for (let days = 0; days < 16; days++)
    for (const [index, path] of EXAMPLES.entries()) {
      if ((days * 5 + index * 3) % 7 < 3) continue;
      variant += 1;
      const name = `${1000 + variant}${basename(path).slice(4)}`;
      put(`${index < 2 ? 'shop' : 'site'}/${name}`, movedTranscript(path, days + 0.2, variant));
    }
  for (const path of ['s-main.jsonl', 's-main/subagents/agent-a11.jsonl'])
    put(
      `web/${path}`,
      shifted(readFileSync(join(ROOT, 'test/fixtures/session/claude-code-subagents', path), 'utf8'), 1.5),
    );
  await commitWork(join(folder, 'site'));
  await assay('sessions', 'score', transcripts, '--quiet');
  cpSync(join(ROOT, 'examples'), join(folder, 'examples'), { recursive: true });
  await assay('example', '--quiet');
  for (const name of ['review-1', 'review-2'])
    await assay(
      ...['workflow', 'score', '--quiet', '--workflow', name, '--runs', 'examples/workflow/runs'],
      ...[
        '--truth',
        'examples/workflow/truth/webhook-relay.yaml',
        '--documents',
        'examples/workflow/documents',
      ],
    );
}

type Written = { readonly file_path?: string; readonly content?: string };

/** The repository of one of the projects, with what its sessions wrote committed. */
async function commitWork(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const git = (...words: string[]) =>
    run('git', ['-c', 'user.name=ann', '-c', 'user.email=ann@example.org', ...words], { cwd: folder });
  await git('init', '--quiet', '--initial-branch=main');
  await git('commit', '--quiet', '--allow-empty', '--message=begin');
  for (const { file_path: path, content } of writtenIn(EXAMPLES[2] ?? '')) {
    if (path === undefined || content === undefined) continue;
    const to = path.replace('/work/site', folder);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, content);
  }
  await git('add', '--all');
  await git('commit', '--quiet', '--message=search');
}

function writtenIn(path: string): readonly Written[] {
  const texts = readFileSync(join(ROOT, path), 'utf8').trim().split('\n');
  return texts.flatMap((text) => {
    const { message } = JSON.parse(text) as { message?: { content?: unknown } };
    const parts = Array.isArray(message?.content) ? (message.content as { input?: Written }[]) : [];
    return parts.flatMap(({ input }) => input ?? []);
  });
}

export async function startDashboard(
  options: {
    readonly empty?: boolean /** Others can reach it: it asks for a token. */;
    readonly guarded?: boolean;
    /** What `assay.config.json` says. */
    readonly config?: object;
  } = {},
): Promise<Dashboard> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-dashboard-'));
  const transcripts = join(folder, 'transcripts');
  mkdirSync(transcripts);
  if (options.config !== undefined)
    writeFileSync(join(folder, 'assay.config.json'), JSON.stringify(options.config));
  const store = ['--store', join(folder, 'assay.db')];
  const env = { ...process.env, HOME: folder, USERPROFILE: folder };
  const assay = async (...words: string[]) => {
    const argv = [...words, ...(words[0] === 'token' ? [] : store)];
    const { status, stdout, stderr } = await runCommand(argv, { cwd: folder, env });
    if (status !== 0) throw Object.assign(new Error(stderr), { stdout });
    return stdout;
  };
  if (options.empty !== true) await fill(folder, transcripts, assay);
  const token = options.guarded ? (await assay('token', 'create')).trim() : '';
  const guard = options.guarded ? ['--allow-host', 'assay.example'] : [];
  const start = (port: string) =>
    spawn(process.execPath, [LAUNCHER, 'serve', '--port', port, ...guard, ...store], { cwd: folder, env });
  let server = start('0');
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill(signal);
    await ended;
  };
  const url = await addressOf(server);
  return {
    url,
    token,
    folder,
    transcripts,
    assay,
    kill: async () => {
      await end('SIGKILL');
      return async () => {
        server = start(new URL(url).port);
        await addressOf(server);
      };
    },
    stop: async () => {
      await end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Where a server that was just started says it is. */
export function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    server.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const [, url] = /Assay is at (\S+)\n/.exec(said) ?? [];
      if (url !== undefined) resolve(withoutKey(url).slice(0, -1));
    });
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    server.once('exit', () => reject(new Error(`the server ended: ${said}`)));
  });
}
