import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readFile } from '../reading/read-file.ts';
import { usageOfSession } from '../testing/usage-of-session.ts';
import { droidAdapter } from './droid.ts';
import { ofKind, readLines } from './testing/read-events.ts';

const FIXTURES = 'test/fixtures/session/droid';
const STORED = `${FIXTURES}/sessions/d1.jsonl`;
const PRINTED = `${FIXTURES}/stream.jsonl`;
const read = (path: string) =>
  readLines(
    droidAdapter,
    readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
    path,
  );
const outcomes = (path: string) => ofKind(read(path), 'result').map(({ callId, ok }) => [callId, ok]);

describe('a session of Droid', () => {
  it('has its tokens and model in the settings beside it, thinking as output', async () => {
    const { sessions } = await readFile(STORED);
    expect(sessions[0]).toMatchObject({
      sessionId: 'd1',
      agent: 'droid',
      project: '/work/calc',
      declaredUsage: { input: 100, output: 55, cacheRead: 10, cacheWrite: 20 },
      runs: [{ turns: 1, compactions: 1, end: 'normal', models: [{ model: 'Claude-Sonnet-4' }] }],
    });
  });

  it('tells a failed command from the code in its text, and what was typed from reminders', () => {
    expect(outcomes(STORED)).toEqual([
      ['tu1', false],
      ['tu2', undefined],
    ]);
    expect(ofKind(read(STORED), 'user').map(({ text }) => text)).toEqual(['Fix the tests.']);
    expect(read(STORED).unknown).toEqual([]);
  });
});

describe('what Droid prints', () => {
  it('has calls with their outcomes, the tokens and the end', async () => {
    expect(outcomes(PRINTED)).toEqual([
      ['call_1', false],
      ['c2', true],
    ]);
    const { sessions } = await readFile(PRINTED);
    expect(sessions).toHaveLength(1);
    expect(sessions[0]).toMatchObject({
      sessionId: 'd2',
      agent: 'droid',
      runs: [{ turns: 1, end: 'normal' }],
    });
    expect(usageOfSession(sessions[0])).toEqual({ input: 10, output: 5, cacheRead: 7, cacheWrite: 2 });
    expect(read(PRINTED).unknown).toEqual([]);
  });
});
