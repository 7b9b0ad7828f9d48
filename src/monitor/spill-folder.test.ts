import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { configSchema } from '../config.ts';
import { createToken, tokenPath } from '../server/security/tokens.ts';
import { startTestServer } from '../server/testing/test-server.ts';
import { openStore } from '../store/open.ts';
import { OTHER_ACCOUNT, whyOtherCannotRun } from '../testing/other-account.ts';
import { type MonitorOptions, monitor } from './monitor.ts';
import { SpillFolder } from './spill-folder.ts';

/** Nobody listens there. */
const NOBODY = 'http://127.0.0.1:9';
/** No process has this number. */
const DEAD = 2 ** 22 + 1;
/** Only root can give a folder away. */
const asRoot = it.skipIf(process.geteuid?.() !== 0);
const SERVICE = join(import.meta.dirname, 'testing/service.ts');

function tempFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'assay-spill-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Servers that know the same tokens and store texts. */
async function team() {
  const home = tempFolder();
  const machine = { home, environment: { HOME: home } };
  const config = configSchema.parse({ production: { keepText: true } });
  const tokenOf = async (name: string) =>
    (await createToken(tokenPath({ HOME: home }), { name, scope: 'write', now: new Date() })).token;
  return {
    start: (port = 0) => startTestServer({ withSessions: false, machine, config, port }),
    tokens: { first: await tokenOf('first'), second: await tokenOf('second') },
  };
}

/** A process of its own, with the default folder below `temp`. Gives what it said on standard error. */
async function runService(temp: string, way: string, url: string, token: string, word: string, uid?: number) {
  const env = { ...process.env, TMPDIR: temp, ASSAY_TOKEN: token };
  const child = spawn(process.execPath, [SERVICE, way, url, '', word], {
    env,
    ...(uid && { uid, gid: uid }),
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const [code] = await once(child, 'close');
  expect(code, said).toBe(0);
  return said;
}

async function textsIn(path: string): Promise<string[]> {
  const store = await openStore(path);
  const records = await store.readDecompositions();
  const texts = await Promise.all(records.map(({ id }) => store.readDecompositionText(id)));
  await store.close();
  return texts.map((one) => one?.text ?? 'none').sort();
}

const FIRST = ['first 0', 'first 1', 'first 2'];
const SECOND = ['second 0', 'second 1', 'second 2'];

describe('records that wait for a server', () => {
  it('are sent to that server alone, whichever service runs first', async () => {
    const { start, tokens } = await team();
    const temp = tempFolder();
    const [gone, other] = [await start(), await start()];
    const address = gone.url;
    await gone.stop();
    await runService(temp, 'exit', address, tokens.first, 'first');
    await runService(temp, 'idle', other.url, tokens.second, 'second');
    expect(await textsIn(other.store)).toEqual(SECOND);
    const back = await start(Number(new URL(address).port));
    await runService(temp, 'idle', address, tokens.first, 'first');
    expect(await textsIn(back.store)).toEqual([...FIRST, ...FIRST].sort());
    expect(await textsIn(other.store)).toEqual(SECOND);
  });

  it('are sent with the token they were stored with, and a service with another one says so', async () => {
    const { start, tokens } = await team();
    const temp = tempFolder();
    const gone = await start();
    await gone.stop();
    expect(await runService(temp, 'exit', gone.url, tokens.first, 'first')).toBe('');
    const back = await start(Number(new URL(gone.url).port));
    const said = await runService(temp, 'idle', gone.url, tokens.second, 'second');
    expect(await textsIn(back.store)).toEqual(SECOND);
    expect(said).toContain('from another token');
    expect(await runService(temp, 'idle', gone.url, tokens.first, 'first')).toBe('');
    expect(await textsIn(back.store)).toEqual([...FIRST, ...FIRST, ...SECOND].sort());
  });

  it('lie under a name that does not tell the token', async () => {
    const { tokens } = await team();
    const temp = tempFolder();
    await runService(temp, 'exit', NOBODY, tokens.first, 'first');
    const paths = globSync('**/*', { cwd: temp });
    expect(paths.some((path) => path.endsWith('.jsonl'))).toBe(true);
    const secret = tokens.first.split('_').at(-1) ?? '';
    for (const path of paths) expect(path).not.toContain(secret.slice(0, 8));
  });
});

function watched(options: MonitorOptions<[string], object>) {
  const notes: string[] = [];
  const answer = (text: string) => ({ concepts: [{ label: text }] });
  const decompose = monitor(answer, { onNote: (text) => notes.push(text), ...options });
  onTestFinished(() => decompose.close());
  return { decompose, notes };
}

it('keeps apart what two monitors of one process send', async () => {
  const { start, tokens } = await team();
  const spill = tempFolder();
  const [gone, other] = [await start(), await start()];
  await gone.stop();
  const sampled = { spill, keepText: true, sampleRate: 1 };
  const { decompose: first } = watched({ ...sampled, url: gone.url, token: tokens.first });
  for (const text of FIRST) first(text);
  await first.flush();
  const { decompose: second } = watched({ ...sampled, url: other.url, token: tokens.second });
  for (const text of SECOND) second(text);
  await second.flush();
  expect([first.counts().spilled, second.counts().sent]).toEqual([3, 3]);
  expect(await textsIn(other.store)).toEqual(SECOND);
  const back = await start(Number(new URL(gone.url).port));
  await first.flush();
  expect(await textsIn(back.store)).toEqual(FIRST);
  expect(await textsIn(other.store)).toEqual(SECOND);
});

describe('a folder of one’s own', () => {
  /** What another account may have prepared: a record to be sent in this person's name. */
  const PLANTED = `${JSON.stringify({ id: 'planted', at: '2026-11-16T12:00:00Z', status: 'ok' })}\n`;

  async function expectUnused(give: (paths: { spill: string; below: string }) => void) {
    const { start } = await team();
    const gone = await start();
    await gone.stop();
    const spill = join(tempFolder(), 'prepared');
    const below = new SpillFolder(spill, gone).path;
    mkdirSync(spill, { mode: 0o700 });
    mkdirSync(below, { mode: 0o700 });
    writeFileSync(join(below, `${DEAD}-x-1.jsonl`), PLANTED);
    give({ spill, below });
    const { decompose, notes } = watched({ url: gone.url, spill });
    expect(notes).toEqual([expect.stringMatching(/prepared.* belongs to another user.*folder of your own/)]);
    decompose('a text');
    await decompose.flush();
    expect(decompose.counts()).toMatchObject({ sent: 0, spilled: 0, waiting: 0, dropped: 1 });
    expect(notes.at(-1)).toMatch(/^1 request could not be recorded: .*prepared/);
    expect(globSync('*', { cwd: below })).toEqual([`${DEAD}-x-1.jsonl`]);
    const back = await start(Number(new URL(gone.url).port));
    await decompose.flush();
    expect(await textsIn(back.store)).toEqual([]);
  }

  asRoot('is made for an account that has no name, as in a container', async (context) => {
    const temp = tempFolder();
    chmodSync(temp, 0o1777);
    const obstacle = whyOtherCannotRun([SERVICE, temp]);
    context.skip(obstacle !== undefined, obstacle);
    expect(await runService(temp, 'exit', NOBODY, '', 'first', OTHER_ACCOUNT)).toBe('');
    expect(globSync(`assay-monitor-${OTHER_ACCOUNT}/*/*.jsonl`, { cwd: temp })).toHaveLength(1);
  });

  it('is not used where all may write to it', () => expectUnused(({ spill }) => chmodSync(spill, 0o777)));

  it('is not used where all may write to the part of this server', () =>
    expectUnused(({ below }) => chmodSync(below, 0o777)));

  asRoot('is not used where it is of somebody else', () =>
    expectUnused(({ spill }) => chownSync(spill, OTHER_ACCOUNT, OTHER_ACCOUNT)),
  );

  asRoot('gives none of the records that somebody else put there', async () => {
    const { start } = await team();
    const { url, store } = await start();
    const spill = tempFolder();
    const below = new SpillFolder(spill, { url }).path;
    mkdirSync(below, { mode: 0o700 });
    const [mine, planted] = [join(below, `${DEAD}-x-1.jsonl`), join(below, `${DEAD}-x-2.jsonl`)];
    for (const path of [mine, planted]) writeFileSync(path, PLANTED.replace('planted', path.slice(-7, -6)));
    chownSync(planted, OTHER_ACCOUNT, OTHER_ACCOUNT);
    const { decompose } = watched({ url, spill });
    await decompose.flush();
    expect(decompose.counts()).toMatchObject({ sent: 1 });
    expect(await textsIn(store)).toHaveLength(1);
    expect(existsSync(planted)).toBe(true);
  });

  it('is not read where it became somebody else’s, and what was in it is counted', async () => {
    const { start } = await team();
    const gone = await start();
    await gone.stop();
    const spill = tempFolder();
    const { decompose, notes } = watched({ url: gone.url, spill });
    decompose('a text');
    await decompose.flush();
    expect(decompose.counts()).toMatchObject({ spilled: 1, dropped: 0 });
    chmodSync(spill, 0o777);
    await start(Number(new URL(gone.url).port));
    await decompose.flush();
    expect(decompose.counts()).toMatchObject({ sent: 0, spilled: 0, dropped: 1 });
    expect(notes.at(-1)).toContain(`${spill} belongs to another user`);
  });
});

describe('the folder of a server', () => {
  const of = (url: string, token?: string) => new SpillFolder('/spill', { url, token }).path;

  it('is that of the address as requests use it', () => {
    expect(of('http://Assay.example:80/some/page?x=1')).toBe(of('http://assay.example'));
    expect(of('http://assay.example', '')).toBe(of('http://assay.example'));
    const others = ['https://assay.example', 'http://assay.example:81', 'http://assay.example.', 'nowhere'];
    const all = [
      of('http://assay.example'),
      of('http://assay.example', 'token'),
      ...others.map((url) => of(url)),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});
