import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { PrintedRow } from '../../session/columns.ts';
import { hours, scratchRepository } from '../../session/outcomes/testing/scratch-repository.ts';
import { DOCUMENTED_PROFILES } from '../../session/weights.ts';
import { openStore } from '../../store/open.ts';
import type { Store } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { scoreRows } from './score-rows.ts';
import type { ScoringChoices, SessionRequest } from './session-request.ts';

const FIXTURES = 'test/fixtures/session';
const WEIGHTS = { name: 'mine', profiles: { ...DOCUMENTED_PROFILES, coding: DOCUMENTED_PROFILES.chat } };

let home: string;
let store: Store;
let ports: Ports;
let scoring: ScoringChoices;
let repositories: SessionRequest['repositories'];

beforeEach(begin);
afterEach(end);

async function begin(): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  home = mkdtempSync(join(tmpdir(), 'assay-rows-'));
  store = await openStore(join(home, 'store.db'));
  scoring = {};
  repositories = undefined;
  ports = {
    store: async () => store,
    now: () => new Date(),
    newId: () => 'id',
    identity: () => 'ada',
    progress: () => {},
    notKept: (error) => {
      throw error;
    },
    signal: new AbortController().signal,
  };
  put('claude-home/.claude/projects/-work-shop', 'shop');
  put('claude-code-subagents', 'agents');
  put('droid/sessions', 'droid');
}

async function end(): Promise<void> {
  vi.useRealTimers();
  await store.close();
  rmSync(home, { recursive: true });
}

function put(fixture: string, place: string): void {
  cpSync(resolve(FIXTURES, fixture), join(home, 'work', place), { recursive: true });
}

function write(place: string, text: string): void {
  const path = join(home, 'work', place);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Files are told by their times once they have not changed for a while; far longer than a busy machine takes for a test. */
function wait(ms = 10 * 60 * 1000): void {
  vi.setSystemTime(Date.now() + ms);
}

type Asked = { readonly keep?: boolean; readonly cache?: boolean };

async function ask({ keep = true, cache = true }: Asked = {}): Promise<readonly PrintedRow[]> {
  const from = {
    paths: [join(home, 'work')],
    home,
    environment: {},
    ...(cache && { cache: join(home, 'cache', 'sessions.db') }),
  };
  const request = { from, scoring, filter: {}, ...(repositories && { repositories }) };
  return [...(await scoreRows(request, ports, keep)).rows.rows()];
}

const afresh = () => ask({ cache: false, keep: false });

/** What the store shows, and when it was scored last. */
async function stored(): Promise<{ revisions: string[]; scoredAt: string }> {
  const rows = await store.listSessions();
  return {
    revisions: rows.map(({ sessionKey, revision }) => `${sessionKey} ${revision}`).sort(),
    scoredAt:
      rows
        .map(({ scoredAt }) => scoredAt)
        .sort()
        .at(-1) ?? '',
  };
}

it('scores and stores nothing again as long as nothing has changed', async () => {
  wait();
  const rows = await ask();
  const { scoredAt } = await stored();
  wait();
  expect(await ask()).toEqual(rows);
  expect(await ask({ keep: false })).toEqual(rows);
  expect((await stored()).scoredAt).toBe(scoredAt);
  expect(rows).toEqual(await afresh());
  expect(rows.length).toBeGreaterThan(3);
});

it('tells the store once a day that they are still scored so', async () => {
  wait();
  await ask();
  wait(25 * 60 * 60 * 1000);
  await ask();
  expect((await stored()).scoredAt).toBe(new Date().toISOString());
});

it('trusts no time of a file that has just changed', async () => {
  const rows = await ask();
  const { scoredAt } = await stored();
  wait(1000);
  expect(await ask()).toEqual(rows);
  expect((await stored()).scoredAt > scoredAt).toBe(true);
});

it('puts into the store what was only shown before', async () => {
  wait();
  const rows = await ask({ keep: false });
  expect((await stored()).revisions).toEqual([]);
  expect(await ask()).toEqual(rows);
  expect((await stored()).revisions.length).toBe(rows.length);
});

const write42 = (cwd: string) =>
  [
    { type: 'user', uuid: 'u1', message: { role: 'user', content: 'Write the answer' } },
    {
      type: 'assistant',
      uuid: 'u2',
      message: {
        id: 'm1',
        role: 'assistant',
        model: 'claude-sonnet-4-5',
        content: [
          {
            type: 'tool_use',
            id: 't1',
            name: 'Write',
            input: { file_path: join(cwd, 'answer.js'), content: 'export const answer = 42;\n' },
          },
        ],
        usage: { input_tokens: 10, output_tokens: 20 },
      },
    },
    {
      type: 'user',
      uuid: 'u3',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'written' }] },
    },
  ]
    .map((line, i) => ({ ...line, sessionId: 's-42', cwd, timestamp: new Date(hours(1 + i)).toISOString() }))
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');

it('asks a repository again once a branch has moved, it leaves out other files, or it is no longer there', async () => {
  const repository = scratchRepository();
  repository.commit('Begin', hours(0));
  write('answer/s-42.jsonl', write42(repository.path));
  repositories = { places: [], environment: process.env };
  wait();
  const workOf = (rows: readonly PrintedRow[]) => rows.find((row) => row.session_id === 's-42')?.work;
  expect(workOf(await ask())).toBe('too-young');
  const { scoredAt } = await stored();
  wait();
  expect(workOf(await ask())).toBe('too-young');
  expect((await stored()).scoredAt).toBe(scoredAt);
  repository.write('answer.js', ['export const answer = 42;']);
  repository.write('.gitignore', ['answer.js']);
  expect(workOf(await ask())).toBe('nothing-written');
  expect(await ask()).toEqual(await afresh());
  rmSync(join(repository.path, '.gitignore'));
  repository.commit('Answer', hours(5));
  expect(workOf(await ask())).toBe('on-default');
  expect(await ask()).toEqual(await afresh());
  rmSync(join(repository.path, '.git'), { recursive: true });
  expect(workOf(await ask())).toBeUndefined();
});

/** Paths of all transcripts there are. */
function files(): string[] {
  return globSync(join(home, 'work', '**/*.jsonl')).sort();
}

function anyOf<T>(list: readonly T[], n: number): T | undefined {
  return list[n % list.length];
}

const MOVES: Readonly<Record<string, (n: number) => unknown>> = {
  nothing: () => {},
  append: (n) => {
    const path = anyOf(files(), n);
    const lines = path && readFileSync(path, 'utf8').trimEnd().split('\n');
    if (path && lines) appendFileSync(path, `${anyOf(lines, n * 7)?.replaceAll('u1', `n${n}`)}\n`);
  },
  touch: (n) => {
    const path = anyOf(files(), n);
    if (path) utimesSync(path, n, n);
  },
  'change in place, under the same times': (n) => {
    const path = anyOf(files(), n);
    if (path === undefined) return;
    const { atimeMs, mtimeMs } = statSync(path);
    const text = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      text.replace(/"output_tokens": ?\d/, (all) => `${all.slice(0, -1)}${n % 10}`),
    );
    utimesSync(path, atimeMs / 1000, mtimeMs / 1000);
  },
  delete: (n) => {
    const path = anyOf(files(), n);
    if (path) rmSync(path);
  },
  copy: (n) => {
    const path = anyOf(files(), n);
    if (path) cpSync(path, `${path.slice(0, -'.jsonl'.length)}-${n}.jsonl`);
  },
  'change what lies beside': (n) => {
    const path = join(home, 'work/droid/d1.settings.json');
    if (existsSync(path)) {
      const settings = JSON.parse(readFileSync(path, 'utf8'));
      settings.tokenUsage = { ...settings.tokenUsage, outputTokens: n };
      writeFileSync(path, JSON.stringify(settings));
    }
  },
  'say what kind of work it is': (n) => {
    scoring = n % 2 === 0 ? {} : { ...scoring, taskTypeOf: { 'claude-code': 'research' } };
  },
  'set weights': (n) => {
    scoring = n % 2 === 0 ? {} : { ...scoring, ownWeights: WEIGHTS };
  },
  'give prices': (n) => {
    const prices = join(home, 'prices.json');
    const rates = { input: n, output: n, cacheRead: n, cacheWrite: n };
    writeFileSync(prices, JSON.stringify({ 'claude-sonnet-4-5': rates }));
    const { prices: _, ...others } = scoring;
    scoring = n % 2 === 0 ? others : { ...others, prices };
  },
  'hear a model': async (n) => {
    const rows = await store.listSessions();
    const one = anyOf(rows, n);
    const said = { kind: 'session', author: 'anthropic/claude a-rubric 0123456789ab', rating: 1 + (n % 5) };
    const [ratingId, subjectId, at] = [String(Date.now()), one?.sessionKey ?? '', new Date().toISOString()];
    if (one) await store.appendRatings([{ ...said, ratingId, subjectId, at }]);
  },
  prune: (n) =>
    store.prune('sessions', n % 2 === 0 ? '2026-11-10T12:00:00.000Z' : '2100-01-01T00:00:00.000Z'),
};

/** Asks after a change; what is shown and stored must be what it would be if nothing were remembered. */
async function expectFreshAfter(name: string, n: number): Promise<void> {
  await MOVES[name]?.(n);
  wait();
  const rows = await ask();
  expect(rows, name).toEqual(await afresh());
  const { revisions } = await stored();
  await ask({ cache: false });
  expect((await stored()).revisions, name).toEqual(revisions);
}

it('notices whatever rows rest on', async () => {
  for (const [place, name] of Object.keys(MOVES).entries()) {
    scoring = {};
    wait();
    // Twice: the first asking may have scored.
    expect(await ask()).toEqual(await ask());
    await expectFreshAfter(name, 2 * place + 1);
  }
});

it('gives what scoring afresh gives, whatever has changed in between', async () => {
  const move = fc.tuple(fc.constantFrom(...Object.keys(MOVES)), fc.nat(40));
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 3, maxLength: 6 }), async (moves) => {
      await end();
      await begin();
      wait();
      await ask();
      for (const [name, n] of moves) await expectFreshAfter(name, n);
    }),
    { numRuns: 3 },
  );
});
