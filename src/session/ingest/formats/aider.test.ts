import { describe, expect, it } from 'vitest';
import { filesOf } from '../files/find-files.ts';
import { readFile } from '../reading/read-file.ts';
import { usageOfSession } from '../testing/usage-of-session.ts';
import { aiderAdapter } from './aider.ts';
import { ofKind, readLines } from './testing/read-events.ts';

const FIXTURES = 'test/fixtures/session/aider';
const HISTORY = `${FIXTURES}/calc/.aider.chat.history.md`;

describe('a chat history of Aider', () => {
  it('is found in a folder, and has a session for each time it was started', async () => {
    expect(filesOf([`${FIXTURES}/calc`], () => {})).toHaveLength(1);
    const { sessions, reading } = await readFile(HISTORY);
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual([
      'calc 2026-04-01 10:00:00',
      'calc 2026-04-02 09:00:00',
    ]);
    expect(reading.skipped).toEqual({});
  });

  it('has the tokens and costs as they were shown, and what was committed', async () => {
    const { sessions } = await readFile(HISTORY);
    const [first, second] = sessions;
    expect(usageOfSession(first)).toEqual({ input: 3600, output: 130, cacheRead: 500, cacheWrite: 1000 });
    const [run] = first?.runs ?? [];
    expect(run?.models).toMatchObject([
      { provider: 'anthropic', model: 'claude-sonnet-4-5', messages: 2, costUsd: 0.03 },
    ]);
    expect(run).toMatchObject({ turns: 2, replies: 2, end: 'normal', finalReply: 'text' });
    expect(run?.artifacts.map(({ artifact, made }) => [artifact, made])).toEqual([
      ['file', 1],
      ['commit', 1],
    ]);
    expect(run?.stateChange).toMatchObject({ value: 0, what: 'undone by the user' });
    expect(second?.runs[0]).toMatchObject({ turns: 1, interrupts: 1 });
  });

  it('joins the lines of a question, and leaves out commands to the program', () => {
    const lines = [
      '# aider chat started at 2026-04-01 10:00:00',
      '#### One',
      '#### two',
      '#### /add x',
      'Yes.',
      '#### /exit',
    ];
    const read = readLines(
      aiderAdapter,
      lines.flatMap((text) => [{ text }, ...(text === '#### two' ? [{ text: '> Added x' }] : [])]),
    );
    expect(ofKind(read, 'user').map(({ text }) => text)).toEqual(['One\ntwo']);
    expect(ofKind(read, 'reply').map(({ text }) => text)).toEqual(['Yes.']);
  });
});

describe('what Aider prints', () => {
  it('is read without its marks', async () => {
    const { sessions } = await readFile(`${FIXTURES}/stdout.txt`);
    expect(sessions).toHaveLength(1);
    expect(usageOfSession(sessions[0])).toEqual({ input: 2100, output: 90, cacheRead: 0, cacheWrite: 0 });
    expect(sessions[0]?.runs[0]?.models).toMatchObject([{ model: 'gpt-5', costUsd: 0.01 }]);
    expect(sessions[0]?.runs[0]?.artifacts).toHaveLength(2);
  });
});

describe('the analytics log of Aider', () => {
  it('has tokens, costs and ends without any text', async () => {
    const { sessions } = await readFile(`${FIXTURES}/analytics.jsonl`);
    expect(sessions.map(({ runs }) => runs[0]?.end)).toEqual(['normal', 'error']);
    expect(usageOfSession(sessions[0])).toEqual({ input: 9000, output: 400, cacheRead: 0, cacheWrite: 0 });
    expect(sessions[0]?.runs[0]).toMatchObject({ repliesWithoutText: 1, startedAt: 1775000009000 });
  });
});
