import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readFile } from '../reading/read-file.ts';
import { tempFolder } from '../testing/temp-folder.ts';
import { usageOfSession } from '../testing/usage-of-session.ts';
import { copilotCliAdapter } from './copilot-cli.ts';
import { formatNamed } from './formats.ts';
import { ofKind, readLines, sessionsOf } from './testing/read-events.ts';

const copilotCli = formatNamed('copilot-cli');

const { write } = tempFolder();
const SESSION = '5f0c0000-1111-4222-8333-444455556666';
const PATH = `test/fixtures/session/copilot-cli/session-state/${SESSION}/events.jsonl`;
const records = readFileSync(PATH, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { type: string; data: object });

describe('GitHub Copilot CLI', () => {
  const read = readLines(copilotCliAdapter, records, PATH);

  it('tells the session, its folder and model, and what was typed rather than what was sent', () => {
    expect(ofKind(read, 'session')[0]).toMatchObject({
      sessionId: SESSION,
      agent: 'copilot-cli',
      project: '/work/calc',
      model: 'gpt-5',
    });
    expect(ofKind(read, 'user').map(({ text }) => text)).toEqual([
      'Fix the tests.',
      'Thanks. Now write an essay.',
    ]);
    expect(read.unknown).toEqual([]);
  });

  it('adds up what each part of a resumed session used, and never the counts of single messages to it', async () => {
    const { sessions } = await readFile(PATH);
    const main = sessions.find(({ sessionId }) => sessionId === SESSION);
    expect(usageOfSession(main)).toEqual({
      input: 9000 + 800 + 500,
      output: 900 + 100 + 10,
      cacheRead: 30000,
      cacheWrite: 1000,
    });
  });

  it('does not know the tokens of a session that crashed', () => {
    const crashed = records.filter(({ type }) => type !== 'session.shutdown');
    expect(
      ofKind(readLines(copilotCliAdapter, crashed), 'reply').flatMap(({ usage }) => usage ?? []),
    ).toEqual([]);
  });

  it('takes what was billed where no model says what it used', () => {
    const billed = records.map((record) =>
      record.type !== 'session.shutdown'
        ? record
        : {
            ...record,
            data: {
              currentModel: 'gpt-5-mini',
              modelMetrics: { 'gpt-5-mini': { requests: 2 } },
              tokenDetails: {
                input: { tokenCount: 100 },
                output: { tokenCount: 15 },
                cache_read: { tokenCount: 5 },
              },
            },
          },
    );
    const [told] = ofKind(readLines(copilotCliAdapter, billed), 'reply').filter(({ usage }) => usage);
    expect(told).toMatchObject({
      model: 'gpt-5-mini',
      usage: { input: 100, output: 15, cacheRead: 5, cacheWrite: 0 },
    });
  });

  it('tells each call once, a failed command from its exit code, a refusal from the answer to its question', () => {
    expect(ofKind(read, 'call').map(({ callId, input }) => [callId, input])).toEqual([
      ['c1', { command: 'pytest' }],
      ['c2', { command: 'rm -r x' }],
      ['c3', { agent_type: 'explore' }],
      ['c4', {}],
    ]);
    const outcomes = ofKind(read, 'result').map(({ callId, ok, denied }) => [callId, denied ? 'denied' : ok]);
    expect(outcomes).toEqual([
      ['c1', false],
      // With the answer, which may have a reason, and with the call that then fails.
      ['c2', 'denied'],
      ['c2', 'denied'],
      ['c4', false],
      ['c3', true],
    ]);
  });

  it('counts what was executed though the line that called it is missing', () => {
    const lost = { type: 'tool.execution_complete', data: { toolCallId: 'lost', success: false }, id: 'x' };
    const told = readLines(copilotCliAdapter, [...records.slice(0, 1), lost], PATH);
    expect(ofKind(told, 'call').map(({ callId }) => callId)).toEqual(['lost']);
    expect(ofKind(told, 'result')).toMatchObject([{ callId: 'lost', ok: false }]);
  });

  it('makes a session of its own of a sub-agent', () => {
    expect(sessionsOf(read)).toEqual([SESSION, `${SESSION}:c3`]);
    const child = read.events.filter(({ session }) => session === `${SESSION}:c3`);
    expect(child.map(({ kind }) => kind)).toEqual(['session', 'reply', 'call', 'result']);
    expect(child[0]).toMatchObject({ parentSessionId: SESSION, trigger: 'subagent' });
    expect(ofKind(read, 'spawn').map(({ ok }) => ok)).toEqual([undefined, true]);
  });

  it('tells a compaction that succeeded, and a person who stopped it', () => {
    expect(ofKind(read, 'compaction')).toHaveLength(1);
    expect(ofKind(read, 'interrupt')).toHaveLength(1);
    const limit = [{ type: 'abort', data: { reason: 'autopilot_credit_limit' } }];
    expect(ofKind(readLines(copilotCliAdapter, limit), 'end')).toMatchObject([{ reason: 'limit' }]);
  });

  it('tells that a call which still ran was stopped with the rest', () => {
    const begun = (toolCallId: string) => ({
      type: 'tool.execution_start',
      data: { toolCallId, toolName: 'bash', arguments: {} },
    });
    const done = { type: 'tool.execution_complete', data: { toolCallId: 'c1', success: true } };
    const lines = [begun('c1'), done, begun('c2'), { type: 'abort', data: { reason: 'user' } }];
    const results = ofKind(readLines(copilotCliAdapter, lines), 'result');
    expect(results.map(({ callId, ok, denied }) => [callId, denied ? 'denied' : ok])).toEqual([
      ['c1', true],
      ['c2', 'denied'],
    ]);
  });

  it('reads what it prints: deltas say nothing new, each request has its tokens, and the result is the end', async () => {
    const printed = [
      ...records.filter(({ type }) => type !== 'session.shutdown'),
      {
        type: 'assistant.message_delta',
        data: { deltaContent: 'x' },
        id: 'd1',
        parentId: null,
        ephemeral: true,
      },
      {
        type: 'assistant.usage',
        data: { model: 'gpt-5', inputTokens: 100, outputTokens: 9, cacheReadTokens: 60 },
        id: 'u1',
        parentId: null,
      },
      { type: 'result', timestamp: '2026-08-01T10:05:00.000Z', sessionId: SESSION, exitCode: 1, usage: {} },
    ];
    const stream = readLines(copilotCliAdapter, [
      ...printed,
      ...records.filter(({ type }) => type === 'session.shutdown'),
    ]);
    expect(stream.unknown).toEqual([]);
    expect(ofKind(stream, 'end').at(-1)?.reason).toBe('error');
    expect(ofKind(stream, 'reply').flatMap(({ usage }) => usage ?? [])).toEqual([
      { input: 40, output: 9, cacheRead: 60, cacheWrite: 0 },
    ]);
  });

  it('is known as one list, too', async () => {
    const path = write('run.json', JSON.stringify(records));
    const { sessions } = await readFile(path);
    expect(sessions[0]).toMatchObject({ source: 'copilot-cli', sessionId: SESSION });
  });

  it('is found where its variable says, in both layouts', () => {
    const place = (env: Record<string, string>) => copilotCli.places?.('/home/me', env)[0];
    expect(place({})?.place).toBe('/home/me/.copilot/session-state');
    expect(place({ COPILOT_HOME: '/c' })?.place).toBe('/c/session-state');
    const only = place({})?.only;
    const under = (name: string) => only?.test(`/c/session-state/${name}`);
    expect([under('a/events.jsonl'), under('a.jsonl'), under('a/files/x.jsonl')]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
