import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Usage } from '../../../event.ts';
import { changes, mutated } from '../testing/mutate.ts';
import { expectWellFormed, ofKind, type Read, readLines, sessionsOf } from '../testing/read-events.ts';
import { claudeCodeAdapter } from './adapter.ts';

const fixtures = 'test/fixtures/session';

function recordsOf(name: string): unknown[] {
  const text = readFileSync(`${fixtures}/${name}`, 'utf8').trim();
  return text.split('\n').map((line): unknown => JSON.parse(line));
}

const readFixture = (name: string) => readLines(claudeCodeAdapter, recordsOf(name), `/home/x/${name}`);

/** The last usage of each message, added up. */
function tokensOf({ events }: Read, session?: string): Usage {
  const messages = new Map<string, Usage>();
  for (const [index, event] of events.entries()) {
    if (event.kind !== 'reply' || event.usage === undefined) continue;
    if (session !== undefined && event.session !== session) continue;
    messages.set(`${event.session} ${event.messageId ?? index}`, event.usage);
  }
  const sum = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  for (const usage of messages.values()) {
    sum.input += usage.input;
    sum.output += usage.output;
    sum.cacheRead += usage.cacheRead;
    sum.cacheWrite += usage.cacheWrite;
  }
  return sum;
}

describe('a Claude Code session', () => {
  const read = readFixture('claude-code-turns/5f0c.jsonl');

  it('is named by its lines', () => {
    expect(ofKind(read, 'session')).toEqual([
      {
        kind: 'session',
        sessionId: '5f0c',
        agent: 'claude-code',
        line: 2,
        at: Date.parse('2026-03-01T08:00:00Z'),
        session: '5f0c',
      },
    ]);
    expect(read.unknown).toEqual(['telepathy']);
    expectWellFormed(read);
  });

  it('counts the lines of one message once (figures of ccusage 20.0.24 on the same file)', () => {
    expect(tokensOf(read)).toEqual({ input: 22, output: 114, cacheWrite: 242, cacheRead: 6300 });
  });

  it('tells what the person said from what the program said', () => {
    expect(ofKind(read, 'user').map(({ origin, text }) => [origin, text.slice(0, 24)])).toEqual([
      ['user', 'The clock is an hour lat'],
      ['runtime', '<command-name>/model</co'],
      ['user', '/review clock.ts'],
      ['runtime', 'Review the file that is '],
      ['runtime', 'This session is being co'],
      ['user', 'and the calendar too'],
    ]);
    expect(ofKind(read, 'interrupt').map(({ line }) => line)).toEqual([10]);
  });

  it('tells what the person ran with !, and what that printed', () => {
    const said = (uuid: string, content: string) => ({
      type: 'user',
      uuid,
      sessionId: '5f0c',
      timestamp: '2026-03-01T08:00:00Z',
      message: { role: 'user', content },
    });
    const records = [
      said('u1', '<bash-input>npm run build &amp;&amp; npm test</bash-input>'),
      said('u2', '<bash-stdout>Tests  1 failed | 2 passed</bash-stdout><bash-stderr></bash-stderr>'),
    ];
    const commands = ofKind(readLines(claudeCodeAdapter, records, '/home/x/5f0c.jsonl'), 'person-command');
    expect(commands).toMatchObject([
      { command: 'npm run build && npm test', text: 'Tests  1 failed | 2 passed' },
    ]);
  });

  it('tells a refused call from a failed one', () => {
    expect(ofKind(read, 'result').map(({ callId, ok, denied }) => [callId, ok, denied])).toEqual([
      ['toolu_1', true, undefined],
      ['toolu_2', undefined, true],
    ]);
  });

  it('drops synthetic replies, except that a failed request is an error', () => {
    expect(ofKind(read, 'reply').map(({ text, stop }) => [text, stop])).toEqual([
      ['', undefined],
      ['I will look at the clock.', undefined],
      ['', 'tool'],
      ['', undefined],
      ['API Error: Overloaded', 'error'],
      ['The clock is right now.', 'end'],
    ]);
  });

  it('counts a compaction once, a pull request once, and knows the end of a turn', () => {
    expect(ofKind(read, 'compaction')).toHaveLength(1);
    expect(ofKind(read, 'artifact')).toHaveLength(1);
    expect(ofKind(read, 'end').map(({ reason }) => reason)).toEqual(['normal']);
  });

  it('is not told again by lines that are written again', () => {
    const records = recordsOf('claude-code-turns/5f0c.jsonl');
    const twice = readLines(claudeCodeAdapter, [
      ...records,
      ...records.filter((r) => 'uuid' in (r as object)),
    ]);
    expect(ofKind(twice, 'user')).toHaveLength(ofKind(read, 'user').length);
    expect(tokensOf(twice)).toEqual(tokensOf(read));
  });
});

describe('sub-agents of Claude Code', () => {
  const main = readFixture('claude-code-subagents/s-main.jsonl');
  const child = readFixture('claude-code-subagents/s-main/subagents/agent-a11.jsonl');

  it('are sessions of their own, children of the session they serve', () => {
    expect(ofKind(child, 'session')[0]).toMatchObject({
      sessionId: 's-main:agent-a11',
      parentSessionId: 's-main',
      agent: 'Explore',
      trigger: 'subagent',
    });
    expect(ofKind(child, 'user')[0]).toMatchObject({ origin: 'subagent', text: 'count' });
  });

  it('are not counted a second time from what their parent reports about them', () => {
    expect(tokensOf(main)).toEqual({ input: 1, output: 2, cacheWrite: 3, cacheRead: 4 });
    expect(tokensOf(child)).toEqual({ input: 100, output: 200, cacheWrite: 0, cacheRead: 0 });
  });

  it('come back with their result, in the background through a notice', () => {
    expect(ofKind(main, 'spawn').map(({ spawnId, sessionId, ok }) => [spawnId, sessionId, ok])).toEqual([
      ['toolu_a', undefined, undefined],
      ['toolu_b', undefined, undefined],
      ['toolu_b', 's-main:agent-b22', undefined],
      ['toolu_a', 's-main:agent-a11', true],
      ['toolu_b', undefined, false],
    ]);
    expect(ofKind(main, 'result').map(({ callId, ok, running }) => [callId, ok, running])).toEqual([
      ['toolu_b', undefined, true],
      ['toolu_a', true, undefined],
      ['toolu_b', false, undefined],
    ]);
  });

  it('that a person stopped have neither completed nor failed', () => {
    const sent = { type: 'tool_use', id: 'toolu_a', name: 'Task', input: { prompt: 'look' } };
    const text = '[Request interrupted by user for tool use]';
    const back = { type: 'tool_result', tool_use_id: 'toolu_a', content: text, is_error: true };
    const read = readLines(claudeCodeAdapter, [
      { type: 'assistant', sessionId: 's', uuid: 'a', message: { id: 'm', content: [sent] } },
      { type: 'user', sessionId: 's', uuid: 'b', message: { content: [back] } },
    ]);
    expect(ofKind(read, 'result')).toMatchObject([{ callId: 'toolu_a', denied: true }]);
    expect(ofKind(read, 'spawn').map(({ ok }) => ok)).toEqual([undefined]);
  });

  it('take their parent from the folder where their lines name only themselves', () => {
    const line = {
      type: 'user',
      isSidechain: true,
      agentId: 'z9',
      sessionId: 'agent-z9',
      uuid: 'z',
      message: { content: 'x' },
    };
    const read = readLines(claudeCodeAdapter, [line], '/p/parent-1/subagents/agent-z9.jsonl');
    expect(ofKind(read, 'session')[0]).toMatchObject({
      sessionId: 'parent-1:agent-z9',
      parentSessionId: 'parent-1',
    });
  });

  it('of older versions stand between the lines of the parent, each chain a session', () => {
    const read = readFixture('claude-code-inline/old-1.jsonl');
    expect(sessionsOf(read)).toEqual(['old-1', 'old-1:l-1', 'old-1:r-1']);
    expect(tokensOf(read, 'old-1').input).toBe(1);
    expect(tokensOf(read, 'old-1:l-1').input).toBe(10);
    expect(tokensOf(read, 'old-1:r-1').input).toBe(100);
    // ccusage 20.0.24 gives the whole file to the session: the sum is the same.
    expect(tokensOf(read)).toEqual({ input: 111, output: 111, cacheWrite: 0, cacheRead: 0 });
  });
});

describe('several sessions in one file', () => {
  const line = (sessionId: string, uuid: string) => ({
    type: 'user',
    sessionId,
    uuid,
    message: { content: 'hello' },
  });

  it('are told apart when the file is named after none of them', () => {
    expect(
      sessionsOf(readLines(claudeCodeAdapter, [line('a', '1'), line('b', '2'), line('a', '3')])),
    ).toEqual(['a', 'b']);
  });

  it('are the copied past of the session that the file is named after', () => {
    const read = readLines(
      claudeCodeAdapter,
      [line('a', '1'), line('bbbb', '2'), line('a', '3')],
      '/p/bbbb.jsonl',
    );
    expect(read.events.filter(({ kind }) => kind === 'user').map(({ session }) => session)).toEqual([
      'a',
      'bbbb',
      'bbbb',
    ]);
  });
});

describe('detection of Claude Code', () => {
  const detect = (...records: unknown[]) => claudeCodeAdapter.detect({ records, document: false, path: 'x' });

  it('goes by the shape of the lines', () => {
    expect(detect(...recordsOf('claude-code-turns/5f0c.jsonl'))).toBe(true);
    expect(detect({ type: 'file-history-snapshot', messageId: 'm', snapshot: {} })).toBe(true);
  });

  it('leaves other agents alone that use a similar shape', () => {
    const turn = { type: 'user', uuid: 'u', sessionId: 's', parentUuid: null };
    expect(detect({ ...turn, message: { role: 'user', parts: [{ text: 'x' }] } })).toBe(false);
    expect(detect({ type: 'message', message: { role: 'user', content: 'x' } })).toBe(false);
    expect(detect({ type: 'user', content: 'x' }, null, 7, 'x', [])).toBe(false);
  });
});

describe('lines that are passed over unparsed', () => {
  const skips = (line: unknown) =>
    claudeCodeAdapter.skipBytes?.(Buffer.from(typeof line === 'string' ? line : JSON.stringify(line)));

  it('are progress and file snapshots, told by the outermost type', () => {
    expect(skips({ parentUuid: null, sessionId: 's', type: 'progress', data: { type: 'x' } })).toBe(true);
    expect(skips({ type: 'file-history-snapshot', snapshot: { big: 'x'.repeat(5000) } })).toBe(true);
    expect(skips({ cwd: 'say \\"type\\":\\"x\\"', type: 'progress' })).toBe(true);
  });

  it('are never others that only mention the word', () => {
    expect(skips({ type: 'assistant', message: { content: '"type":"progress"' } })).toBe(false);
    expect(skips({ data: { type: 'progress' }, type: 'user' })).toBe(false);
    expect(skips({ list: [{ type: 'progress' }], type: 'user' })).toBe(false);
    expect(skips({ key: 'type', other: 'progress' })).toBe(false);
    expect(skips('[{"type":"progress"}]')).toBe(false);
    expect(skips('{"type":{"type":"progress"}}')).toBe(false);
  });

  it('are never torn, and never hide another record behind them', () => {
    const progress = JSON.stringify({ sessionId: 's', type: 'progress', data: {} });
    const good = JSON.stringify({ sessionId: 's', type: 'user', message: { content: 'x' } });
    expect(skips(progress + good)).toBe(false);
    expect(skips(progress.slice(0, -2))).toBe(false);
    expect(skips(progress.slice(0, -4) + good)).toBe(false);
  });

  it('carry no event: reading with and without passing over is the same', () => {
    const records = recordsOf('claude-code-subagents/s-main.jsonl');
    const kept = records.filter((record) => !skips(record));
    expect(kept).toHaveLength(records.length - 1);
    const kinds = (all: unknown[]) => readLines(claudeCodeAdapter, all).events.map(({ kind }) => kind);
    expect(kinds(kept)).toEqual(kinds(records));
  });
});

describe('older versions of Claude Code', () => {
  const line = (type: string, fields: Record<string, unknown>) => ({
    type,
    sessionId: 's',
    timestamp: '2026-01-01T00:00:00.000Z',
    ...fields,
  });
  const summary = line('user', {
    isCompactSummary: true,
    message: { content: 'This session is being continued' },
  });
  const reply = line('assistant', { message: { id: 'm', content: [{ type: 'text', text: 'Going on.' }] } });
  const boundary = line('system', { subtype: 'compact_boundary' });
  const compactions = (...records: unknown[]) =>
    ofKind(readLines(claudeCodeAdapter, records), 'compaction').length;

  it('tell a compaction by its summary alone', () => {
    expect(compactions(reply, summary, reply)).toBe(1);
    expect(compactions(reply, boundary, summary, reply)).toBe(1);
    expect(compactions(reply, boundary, summary, reply, summary)).toBe(2);
    expect(compactions(reply, boundary, reply, summary)).toBe(2);
  });

  it('state what a message cost, once for all of its lines', () => {
    const usage = { input_tokens: 1, output_tokens: 2 };
    const paid = (rest: object) =>
      line('assistant', { costUSD: 0.25, message: { id: 'm', content: [], usage }, ...rest });
    const costs = (...records: unknown[]) =>
      ofKind(readLines(claudeCodeAdapter, records), 'reply').map(({ costUsd, messageId }) => [
        messageId,
        costUsd,
      ]);
    expect(costs(paid({}), paid({}))).toEqual([
      ['m in s', 0.25],
      ['m in s', 0.25],
    ]);
    expect(costs(paid({ message: { content: [], usage } }))).toEqual([[undefined, 0.25]]);
    expect(costs(paid({ costUSD: -1 }))).toEqual([['m in s', undefined]]);
  });

  it('are told by their lines, with or without names for them', () => {
    expect(claudeCodeAdapter.detect({ records: [summary], document: false, path: '' })).toBe(true);
  });
});

describe('whatever a Claude Code file contains', () => {
  const samples = [
    'claude-code-turns/5f0c.jsonl',
    'claude-code-subagents/s-main.jsonl',
    'claude-code-inline/old-1.jsonl',
  ].map(recordsOf);

  it('reading never throws, and its events are sound', () => {
    fc.assert(
      fc.property(fc.constantFrom(...samples), changes, (records, todo) => {
        const damaged = mutated(records, todo);
        const list = Array.isArray(damaged) ? damaged : [damaged];
        expectWellFormed(readLines(claudeCodeAdapter, list));
        for (const record of list) claudeCodeAdapter.entryKey?.(record);
        claudeCodeAdapter.detect({ records: list, document: false, path: '' });
      }),
      { numRuns: 2000 },
    );
  });

  it('a line of any bytes may be looked at', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        claudeCodeAdapter.skipBytes?.(Buffer.from(bytes));
      }),
      { numRuns: 2000 },
    );
  });
});

it('belongs to the folder it began in, which not every record names', () => {
  const line = (uuid: string, rest: object) => ({
    type: 'user',
    uuid,
    sessionId: 's',
    timestamp: '2026-03-01T08:00:00Z',
    message: { role: 'user', content: 'Hello' },
    ...rest,
  });
  const told = readLines(claudeCodeAdapter, [
    { type: 'summary', summary: 'Greeting', leafUuid: 'b' },
    line('a', {}),
    line('b', { cwd: '/home/me/garden' }),
    line('c', { cwd: '/home/me/garden/shed' }),
  ]);
  expect(ofKind(told, 'session').flatMap(({ project }) => project ?? [])).toEqual(['/home/me/garden']);
});

it('tells a task that a schedule started from what a person wrote', () => {
  const said = (content: string) =>
    ofKind(
      readLines(claudeCodeAdapter, [{ type: 'user', sessionId: 's', uuid: 'u', message: { content } }]),
      'user',
    )[0]?.origin;
  expect(said('<scheduled-task name="inbox">Look through the inbox.</scheduled-task>')).toBe('cron');
  expect(said('Look through the inbox.')).toBe('user');
});
