import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { regexWork } from '../../../testing/regex-work.ts';
import { readFile } from '../reading/read-file.ts';
import { usageOfSession } from '../testing/usage-of-session.ts';
import { clineAdapter } from './cline.ts';
import { formatNamed } from './formats.ts';
import { ofKind, readDocument } from './testing/read-events.ts';

const cline = formatNamed('cline');

const FIXTURES = 'test/fixtures/session/cline';
const TASK = `${FIXTURES}/tasks/1775000000000/api_conversation_history.json`;
const ROO = `${FIXTURES}/roo/tasks/0198-roo/api_conversation_history.json`;
const SDK = `${FIXTURES}/sessions/cs1/cs1.messages.json`;

const read = (path: string) => readDocument(clineAdapter, JSON.parse(readFileSync(path, 'utf8')), path);
const outcomes = (path: string) =>
  ofKind(read(path), 'result').map(({ callId, ok, denied }) => [callId, denied ? 'denied' : ok]);
const factsOf = async (path: string) => (await readFile(path)).sessions[0];

describe('a task of Cline', () => {
  it('has calls as tags or as blocks, and tells what was denied', () => {
    expect(ofKind(read(TASK), 'call').map(({ callId, tool }) => [callId, tool])).toEqual([
      ['line-2', 'execute_command'],
      ['line-4', 'write_to_file'],
      ['toolu_1', 'read_file'],
      ['line-8', 'attempt_completion'],
    ]);
    expect(ofKind(read(TASK), 'call')[1]?.input).toMatchObject({ path: 'calc.py' });
    expect(outcomes(TASK)).toEqual([
      ['line-2', undefined],
      ['line-4', 'denied'],
      ['toolu_1', undefined],
    ]);
    expect(read(TASK).unknown).toEqual([]);
  });

  it('has what the person wrote, without what the program added', () => {
    expect(ofKind(read(TASK), 'user').map(({ origin, text }) => [origin, text])).toEqual([
      ['user', 'Fix the tests.'],
      ['user', 'No, I meant the other file.'],
    ]);
  });

  it('takes tokens, cost, model and end from the files beside it', async () => {
    const facts = await factsOf(TASK);
    expect(facts).toMatchObject({ sessionId: '1775000000000', agent: 'cline' });
    expect(facts?.declaredUsage).toEqual({ input: 1505, output: 101, cacheRead: 17000, cacheWrite: 100 });
    expect(facts?.declaredCostUsd).toBeCloseTo(0.035);
    expect(facts?.runs[0]).toMatchObject({
      turns: 2,
      end: 'normal',
      tools: { failed: 0, denied: 1, succeeded: 2 },
    });
    expect(facts?.runs[0]?.models.map(({ model }) => model)).toEqual(['claude-sonnet-4-5']);
  });
});

describe('a task that ends with a block', () => {
  const call = { type: 'tool_use', id: 't1', name: 'attempt_completion', input: { result: 'All pass.' } };
  const answer = 'The user let it stand.\n<feedback>\nNow the docs.\n</feedback>';
  const task = [
    { role: 'user', content: [{ type: 'text', text: '<task>\nFix the tests.\n</task>' }] },
    { role: 'assistant', content: [call] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: answer }] },
  ];

  it('says its last words with it, and hears what the person says to them', () => {
    const read = readDocument(clineAdapter, task);
    expect(ofKind(read, 'call')).toEqual([]);
    expect(ofKind(read, 'reply')).toMatchObject([{ text: 'All pass.' }]);
    expect(ofKind(read, 'user').map(({ origin, text }) => [origin, text])).toEqual([
      ['user', 'Fix the tests.'],
      ['user', 'Now the docs.'],
    ]);
  });
});

describe('a task of Roo Code', () => {
  it('is part of the task that started it, and has cached tokens within its input', async () => {
    const facts = await factsOf(ROO);
    expect(facts).toMatchObject({
      sessionId: '0198-roo',
      parentSessionId: '0197-root',
      agent: 'roo-code',
      project: '/work/calc',
    });
    expect(facts?.declaredUsage).toEqual({ input: 1200, output: 90, cacheRead: 8000, cacheWrite: 100 });
    expect(facts?.declaredCostUsd).toBeCloseTo(0.012);
    expect(facts?.runs[0]).toMatchObject({ compactions: 1, end: 'limit' });
  });

  it('states exit codes in its text, and denials in its results', () => {
    expect(outcomes(ROO)).toEqual([
      ['t1', false],
      ['t2', 'denied'],
    ]);
  });
});

describe('a session in the newer store of Cline', () => {
  it('has the tokens of a turn on its last message, and ends as its manifest says', async () => {
    const facts = await factsOf(SDK);
    expect(facts).toMatchObject({ sessionId: 'cs1', agent: 'cline', project: '/work/calc' });
    expect(usageOfSession(facts)).toEqual({ input: 1500, output: 120, cacheRead: 8000, cacheWrite: 500 });
    expect(facts?.runs[0]).toMatchObject({ end: 'error', tools: { calls: 1, failed: 1 } });
    expect(facts?.runs[0]?.models[0]?.costUsd).toBe(0.03);
  });
});

describe('places of Cline and Roo Code', () => {
  it('are the storages of their extensions and the store of the CLI', () => {
    const places = cline.places?.('/home/me', { CLINE_DATA_DIR: '/cd' }) ?? [];
    expect(places[0]?.place).toBe('/cd/sessions');
    expect(places.filter(({ agent }) => agent === 'roo-code')).toHaveLength(7);
    expect(cline.ignores?.('/x/tasks/1/ui_messages.json')).toBe(true);
    expect(cline.ignores?.('/x/sessions/a/a.json')).toBe(true);
    expect(cline.ignores?.('/x/tasks/1/api_conversation_history.json')).toBe(false);
  });
});

it('takes few steps for tags that are not closed', () => {
  for (const tag of ['task', 'feedback', 'read_file', 'environment_details'])
    for (const unit of [' ', '\n', `<${tag}>`, `</${tag}`, '<path>'])
      for (const role of ['user', 'assistant']) {
        const text = `<${tag}>${unit.repeat(20_000 / unit.length)}`;
        const result = { type: 'tool_result', tool_use_id: 'a', content: text };
        const messages = [{ role, content: [{ type: 'text', text }, result] }];
        expect(regexWork(() => readDocument(clineAdapter, messages, TASK)).slow).toEqual([]);
      }
});
