import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readFile } from '../reading/read-file.ts';
import { usageOfSession } from '../testing/usage-of-session.ts';
import { codexExecAdapter } from './codex-exec.ts';
import { ofKind, readLines } from './testing/read-events.ts';

const PATH = 'test/fixtures/session/codex-exec/run.jsonl';
const records = readFileSync(PATH, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as object);

describe('codex exec --json', () => {
  const read = readLines(codexExecAdapter, records);

  it('tells each call once, with its exit code, and what was declined', () => {
    expect(ofKind(read, 'call').map(({ tool }) => tool)).toEqual([
      'shell',
      'apply_patch',
      'shell',
      'search',
      'spawn_agent',
    ]);
    expect(ofKind(read, 'result').map(({ ok, denied }) => (denied ? 'denied' : ok))).toEqual([
      false,
      true,
      'denied',
      false,
      true,
    ]);
    expect(ofKind(read, 'spawn').map(({ sessionId }) => sessionId)).toEqual([
      '0199a213-81c0-7800-8aa1-bbab2a035a54',
    ]);
    expect(read.unknown).toEqual([]);
  });

  it('tells what became of an agent where it is waited for', () => {
    const item = (tool: string, states: object) => ({
      type: 'item.completed',
      item: {
        id: `${tool} ${JSON.stringify(states)}`,
        type: 'collab_tool_call',
        tool,
        receiver_thread_ids: ['a', 'b'],
        agents_states: states,
        status: 'completed',
      },
    });
    const lines = [
      item('spawn_agent', { a: { status: 'running' }, b: { status: 'pending_init' } }),
      item('wait', { a: { status: 'completed', message: 'Done.' }, b: { status: 'running' } }),
      item('wait', { b: { status: 'errored', message: 'No.' } }),
    ];
    expect(
      ofKind(readLines(codexExecAdapter, lines), 'spawn').map(({ spawnId, ok }) => [spawnId, ok]),
    ).toEqual([
      ['a', undefined],
      ['b', undefined],
      ['a', true],
      ['b', false],
    ]);
  });

  it('counts the total of the thread once, without the cached input, with the reasoning inside the output', async () => {
    const { sessions } = await readFile(PATH);
    expect(sessions).toHaveLength(1);
    expect(sessions[0]).toMatchObject({ agent: 'codex', sessionId: '0199a213-81c0-7800-8aa1-bbab2a035a53' });
    expect(usageOfSession(sessions[0])).toEqual({
      input: 1000,
      output: 150,
      cacheRead: 29000,
      cacheWrite: 0,
    });
  });

  it('ends as the turn does: completed, failed, or cut off in a command', async () => {
    const end = (lines: readonly object[]) =>
      ofKind(readLines(codexExecAdapter, lines), 'end').at(-1)?.reason;
    expect(end(records)).toBe('normal');
    expect(end([...records.slice(0, 6), { type: 'turn.failed', error: { message: 'x' } }])).toBe('error');
    expect(end(records.slice(0, 5))).toBeUndefined();
  });

  it('reads what earlier builds print: events of the protocol', async () => {
    const earlier = readFileSync('test/fixtures/session/codex-exec/earlier.jsonl', 'utf8');
    const lines = earlier.trim().split('\n');
    const found = readLines(
      codexExecAdapter,
      lines.map((line) => JSON.parse(line)),
    );
    expect(found.unknown).toEqual([]);
    expect(ofKind(found, 'user').map(({ text }) => text)).toEqual(['Fix the tests.']);
    expect(ofKind(found, 'result').map(({ callId, ok }) => [callId, ok])).toEqual([
      ['c1', false],
      ['c2', true],
      ['c3', false],
    ]);
    const { sessions } = await readFile('test/fixtures/session/codex-exec/earlier.jsonl');
    expect(usageOfSession(sessions[0])).toEqual({
      input: 1000,
      output: 150,
      cacheRead: 29000,
      cacheWrite: 0,
    });
    expect(sessions[0]?.runs[0]).toMatchObject({
      turns: 1,
      end: 'normal',
      models: [{ model: 'gpt-5-codex' }],
    });
  });
});
