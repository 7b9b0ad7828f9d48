import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readAll } from '../read-all.ts';
import { readFile } from '../reading/read-file.ts';
import { usageOfSession } from '../testing/usage-of-session.ts';
import { formatNamed } from './formats.ts';
import { kimiAdapter } from './kimi.ts';
import { ofKind, readLines } from './testing/read-events.ts';

const kimi = formatNamed('kimi');

const FIXTURES = 'test/fixtures/session';
const SESSION = 'session_0190bbbb-0000-4000-8000-000000000001';
const CODE = `${FIXTURES}/kimi/sessions/wd_calc_1/${SESSION}/agents/main/wire.jsonl`;
const CHILD = CODE.replace('main', 'agent-0');
const CLI_SESSION = '0190cccc-0000-4000-8000-000000000001';
const CLI = `${FIXTURES}/kimi-cli/sessions/0cc175b9c0f1b6a831c399e269772661/${CLI_SESSION}/wire.jsonl`;

function records(path: string): unknown[] {
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as unknown);
}

describe('Kimi Code', () => {
  const read = readLines(kimiAdapter, records(CODE), CODE);

  it('tells that a person took the last turns back', () => {
    const undone = readLines(kimiAdapter, [{ type: 'context.undo', count: 1, time: 1785612900000 }]);
    expect(undone.events).toMatchObject([{ kind: 'acceptance', value: 0, what: 'undone by the user' }]);
    expect(undone.unknown).toEqual([]);
  });

  it('tells sessions, their folder and their sub-agents by where they lie', async () => {
    const { sessions } = await readAll([CODE, CHILD]);
    expect(sessions.map(({ facts }) => facts)).toMatchObject([
      { sessionId: `${SESSION}:agent-0`, parentSessionId: SESSION, project: '/work/calc' },
      { sessionId: SESSION, project: '/work/calc', source: 'kimi' },
    ]);
    const child = readLines(kimiAdapter, records(CHILD), CHILD);
    expect(ofKind(child, 'user').map(({ origin }) => origin)).toEqual(['subagent']);
  });

  it('counts each step once, and the compaction that is no step', async () => {
    const { sessions } = await readFile(CODE);
    expect(usageOfSession(sessions[0])).toEqual({
      input: 300 + 500 + 100,
      output: 90 + 50 + 20,
      cacheRead: 8000,
      cacheWrite: 10,
    });
  });

  it('takes what is said without a step for the step under way', async () => {
    const lines = records(CODE).map((one) => JSON.stringify(one).replace(/"stepUuid":"[^"]*",?/, ''));
    expect(lines.join()).not.toContain('stepUuid');
    const parts = readLines(
      kimiAdapter,
      lines.map((line) => JSON.parse(line) as unknown),
      CODE,
    );
    expect(ofKind(parts, 'reply').map(({ messageId }) => messageId)).toEqual(
      ofKind(read, 'reply').map(({ messageId }) => messageId),
    );
  });

  it('tells what was typed and said, failures, refusals, compaction and a person who stopped it', () => {
    expect(ofKind(read, 'user').map(({ text }) => text)).toEqual(['Fix the tests.', 'Write an essay.']);
    expect(ofKind(read, 'reply').flatMap(({ text }) => text || [])).toEqual([
      'I run them.',
      'They pass now.',
    ]);
    expect(ofKind(read, 'result').map(({ ok, denied }) => (denied ? 'denied' : ok))).toEqual([
      false,
      'denied',
      'denied',
    ]);
    expect(ofKind(read, 'compaction')).toHaveLength(1);
    expect(ofKind(read, 'interrupt')).toHaveLength(1);
    expect(ofKind(read, 'reply').flatMap(({ stop }) => stop ?? [])).toEqual(['tool', 'end']);
    expect(ofKind(read, 'reply').map(({ model }) => model)).toEqual(Array(6).fill('kimi-k2'));
    expect(read.unknown).toEqual([]);
  });
});

describe('Kimi CLI', () => {
  const read = readLines(kimiAdapter, records(CLI), CLI);

  it('tells the session by its folder and counts each step once', async () => {
    const { sessions } = await readFile(CLI);
    expect(sessions).toMatchObject([{ sessionId: CLI_SESSION }]);
    expect(usageOfSession(sessions[0])).toEqual({ input: 310, output: 95, cacheRead: 8000, cacheWrite: 0 });
  });

  it('puts the arguments of a call together, also when the file ends with it', () => {
    expect(ofKind(read, 'call').map(({ input }) => input)).toEqual([
      { command: 'pytest' },
      { command: 'rm' },
    ]);
    const cut = readLines(kimiAdapter, records(CLI).slice(0, 7), CLI);
    expect(ofKind(cut, 'call').map(({ input }) => input)).toEqual([{ command: 'pytest' }]);
  });

  it('tells failures, refusals, compaction and the end, and nothing of a sub-agent twice', () => {
    expect(ofKind(read, 'result').map(({ ok, denied }) => (denied ? 'denied' : ok))).toEqual([
      false,
      'denied',
      'denied',
    ]);
    expect(ofKind(read, 'compaction')).toHaveLength(1);
    expect(ofKind(read, 'end')).toMatchObject([{ reason: 'normal' }]);
    expect(ofKind(read, 'reply').flatMap(({ text }) => text || [])).toEqual([
      'I run them.',
      'They pass now.',
    ]);
    expect(read.unknown).toEqual([]);
  });
});

describe('both', () => {
  it('name kinds they do not know', () => {
    const strange = [
      { type: 'weather.report', time: 1 },
      { type: 'context.append_loop_event', event: { type: 'step.dance' } },
      { timestamp: 1, message: { type: 'Weather', payload: {} } },
      7,
    ];
    expect(readLines(kimiAdapter, strange).unknown).toEqual([
      'weather.report',
      'loop step.dance',
      'Weather',
      '(not an object)',
    ]);
  });

  it('are found where their variables say', () => {
    const places = (env: Record<string, string>) => kimi.places?.('/home/me', env).map(({ place }) => place);
    expect(places({})).toEqual(['/home/me/.kimi-code/sessions', '/home/me/.kimi/sessions']);
    expect(places({ KIMI_CODE_HOME: '/a', KIMI_SHARE_DIR: '/b' })).toEqual(['/a/sessions', '/b/sessions']);
  });
});
