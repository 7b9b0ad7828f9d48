import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readFile } from '../reading/read-file.ts';
import { usageOfSession } from '../testing/usage-of-session.ts';
import { formatNamed } from './formats.ts';
import { qwenCodeAdapter } from './qwen-code.ts';
import { ofKind, readLines } from './testing/read-events.ts';

const qwenCode = formatNamed('qwen-code');

const FIXTURES = 'test/fixtures/session/qwen-code';
const SESSION = '0190aaaa-0000-7000-8000-0000000000ff';
const CHILD = `${FIXTURES}/subagents/${SESSION}/agent-a1.jsonl`;

function records(path: string): unknown[] {
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as unknown);
}

describe('Qwen Code', () => {
  const read = readLines(qwenCodeAdapter, records(`${FIXTURES}/session.jsonl`));

  it('tells the session and what a person typed, without the context of hooks', () => {
    expect(ofKind(read, 'session')).toMatchObject([
      { sessionId: SESSION, agent: 'qwen-code', project: '/work/calc' },
    ]);
    expect(ofKind(read, 'user').map(({ origin, text }) => [origin, text])).toEqual([
      ['user', 'Fix the tests.'],
      ['user', 'Go on.'],
      ['runtime', 'A task finished.'],
    ]);
  });

  it('counts cached input once, thoughts as output, and what was taken back apart', async () => {
    const { sessions } = await readFile(`${FIXTURES}/session.jsonl`);
    expect(sessions).toHaveLength(1);
    expect(usageOfSession(sessions[0])).toEqual({
      input: 400 + 1100 + 400,
      output: 70 + 10 + 30,
      cacheRead: 700,
      cacheWrite: 0,
    });
    expect(sessions[0]?.abandoned).toMatchObject({ entries: 1, usage: { input: 7, output: 7 } });
  });

  it('tells a failed command from its exit code, an error, and a call that never began or was stopped', () => {
    const outcomes = ofKind(read, 'result').map(({ ok, denied }) => (denied ? 'denied' : ok));
    expect(outcomes).toEqual([false, false, 'denied']);
    const [result] = records(`${FIXTURES}/session.jsonl`).slice(5, 6) as { toolCallResult: object }[];
    const stopped = {
      ...result,
      toolCallResult: { callId: 'c3', status: 'cancelled', executionStatus: 'cancelled' },
    };
    expect(ofKind(readLines(qwenCodeAdapter, [stopped]), 'result')[0]).toMatchObject({ denied: true });
  });

  it('tells compaction and how a turn ended', () => {
    expect(ofKind(read, 'compaction')).toHaveLength(1);
    expect(ofKind(read, 'end').map(({ reason }) => reason)).toEqual(['normal']);
    const turn = (state: string) =>
      readLines(qwenCodeAdapter, [{ type: 'system', subtype: 'turn_result', systemPayload: { state } }]);
    expect(ofKind(turn('error'), 'end').map(({ reason }) => reason)).toEqual(['error']);
    expect(ofKind(turn('cancelled'), 'interrupt')).toHaveLength(1);
  });

  it('makes a session of its own of a sub-agent', () => {
    const child = readLines(qwenCodeAdapter, records(CHILD), CHILD);
    expect(ofKind(child, 'session')).toMatchObject([
      { sessionId: `${SESSION}:agent-a1`, parentSessionId: SESSION, trigger: 'subagent' },
    ]);
    expect(ofKind(child, 'user').map(({ origin }) => origin)).toEqual(['subagent']);
  });

  it('names a copied record by its origin, and kinds it does not know', () => {
    const record = { uuid: 'new', forkedFrom: { sessionId: 's', messageUuid: 'old' } };
    expect(qwenCodeAdapter.entryKey?.(record)).toBe('old');
    const strange = [{ type: 'oracle' }, { type: 'system', subtype: 'weather' }, 7];
    expect(readLines(qwenCodeAdapter, strange).unknown).toEqual([
      'oracle',
      'system weather',
      '(not an object)',
    ]);
  });

  it('is found where its variables say', () => {
    const place = (env: Record<string, string>) => qwenCode.places?.('/home/me', env)[0];
    expect(place({})?.place).toBe('/home/me/.qwen/projects');
    expect(place({ QWEN_HOME: '/q', QWEN_RUNTIME_DIR: '/r' })?.place).toBe('/r/projects');
    expect(place({})?.only?.test(`/q/projects/p/chats/${SESSION}.jsonl`)).toBe(true);
    expect(place({})?.only?.test('/q/projects/p/subagents/s/agent-1.meta.json')).toBe(false);
  });
});
