import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bareEnv } from '../bare-env.ts';
import { assayIn } from '../command-folder.ts';
import { LAUNCHER } from '../launcher.ts';

const FIXTURE = resolve('test/fixtures/session/claude-home');
const GOOD = '11111111-aaaa-4aaa-8aaa-000000000001';
const BAD = '22222222-bbbb-4bbb-8bbb-000000000002';

let home: string;
let projects: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'assay-home-'));
  cpSync(FIXTURE, home, { recursive: true });
  projects = join(home, '.claude/projects/-work-shop');
});
afterEach(() => rmSync(home, { recursive: true }));

const assay = (words: string[], stdin?: string | Buffer) => assayIn(home, words, { stdin });

type SessionRow = Record<string, string | number | null>;

async function rows(words: string[] = [], input?: string | Buffer): Promise<SessionRow[]> {
  const { status, stdout, stderr } = await assay(['sessions', 'score', ...words, '--format', 'jsonl'], input);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as SessionRow);
}

describe('assay, with sessions on the machine', () => {
  it('finds and scores them without a word of configuration', async () => {
    const { status, stdout, stderr } = await assay([]);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(stdout).toContain('Scored 2 sessions from Claude Code (2)');
    expect(stdout.replaceAll('\n', ' ')).toContain('1 line unreadable in 1 file.');
    expect(stdout).toContain('assay sessions skipped');
    expect(stdout).toContain('Q measures how a session went, not whether its answer was right.');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('shows an example of everything when there are none, and leaves nothing behind', async () => {
    rmSync(join(home, '.claude'), { recursive: true });
    const { status, stdout, stderr } = await assay([]);
    expect(status).toBe(0);
    expect(stderr).toBe('');
    expect(stdout).toContain('No agent sessions were found');
    for (const instrument of ['Sessions:', 'Workflow:', 'Decomposition:'])
      expect(stdout).toContain(instrument);
    expect(readdirSync(home)).toEqual([]);
  });

  it.skipIf(!existsSync('/proc'))('works where nothing can be made', () => {
    const options = { cwd: '/proc', encoding: 'utf8', env: bareEnv(home) } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [LAUNCHER], options);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('Scored 2 sessions');
    expect(existsSync(join(home, '.local/share/assay/assay.db'))).toBe(true);
  });

  it('answers from a store that is named, and from transcripts that are', async () => {
    await assay(['sessions', 'score', join('.claude', 'projects'), '--store', 'kept.db', '--quiet']);
    rmSync(join(projects, `${BAD}.jsonl`));
    const total = async (...words: string[]) =>
      JSON.parse((await assay(['sessions', 'list', ...words, '--format', 'json'])).stdout).total.sessions;
    expect(await total('--store', 'kept.db')).toBe(2);
    expect(await total('.claude', '--store', 'kept.db')).toBe(1);
  });

  it('explains a session from the store when its transcript is gone', async () => {
    const several = await assay(['sessions', 'explain', '0000']);
    expect(several.stderr).toMatch(new RegExp(`It is one of:\\n *${GOOD}`));
    const { status, stdout } = await assay(['sessions', 'explain', 'bbbb', '--show']);
    expect(status).toBe(0);
    expect(stdout).toContain('What the lines say');
    rmSync(join(projects, `${BAD}.jsonl`));
    expect((await assay(['sessions', 'explain', 'bbbb'])).stdout).toContain(BAD);
    expect((await assay(['sessions', 'explain', 'bbbb', '.claude'])).status).toBe(3);
  });

  it('does not follow a link out of the places of the agents, and says so', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'assay-elsewhere-'));
    cpSync(join(projects, `${GOOD}.jsonl`), join(elsewhere, 'private.jsonl'));
    symlinkSync(elsewhere, join(projects, 'link'));
    symlinkSync(join(elsewhere, 'private.jsonl'), join(projects, 'private.jsonl'));
    const { stdout, stderr } = await assay(['sessions', 'score', '--format', 'json']);
    expect(JSON.parse(stdout)).toHaveLength(2);
    expect(stderr).toContain('private.jsonl: it is a link to a file elsewhere');
    expect(stderr).toContain(`name ${elsewhere} as well`);
    expect((await assay(['sessions', 'attention', '--gate'])).status).not.toBe(0);
    rmSync(elsewhere, { recursive: true });
  });

  it('lists the places it looks at', async () => {
    const { stdout } = await assay(['sessions', 'sources']);
    expect(stdout).toContain('2 transcripts found');
    expect(stdout).toContain('.codex/sessions');
  });
});

describe('assay sessions score', () => {
  it('counts the tokens of a message once, the last record of it', async () => {
    const [good] = await rows();
    // messages 1 to 6: output 60 + 40 + 80 + 40 + 50 + 90; the first record of message 1 said 1
    expect(good).toMatchObject({
      session_id: GOOD,
      input_tokens: 35,
      output_tokens: 360,
      cache_read_tokens: 12_100,
      cache_write_tokens: 2800,
      turns: 1,
      tool_calls: 5,
      // The failing test that was asked about is not a failed call.
      tool_errors: 0,
      task_type: 'coding',
      model: 'claude-sonnet-4-5-20250929',
      started_at: '2026-11-10T09:00:00.000Z',
      ended_at: '2026-11-10T09:06:00.000Z',
      runs: 1,
      skipped_lines: 0,
    });
    // 35 × $3 + 360 × $15 + 12,100 × $0.30 + 2,800 × $3.75, per million
    expect(good?.cost_usd).toBeCloseTo((35 * 3 + 360 * 15 + 12_100 * 0.3 + 2800 * 3.75) / 1e6, 9);
    expect(good?.roi).toBeCloseTo(Number(good?.q) / Number(good?.cost_usd), 9);
  });

  it('puts a session that went wrong below one that went well, and counts its broken line', async () => {
    const [good, bad] = await rows();
    expect(bad).toMatchObject({ session_id: BAD, tool_calls: 4, tool_errors: 4, skipped_lines: 1 });
    expect(Number(bad?.q)).toBeLessThan(0.5);
    expect(Number(good?.q)).toBeGreaterThan(0.8);
  });

  it('prints session_id first in CSV, and an empty field for what is unmeasured', async () => {
    const { stdout } = await assay(['sessions', 'score', '--format', 'csv']);
    const [header = '', first = ''] = stdout.split('\r\n');
    expect(header).toMatch(
      /^session_id,parent_session_id,source,agent,task_type,model,started_at,ended_at,q,tier,special_case,completion,execution,efficiency,outcome,coverage,input_tokens,output_tokens,cache_read_tokens,cache_write_tokens,turns,tool_calls,tool_errors,compactions,cost_usd,roi,runs,skipped_lines,scorer_version/,
    );
    expect(first).toMatch(new RegExp(`^${GOOD},,claude-code,`));
  });

  it('gives the same bytes twice, whatever the order of the files, with and without its memory', async () => {
    const paths = [join(projects, `${GOOD}.jsonl`), join(projects, `${BAD}.jsonl`)];
    const once = (await assay(['sessions', 'score', ...paths, '--format', 'csv'])).stdout;
    expect((await assay(['sessions', 'score', ...paths.toReversed(), '--format', 'csv'])).stdout).toBe(once);
    expect((await assay(['sessions', 'score', ...paths, '--fresh', '--format', 'csv'])).stdout).toBe(once);
  });

  it('notices what was appended since the last time', async () => {
    await rows();
    const file = join(projects, `${GOOD}.jsonl`);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    const more = (lines.at(-1) ?? '')
      .replaceAll('msg_6', 'msg_7')
      .replace('"u13"', '"u14"')
      .replace('"u12"', '"u13"');
    appendFileSync(file, `${more}\n`);
    expect((await rows())[0]).toMatchObject({ output_tokens: 450, input_tokens: 40 });
  });

  it('counts a copy of a transcript once', async () => {
    cpSync(join(projects, `${GOOD}.jsonl`), join(projects, 'copy.jsonl'));
    const all = await rows();
    expect(all.reduce((sum, row) => sum + Number(row.output_tokens ?? 0), 0)).toBe(360 + 4 * 30);
  });

  it.each([
    ['gzip', '.gz', gzipSync],
    ['zstd', '.zst', zstdCompressSync],
  ] as const)('reads %s', async (_, suffix, pack) => {
    const plain = readFileSync(join(projects, `${GOOD}.jsonl`));
    const path = join(home, `packed.jsonl${suffix}`);
    writeFileSync(path, pack(plain));
    expect(await rows([path])).toMatchObject([{ session_id: GOOD, output_tokens: 360 }]);
  });

  it('reads standard input', async () => {
    expect(await rows(['-'], readFileSync(join(projects, `${GOOD}.jsonl`)))).toMatchObject([
      { output_tokens: 360 },
    ]);
  });

  it('reads globs and folders', async () => {
    expect(await rows([join(home, '.claude/**/1111*.jsonl')])).toHaveLength(1);
    expect(await rows([projects])).toHaveLength(2);
  });

  it('filters by time, model, task type, agent and coverage', async () => {
    expect(await rows(['--model', 'sonnet'])).toHaveLength(2);
    expect(
      await rows(['--agent', 'claude-code', '--task-type', 'coding', '--min-coverage', '0.5']),
    ).toHaveLength(1);
    expect(await rows(['--since', '2026-11-10T09:10:00Z'])).toMatchObject([{ session_id: BAD }]);
    expect((await assay(['sessions', 'score', '--model', 'gpt'])).status).toBe(2);
  });

  it('never passes when nothing was scored', async () => {
    const empty = join(home, 'empty');
    mkdirSync(empty);
    expect((await assay(['sessions', 'score', empty])).status).toBe(2);
  });

  it('names a path that does not exist', async () => {
    const { status, stderr } = await assay(['sessions', 'score', 'nowhere.jsonl']);
    expect(status).toBe(3);
    expect(stderr).toContain('nowhere.jsonl does not exist [FILE_NOT_FOUND]');
  });

  it('keeps facts without any text of the transcript, and scores them again when it is gone', async () => {
    const before = await rows();
    const stored = readFileSync(join(home, '.local/share/assay/assay.db'), 'latin1');
    expect(stored).not.toContain('rounded each line');
    expect(stored).not.toContain('I meant the script');
    rmSync(join(home, '.claude'), { recursive: true });
    const again = await rows(['--no-sync']);
    expect(again.map((row) => row.q)).toEqual(before.map((row) => row.q));
  });

  it('uses outcomes, task types and prices that a person knows better', async () => {
    writeFileSync(join(home, 'outcomes.csv'), `session_id,outcome\n${BAD},merged\n`);
    writeFileSync(join(home, 'types.csv'), `session_id,task_type\n${BAD},operations\n`);
    writeFileSync(join(home, 'prices.json'), '{ "claude-sonnet-*": { "input": 0, "output": 1000000 } }');
    const [good, bad] = await rows([
      '--outcomes',
      'outcomes.csv',
      '--task-types',
      'types.csv',
      '--prices',
      'prices.json',
    ]);
    expect(bad).toMatchObject({ task_type: 'operations', task_type_reason: 'set by you' });
    expect(good?.cost_usd).toBeCloseTo(360, 6);
  });

  it('has every signal as a column with --signals', async () => {
    const [good] = await rows(['--signals']);
    expect(good).toMatchObject({ signal_ended_normally: 1, signal_compactions: expect.any(Number) });
    expect(good).toHaveProperty('signal_model_appropriateness');
    const { stdout } = await assay(['sessions', 'score', '--signals', '--format', 'csv']);
    expect(stdout.split('\n')[0]).toContain(',signal_ended_normally,');
    expect((await rows())[0]).not.toHaveProperty('signal_ended_normally');
  });

  it('joins costs from elsewhere before its own', async () => {
    writeFileSync(join(home, 'bill.csv'), `session_id,cost_usd\n${GOOD},1.25\n`);
    const [before] = await rows();
    const [good, bad] = await rows(['--costs', 'bill.csv']);
    expect(before?.cost_usd).not.toBe(1.25);
    expect(good).toMatchObject({ cost_usd: 1.25, roi: expect.closeTo(Number(good?.q) / 1.25, 9) });
    expect(bad?.cost_usd).not.toBe(1.25);
  });

  it('takes the task type of an agent from the configuration', async () => {
    writeFileSync(
      join(home, 'assay.config.json'),
      '{ "session": { "taskTypes": { "claude-code": "research" } } }',
    );
    expect((await rows()).map((row) => row.task_type)).toEqual(['research', 'research']);
    writeFileSync(
      join(home, 'assay.config.json'),
      '{ "session": { "taskTypes": { "claude-code": "resarch" } } }',
    );
    expect(await assay(['sessions', 'score'])).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('CONFIG_INVALID'),
    });
  });
});

describe('a store that cannot be written', () => {
  it.each([
    ['jsonl', `"session_id":"${GOOD}"`],
    ['table', 'Scored 2 sessions'],
  ])('costs no score: %s is printed, then the reason', async (format, shown) => {
    mkdirSync(join(home, 'folder.db'));
    const words = ['sessions', 'score', '--format', format, '--store', 'folder.db'];
    const { status, stdout, stderr } = await assay(words);
    expect(stdout).toContain(shown);
    expect(stderr).toContain('the sessions are not all in the store');
    expect(stderr).toContain('folder.db is a folder [STORE_UNREADABLE]');
    expect(status).toBe(3);
  });
});

describe('assay sessions explain', () => {
  it('shows each signal, what it cost and the lines behind it', async () => {
    const { status, stdout } = await assay(['sessions', 'explain', '2222']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/Tool success rate −0\.\d\d: 0 of 4 tool calls succeeded \(line 3, 5, 7, 9\)/);
    expect(stdout).toMatch(/User corrections.*the user corrected it once: [a-z ]+ \(line 10\)/);
  });

  it('shows how the score came about, message by message', async () => {
    const { stdout } = await assay(['sessions', 'explain', '1111', '--per-message', '--format', 'json']);
    const { q, moments } = JSON.parse(stdout) as {
      q: number;
      moments: { line: number; what: string; q: number }[];
    };
    // the request, then each record of a reply and each result, up to the final score
    expect(moments.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
    expect(moments.at(-1)?.q).toBe(q);
    expect(moments.find(({ line }) => line === 6)?.q).toBeLessThan(
      moments.find(({ line }) => line === 4)?.q ?? 0,
    );
  });

  it('names the id it does not know', async () => {
    expect(await assay(['sessions', 'explain', 'zzzz'])).toMatchObject({ status: 3 });
    expect(await assay(['sessions', 'explain'])).toMatchObject({ status: 3 });
  });
});

/** Every call fails, the person corrects it twice, and it gives up. */
const HOPELESS = [
  { role: 'user', content: 'Fix the login page in src/login.ts.' },
  ...[0, 1, 2, 3].flatMap((i) => [
    {
      role: 'assistant',
      id: `m${i}`,
      model: 'claude-opus-4-1',
      content: [{ type: 'tool_use', id: `t${i}`, name: 'Bash', input: { command: 'make login' } }],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: `t${i}`, is_error: true, content: 'make: *** Error 2' }],
    },
    ...(i % 2 === 1
      ? [{ role: 'user', content: 'No, that is wrong. I meant the page, not the build.' }]
      : []),
  ]),
  {
    role: 'assistant',
    id: 'end',
    model: 'claude-opus-4-1',
    stop_reason: 'end_turn',
    content: [{ type: 'text', text: 'I could not fix it, it still fails.' }],
  },
]
  .map((message, i) =>
    JSON.stringify({
      type: message.role,
      uuid: `h${i}`,
      parentUuid: i === 0 ? null : `h${i - 1}`,
      sessionId: '33333333-cccc-4ccc-8ccc-000000000003',
      timestamp: new Date(Date.UTC(2026, 10, 11, 9, i)).toISOString(),
      message,
    }),
  )
  .join('\n');

describe('assay sessions attention', () => {
  it('leads with what went wrong, and with --gate a Q below 0.40 or a correction blocks', async () => {
    const only = ['sessions', 'attention', '--gate', '--until', '2026-11-10T09:30:00Z'];
    rmSync(join(projects, `${BAD}.jsonl`));
    expect((await assay(only)).status).toBe(0);
    expect((await assay(only)).stdout).toContain('Nothing needs attention');
    writeFileSync(join(projects, '33333333-cccc-4ccc-8ccc-000000000003.jsonl'), HOPELESS);
    const { status, stdout } = await assay(['sessions', 'attention', '--gate', '--format', 'json']);
    expect(status).toBe(1);
    const { sessions, in_all: inAll } = JSON.parse(stdout);
    expect(inAll).toBe(1);
    expect(sessions[0]).toMatchObject({ session_id: '33333333-cccc-4ccc-8ccc-000000000003' });
    expect(sessions[0].q).toBeLessThan(0.4);
    expect(sessions[0].receipts[0]).toMatchObject({ line: expect.any(Number), quote: expect.any(String) });
    expect(sessions[0].headline).toContain(sessions[0].receipts[0].quote);
  });

  it.each([
    ['a damaged archive', 'lost.jsonl.gz', gzipSync('{}\n'.repeat(99)).subarray(0, 20)],
    ['a damaged database', 'lost.sqlite', Buffer.from('SQLite format 3\0 but not really'.repeat(99))],
  ])('is never green without having looked: %s', async (what, name, bytes) => {
    writeFileSync(join(projects, name), bytes);
    const { status, stderr } = await assay(['sessions', 'attention', '--gate', '--until', '2026-11-01']);
    expect(status).toBe(2);
    expect(stderr).toContain('the gate is inconclusive');
    expect(stderr).toContain(`${name} was not read: ${what.slice(2)}`);
    // What was found blocks all the same.
    expect((await assay(['sessions', 'attention', '--gate'])).status).toBe(1);
  });

  it('is never green without having looked: a folder that cannot be opened', async () => {
    const [near, far] = ['n'.repeat(200), 'f'.repeat(200)];
    const inside = join(projects, `${near}/`.repeat(10));
    mkdirSync(inside, { recursive: true });
    mkdirSync(join(home, `${far}/`.repeat(12)), { recursive: true });
    // Together longer than a path may be: nobody can open it by its name.
    renameSync(join(home, far), join(inside, far));
    try {
      const { status, stderr } = await assay(['sessions', 'attention', '--gate', '--until', '2026-11-01']);
      expect(status).toBe(2);
      expect(stderr).toContain('the gate is inconclusive');
      expect(stderr).toContain(far);
    } finally {
      renameSync(join(inside, far), join(home, far));
    }
  });
});

describe('the other commands about sessions', () => {
  it.each([
    [['roi'], 'Q per dollar by model'],
    [['roi', '--by', 'day'], '2026-11-10'],
    [['frontier'], 'too few'],
    [['digest', '--week', '--until', '2026-11-12'], '2 sessions'],
    [['digest', '--since', '2026-10-13', '--until', '2026-11-12'], 'The 31 days until 2026-11-13'],
    [['skipped'], 'could not be used'],
    [['baselines', 'show'], 'assay-2026.11.2'],
  ])('sessions %j', async (words, expected) => {
    const { status, stdout, stderr } = await assay(['sessions', ...words]);
    expect(stderr).toBe('');
    expect(stdout).toContain(expected);
    expect(status).toBe(0);
  });

  it.each([
    [['--until', 'nope']],
    [['--day', '--since', '30d']],
    [['--since', '2026-11-12', '--until', '2026-11-11']],
  ])('digest refuses a period that it does not understand: %j', async (words) => {
    expect(await assay(['sessions', 'digest', ...words])).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('[USAGE]'),
    });
  });

  it('baselines fit keeps the shipped figures below 30 runs, and says so', async () => {
    const { status, stdout } = await assay(['sessions', 'baselines', 'fit', '--out', 'own.json']);
    expect(status).toBe(2);
    expect(stdout).toContain('kept');
    expect((await assay(['sessions', 'score', '--baselines', 'own.json', '--all'])).stdout).toMatch(
      /baselines +own-/,
    );
  });

  it('validate and calibrate say that two ratings are too few', async () => {
    writeFileSync(join(home, 'ratings.csv'), `session_id,rating\n${GOOD},5\n${BAD},1\n`);
    expect(await assay(['sessions', 'validate', '--ratings', 'ratings.csv'])).toMatchObject({
      status: 2,
      stdout: expect.stringContaining('too few to tell'),
    });
    expect(
      await assay(['sessions', 'calibrate', '--ratings', 'ratings.csv', '--out', 'w.json']),
    ).toMatchObject({
      status: 2,
      stdout: expect.stringMatching(/too few to tell[\s\S]*w\.json was not written/),
    });
    expect(existsSync(join(home, 'w.json'))).toBe(false);
    copyFileSync('test/fixtures/session/weights-without-gain.json', join(home, 'w.json'));
    expect(await assay(['sessions', 'score', '--weights', 'w.json'])).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('these weights did not gain when they were fitted'),
    });
    expect((await assay(['sessions', 'validate'])).status).toBe(3);
  });

  it('rate prints its sample, and asks for a terminal before it asks for ratings', async () => {
    const { stdout } = await assay(['sessions', 'rate', '--list']);
    expect(stdout.trimEnd().split('\n').toSorted()).toEqual([GOOD, BAD]);
    expect(await assay(['sessions', 'rate'])).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('needs a terminal'),
    });
  });
});
