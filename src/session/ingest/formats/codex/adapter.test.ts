import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changes, mutated } from '../testing/mutate.ts';
import { expectWellFormed, ofKind, type Read, readLines, sessionsOf } from '../testing/read-events.ts';
import { codexAdapter } from './adapter.ts';

const recordsOf = (scenario: string) =>
  readFileSync(`test/fixtures/session/${scenario}/rollout.jsonl`, 'utf8')
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));

const usages = (read: Read) => ofKind(read, 'reply').flatMap(({ usage }) => (usage ? [usage] : []));

describe('a Codex rollout', () => {
  const read = readLines(codexAdapter, recordsOf('codex-rollout'));

  it('says which folder it works in', () => {
    expect(ofKind(read, 'session')[0]).toMatchObject({ project: '/w' });
  });

  it('is named by its header', () => {
    expect(ofKind(read, 'session')[0]).toMatchObject({
      sessionId: 'cx-1',
      agent: 'codex',
      provider: 'openai',
    });
    expect(sessionsOf(read)).toEqual(['cx-1']);
    expect(read.unknown).toEqual(['event_msg/telepathy']);
    expectWellFormed(read);
  });

  it('counts tokens when the total moved, without the cached part of the input', () => {
    expect(usages(read)).toEqual([
      { input: 400, output: 50, cacheRead: 600, cacheWrite: 0 },
      { input: 300, output: 30, cacheRead: 900, cacheWrite: 0 },
      // The total fell from 2200 to 300: it was started anew, and the event carries no usage of its own.
      { input: 300, output: 10, cacheRead: 0, cacheWrite: 0 },
    ]);
  });

  it('gives what was said and what it cost as one message, under the model of its turn', () => {
    const replies = ofKind(read, 'reply').map(({ messageId, text, model }) => [messageId, text, model]);
    expect(replies).toEqual([
      ['cx-1#0', '', 'gpt-5.4'],
      ['cx-1#1', '', 'gpt-5.4'],
      ['cx-1#2', 'One test fails.', 'gpt-5.4'],
      ['cx-1#2', '', 'gpt-5.4'],
    ]);
  });

  it('counts a message of the person once, although two records show it, and again when it is said again', () => {
    expect(ofKind(read, 'user').map(({ line, origin, text }) => [line, origin, text])).toEqual([
      [3, 'runtime', ''],
      [6, 'user', 'Run the tests'],
      [30, 'user', 'Run the tests'],
    ]);
  });

  it('finds the outcome of calls wherever it is written', () => {
    const results = ofKind(read, 'result').map(({ callId, ok, running }) => [
      callId,
      running ? 'running' : ok,
    ]);
    expect(results).toEqual([
      ['call_1', 'running'],
      ['call_2', false],
      // What the second call saw is how the first one ended.
      ['call_1', false],
      ['call_3', true],
      ['call_3', true],
      ['call_4', false],
      ['call_5', false],
      ['call_5', false],
      ['ws_1', true],
    ]);
    expect(ofKind(read, 'call').map(({ tool }) => tool)).toEqual([
      'exec_command',
      'write_stdin',
      'apply_patch',
      'mcp__mail__send',
      'local_shell',
      'web_search',
    ]);
    expect(ofKind(read, 'call')[0]?.input).toEqual({ cmd: 'npm test' });
  });

  it('knows files, compactions, interruptions and ends', () => {
    expect(ofKind(read, 'artifact')).toMatchObject([{ artifact: 'file', ok: true }]);
    expect(ofKind(read, 'compaction')).toHaveLength(1);
    expect(ofKind(read, 'interrupt')).toHaveLength(1);
    expect(ofKind(read, 'end').map(({ reason }) => reason)).toEqual(['normal', 'limit']);
  });

  it('has lines with an identity, so that an archived copy is no second session', () => {
    const keys = recordsOf('codex-rollout').map((record) => codexAdapter.entryKey?.(record));
    expect(keys[5]).toBeUndefined();
    expect(new Set(keys.slice(8, 14)).size).toBe(6);
  });
});

describe('a fork', () => {
  const read = readLines(codexAdapter, recordsOf('codex-fork'));

  it('is a child of the session that started it', () => {
    expect(ofKind(read, 'session')).toMatchObject([
      { sessionId: 'cx-child', parentSessionId: 'cx-parent', trigger: 'subagent' },
    ]);
  });

  it('does not count the history it took along', () => {
    expect(ofKind(read, 'user').map(({ origin, text }) => [origin, text])).toEqual([
      ['subagent', 'What the child is asked'],
    ]);
    expect(usages(read)).toEqual([{ input: 500, output: 20, cacheRead: 100, cacheWrite: 0 }]);
    expect(ofKind(read, 'reply')[0]).toMatchObject({ text: 'Done.', model: 'gpt-5.4' });
  });
});

describe('rollouts of the first versions', () => {
  const read = readLines(codexAdapter, recordsOf('codex-legacy'));

  it('have items without an envelope', () => {
    expect(read.unknown).toEqual([]);
    expect(ofKind(read, 'session')[0]).toMatchObject({ sessionId: 'cx-old' });
    expect(ofKind(read, 'user')[0]).toMatchObject({ origin: 'user', text: 'List the files' });
    expect(ofKind(read, 'result').map(({ ok, denied }) => [ok, denied])).toEqual([
      [true, undefined],
      [undefined, true],
    ]);
  });

  it('are told by their header', () => {
    const detect = (records: unknown[]) => codexAdapter.detect({ records, document: false, path: 'x' });
    expect(detect(recordsOf('codex-legacy'))).toBe(true);
    expect(detect(recordsOf('codex-rollout'))).toBe(true);
    expect(
      detect([
        { role: 'user', content: 'x' },
        { type: 'message', id: 'x' },
      ]),
    ).toBe(false);
  });
});

describe('two rollouts in one stream', () => {
  it('are two sessions', () => {
    const other = { type: 'session_meta', payload: { id: 'cx-2' } };
    const said = { type: 'event_msg', payload: { type: 'user_message', message: 'Run the tests' } };
    const read = readLines(codexAdapter, [...recordsOf('codex-rollout'), other, said]);
    expect(sessionsOf(read)).toEqual(['cx-1', 'cx-2']);
  });
});

describe('sub-agents of Codex', () => {
  const event = (payload: object) => ({ timestamp: '2026-04-01T09:00:00.000Z', type: 'event_msg', payload });

  it('come back as completed or failed', () => {
    const read = readLines(codexAdapter, [
      event({ type: 'collab_agent_spawn_end', new_thread_id: 'k1', status: 'pending_init' }),
      event({ type: 'collab_agent_spawn_end', new_thread_id: 'k2', status: 'running' }),
      event({
        type: 'collab_waiting_end',
        agent_statuses: [{ thread_id: 'k1', status: { completed: 'yes' } }],
        statuses: { k2: { errored: 'no' } },
      }),
    ]);
    expect(ofKind(read, 'spawn').map(({ spawnId, ok }) => [spawnId, ok])).toEqual([
      ['k1', undefined],
      ['k2', undefined],
      ['k1', true],
      ['k2', false],
    ]);
  });
});

describe('whatever a Codex file contains', () => {
  const samples = ['codex-rollout', 'codex-fork', 'codex-legacy'].map(recordsOf);

  it('reading never throws, and its events are sound', () => {
    fc.assert(
      fc.property(fc.constantFrom(...samples), changes, (records, todo) => {
        const damaged = mutated(records, todo);
        const list = Array.isArray(damaged) ? damaged : [damaged];
        expectWellFormed(readLines(codexAdapter, list));
        for (const record of list) codexAdapter.entryKey?.(record);
        codexAdapter.detect({ records: list, document: false, path: '' });
      }),
      { numRuns: 2000 },
    );
  });
});
