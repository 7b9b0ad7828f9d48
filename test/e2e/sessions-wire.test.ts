import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bareEnv } from '../bare-env.ts';
import { assayIn } from '../command-folder.ts';
import { LAUNCHER } from '../launcher.ts';

const FIXTURES = resolve('test/fixtures/session');
const GOOD = '11111111-aaaa-4aaa-8aaa-000000000001';
const BAD = '22222222-bbbb-4bbb-8bbb-000000000002';

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'assay-wire-'));
  cpSync(join(FIXTURES, 'claude-home'), home, { recursive: true });
  cpSync(join(FIXTURES, 'openclaw-home'), join(home, 'more runs'), { recursive: true });
  cpSync(join(FIXTURES, 'task-types'), join(home, 'more runs/task-types'), { recursive: true });
  writeFileSync(join(home, 'ratings.csv'), `session_id,rating\n${GOOD},5\n${BAD},1\n`);
  writeFileSync(join(home, 'outcomes.csv'), `session_id,outcome\n${GOOD},merged\n${BAD},failed\n`);
});
afterAll(() => rmSync(home, { recursive: true }));

const assay = (words: readonly string[], stdin?: Buffer) => assayIn(home, words, { stdin });

describe('weights that may fit worse', () => {
  it('are named beside the answer of every command that takes them, as people and as programs read it', async () => {
    const file = JSON.parse(readFileSync('test/fixtures/session/weights-without-gain.json', 'utf8'));
    writeFileSync(join(home, 'weights.json'), JSON.stringify({ ...file, scorerVersion: 'session-0' }));
    for (const words of [
      ['score'],
      ['score', '--format', 'json'],
      ['explain', '1111'],
      ['attention'],
      ['roi', '--format', 'jsonl'],
      ['validate', '--ratings', 'ratings.csv'],
    ]) {
      const { stderr } = await assay(['sessions', ...words, '--weights', 'weights.json']);
      expect(stderr, words.join(' ')).toMatch(/fitted with the scorer session-0; this is session-/);
    }
  });
});

/** The commands that a page ends with. */
function nextOf(page: string): string[] {
  const [, next = ''] = page.split(/^Next: /m);
  return next
    .replaceAll(/ \\\n\s*/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** As a shell splits it; what is written to a file is printed here. */
function wordsOf(command: string): string[] {
  const script = `assay() { printf '%s\\0' "$@"; }; ${command.split(' > ')[0]}`;
  const { stdout } = spawnSync('/bin/sh', ['-c', script], { encoding: 'utf8' });
  return stdout.split('\0').slice(0, -1);
}

/** A server goes on until it is stopped: it says where it is. */
async function serves(command: string): Promise<void> {
  const child = spawn(process.execPath, [LAUNCHER, ...wordsOf(command), '--port', '0'], {
    cwd: home,
    env: bareEnv(home),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('Assay is at http://127.0.0.1:')) continue;
    child.kill('SIGTERM');
    break;
  }
  expect((await ended)[0], command).toBe(0);
}

describe('the next steps work as they are printed', () => {
  it.each([
    [['score', 'more runs', '--store', 'own store.db', '--model', 'sonnet']],
    [['score', '--no-sync']],
    [['attention', 'more runs']],
    [['digest', '--until', '2026-11-12', '--store', 'own store.db']],
    [['frontier', 'more runs', '--by', 'agent']],
    [['roi', 'more runs', '--by', 'agent']],
    [['score', '.claude', '--no-store']],
    [['explain', '1111', '.claude']],
    [['baselines', 'fit', 'more runs', '--out', 'own.json']],
    [['validate', '--ratings', 'ratings.csv']],
    [['calibrate', '--outcomes', 'outcomes.csv']],
    [['sources']],
    [['skipped', 'more runs']],
  ])('after sessions %j', async (words) => {
    const commands = nextOf((await assay(['sessions', ...words])).stdout);
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) {
      if (command.startsWith('assay serve')) {
        await serves(command);
        continue;
      }
      const { status, stderr } = await assay(wordsOf(command));
      expect(stderr, command).toBe('');
      // 2: too little to say anything with so few sessions, which is an answer.
      expect([0, 2], command).toContain(status);
    }
  });

  it('look at the sessions that were asked for, also at those of standard input', async () => {
    const [explain] = nextOf((await assay(['sessions', 'attention', 'more runs'])).stdout);
    expect(explain).toMatch(/^assay sessions explain \S+ 'more runs'$/);
    const transcript = readFileSync(join(home, '.claude/projects/-work-shop', `${BAD}.jsonl`));
    const [again] = nextOf(
      (await assay(['sessions', 'score', '-', '--store', 'piped.db'], transcript)).stdout,
    );
    expect(again).toMatch(/^assay sessions explain \S+ --no-sync --store piped.db$/);
    expect(await assay(wordsOf(again ?? ''))).toMatchObject({ status: 0, stderr: '' });
  });

  it('are left out where standard input would have to be read twice', async () => {
    const transcript = readFileSync(join(home, '.claude/projects/-work-shop', `${BAD}.jsonl`));
    for (const words of [
      ['attention', '-'],
      ['score', '-', '--no-store'],
      ['explain', '2222', '-'],
      ['skipped', '-'],
      ['roi', '-'],
    ]) {
      const { stdout, stderr } = await assay(['sessions', ...words], transcript);
      expect(stderr).toBe('');
      expect(nextOf(stdout), words.join(' ')).toEqual([]);
    }
  });

  it('go on with what was asked for', async () => {
    const next = async (...words: string[]) => nextOf((await assay(['sessions', ...words])).stdout);
    expect(await next('frontier', '.claude', '--by', 'agent')).toEqual([
      'assay sessions roi .claude --by agent',
    ]);
    expect(await next('roi', '.claude', '--by', 'agent')).toEqual([
      'assay sessions frontier .claude --by agent',
    ]);
    expect(await next('roi', '.claude', '--by', 'day')).toEqual(['assay sessions frontier .claude']);
    const scored = await next('score', '.claude', '--no-store');
    expect(scored).toContain('assay sessions score .claude --no-store --format html > sessions.html');
    expect(scored).toContain('assay sessions skipped .claude');
  });
});
