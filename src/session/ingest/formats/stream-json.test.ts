import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readAll } from '../read-all.ts';
import { readFile } from '../reading/read-file.ts';
import { usageOfSession } from '../testing/usage-of-session.ts';
import { streamJsonAdapter } from './stream-json.ts';
import { ofKind, readLines, sessionsOf } from './testing/read-events.ts';

const FIXTURES = 'test/fixtures/session/stream-json';
const SESSION = '5f6a0000-0000-4000-8000-000000000001';
const linesOf = (name: string) => readFileSync(`${FIXTURES}/${name}`, 'utf8').trim().split('\n');
const read = (name: string) =>
  readLines(
    streamJsonAdapter,
    linesOf(name).map((line) => JSON.parse(line)),
  );
const outcomes = (name: string) =>
  ofKind(read(name), 'result').map(({ callId, ok, denied }) => [callId, denied ? 'denied' : ok]);

function written(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-stream-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

describe('a stream of Claude Code', () => {
  it('is a session with its folder, model and sub-agents', () => {
    const events = read('claude.jsonl');
    expect(sessionsOf(events)).toEqual([SESSION, `${SESSION}:toolu_2`]);
    expect(ofKind(events, 'session').at(1)).toMatchObject({
      agent: 'claude-code',
      project: '/work/calc',
      model: 'claude-sonnet-4-5',
    });
    expect(ofKind(events, 'spawn').map(({ spawnId, ok }) => [spawnId, ok])).toEqual([
      ['toolu_2', undefined],
      ['toolu_2', true],
    ]);
    expect(ofKind(events, 'compaction')).toHaveLength(1);
    expect(events.unknown).toEqual([]);
  });

  it('tells failures and refusals', () => {
    expect(outcomes('claude.jsonl')).toEqual([
      ['toolu_1', false],
      ['toolu_3', 'denied'],
      ['toolu_2', true],
    ]);
  });

  it('has the tokens and the cost that its result states by model, once, sub-agents included', async () => {
    const { sessions } = await readFile(`${FIXTURES}/claude.jsonl`);
    const [main, child] = sessions;
    expect(usageOfSession(main)).toEqual({ input: 82, output: 340, cacheRead: 230, cacheWrite: 100 });
    expect(usageOfSession(child)).toEqual({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 });
    expect(main?.runs[0]?.models.map(({ model, costUsd }) => [model, costUsd])).toEqual([
      ['claude-sonnet-4-5', 0.26],
      ['claude-haiku-4-5', 0.01],
    ]);
    expect(main?.runs[0]?.models.map(({ unpriced }) => unpriced)).toEqual([undefined, undefined]);
    expect(main?.runs[0]?.end).toBe('normal');
  });

  it('has what its messages state when it was cut off', async () => {
    const path = written('run.jsonl', `${linesOf('claude.jsonl').slice(0, -1).join('\n')}\n{"type":"resu`);
    const { sessions } = await readFile(path);
    expect(usageOfSession(sessions[0])).toEqual({ input: 22, output: 31, cacheRead: 230, cacheWrite: 100 });
    expect(usageOfSession(sessions[1])).toEqual({ input: 50, output: 3, cacheRead: 0, cacheWrite: 0 });
  });

  it('counts a second result of the same process from the first one on', async () => {
    const lines = linesOf('claude.jsonl');
    const more = (lines.at(-1) ?? '')
      .replace('"outputTokens":300', '"outputTokens":310')
      .replace('"costUSD":0.26', '"costUSD":0.36')
      .replace('00000000000c', '00000000000d');
    const { sessions } = await readFile(written('run.jsonl', [...lines, more].join('\n')));
    expect(usageOfSession(sessions[0])?.output).toBe(350);
    const costs = sessions[0]?.runs.flatMap(({ models }) => models.map(({ costUsd }) => costUsd ?? 0)) ?? [];
    expect(costs.reduce((sum, cost) => sum + cost, 0)).toBeCloseTo(0.37);
  });

  it('is read from its result alone, with the answer, the tokens and what was refused', async () => {
    const { sessions } = await readFile(`${FIXTURES}/claude-result.json`);
    expect(sessions).toHaveLength(1);
    expect(usageOfSession(sessions[0])).toEqual({ input: 82, output: 340, cacheRead: 230, cacheWrite: 100 });
    expect(sessions[0]?.runs[0]).toMatchObject({ finalReply: 'text', end: 'normal', tools: { denied: 1 } });
    const models = sessions[0]?.runs[0]?.models ?? [];
    expect(models.map(({ model }) => model)).not.toContain('unknown');
    expect(models.every(({ messagesWithoutUsage }) => messagesWithoutUsage === 0)).toBe(true);
  });

  it('is an error when its result says so, whatever the subtype', () => {
    const result = JSON.parse(linesOf('claude-result.json')[0] ?? '') as object;
    const endOf = (change: object) =>
      ofKind(readLines(streamJsonAdapter, [{ ...result, ...change }]), 'end').map(({ reason }) => reason);
    expect(endOf({ is_error: true, api_error_status: 529 })).toEqual(['error']);
    expect(endOf({ subtype: 'error_max_turns', is_error: true })).toEqual(['limit']);
    expect(endOf({ subtype: 'error_max_budget_usd', is_error: true })).toEqual(['limit']);
    expect(endOf({ subtype: 'error_during_execution' })).toEqual(['error']);
    const aborted = readLines(streamJsonAdapter, [{ ...result, terminal_reason: 'aborted_tools' }]);
    expect(ofKind(aborted, 'interrupt')).toHaveLength(1);
  });

  it('is read among notices, a prompt of the shell and colours', async () => {
    const coloured = linesOf('claude.jsonl').map((line) =>
      line.replace('{"type"', '{\u001b[34m"type"\u001b[0m').concat('\u001b[0m'),
    );
    const text = ['$ claude -p "fix it"', 'Migrating…', ...coloured, '\u001b[32m✔ done\u001b[0m', '$ '];
    const { sessions } = await readFile(written('out.log', text.join('\n')));
    expect(sessions.map(usageOfSession)).toEqual(
      (await readFile(`${FIXTURES}/claude.jsonl`)).sessions.map(usageOfSession),
    );
  });

  it('is read as one array, and counts once beside the transcript of its session', async () => {
    const whole = written('out.json', `[${linesOf('claude.jsonl').join(',\n')}]`);
    expect((await readFile(whole)).sessions).toHaveLength(2);
    const stored = written(
      `${SESSION}.jsonl`,
      `{"type":"user","sessionId":"${SESSION}","uuid":"u1","timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"user","content":"Fix the tests."}}\n`,
    );
    const both = await readAll([whole, stored]);
    expect(both.sessions.map(({ facts }) => facts.source)).toEqual(['claude-code']);
    const alone = await readAll([whole, `${FIXTURES}/qwen.jsonl`]);
    expect(alone.sessions).toHaveLength(3);
  });
});

describe('a stream of Amp', () => {
  it('has the tokens of its messages: its result states none', async () => {
    const session = 'T-0190aaaa-0000-4000-8000-000000000001';
    const usage = {
      input_tokens: 5,
      output_tokens: 7,
      cache_read_input_tokens: 11,
      cache_creation_input_tokens: 0,
    };
    const lines = [
      { type: 'system', subtype: 'init', session_id: session, tools: [], cwd: '/w' },
      {
        type: 'assistant',
        session_id: session,
        parent_tool_use_id: null,
        message: {
          id: 'm1',
          model: 'claude-opus-4-5',
          role: 'assistant',
          content: [{ type: 'text', text: 'So.' }],
          usage,
        },
      },
      { type: 'result', subtype: 'success', is_error: false, result: 'So.', session_id: session },
    ];
    const { sessions } = await readFile(
      written('amp.jsonl', lines.map((line) => JSON.stringify(line)).join('\n')),
    );
    expect(sessions[0]).toMatchObject({
      agent: 'amp',
      sessionId: session,
      runs: [{ replies: 1, end: 'normal' }],
    });
    expect(usageOfSession(sessions[0])).toEqual({ input: 5, output: 7, cacheRead: 11, cacheWrite: 0 });
  });
});

describe('a stream of Qwen Code', () => {
  it('has the cached input within its input, and the total at its end', async () => {
    const { sessions } = await readFile(`${FIXTURES}/qwen.jsonl`);
    expect(sessions[0]?.agent).toBe('qwen-code');
    expect(usageOfSession(sessions[0])).toEqual({ input: 500, output: 50, cacheRead: 1600, cacheWrite: 0 });
    expect(sessions[0]?.runs[0]?.end).toBe('limit');
    expect(outcomes('qwen.jsonl')).toEqual([['call_1', true]]);
  });
});

describe('a stream of the Cursor CLI', () => {
  it('tells a failed command from its exit code, and a refusal from a failure', () => {
    expect(outcomes('cursor.jsonl')).toEqual([
      ['t1', false],
      ['t2', 'denied'],
      ['t3', false],
      ['t4', true],
    ]);
    expect(ofKind(read('cursor.jsonl'), 'call').map(({ tool }) => tool)).toEqual([
      'shell',
      'shell',
      'read',
      'grep',
    ]);
  });

  it('hears each message once, and does not know its tokens', async () => {
    expect(ofKind(read('cursor.jsonl'), 'reply').map(({ text }) => text)).toEqual([
      'I will run them.',
      'One test still fails.',
    ]);
    const { sessions } = await readFile(`${FIXTURES}/cursor.jsonl`);
    expect(sessions[0]?.agent).toBe('cursor');
    expect(sessions[0]?.runs[0]?.models[0]?.messagesWithoutUsage).toBe(2);
  });
});
