import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openHandsAdapter } from './openhands.ts';
import {
  expectWellFormed,
  kindsOf,
  ofKind,
  readDocument,
  readLines,
  sessionsOf,
} from './testing/read-events.ts';

const path = 'test/fixtures/session/openhands-events/trajectory.json';
const document = JSON.parse(readFileSync(path, 'utf8'));
const read = readDocument(openHandsAdapter, document, path);
const resultOf = (callId: string) => ofKind(read, 'result').find((result) => result.callId === callId);

describe('OpenHands events', () => {
  it('are one session, named after the file or its folder', () => {
    expectWellFormed(read);
    expect(read.unknown).toEqual([]);
    expect(sessionsOf(read)).toEqual(['openhands-events']);
    expect(sessionsOf(readDocument(openHandsAdapter, document, 'trajectories/4f2a.json'))).toEqual(['4f2a']);
  });

  it('read the same as an array and as lines', () => {
    expect(readLines(openHandsAdapter, document, path)).toEqual(read);
  });

  it('take only what the person said as a turn', () => {
    expect(ofKind(read, 'user').map(({ text }) => text)).toEqual(['Make the tests of the parser pass.']);
  });

  it('tell success by exit code, by kind of observation, or leave it to the text', () => {
    expect(resultOf('tc-1')).toMatchObject({ ok: false });
    expect(resultOf('tc-2')).toMatchObject({ ok: true });
    expect(resultOf('tc-3')).toMatchObject({ ok: false });
    expect(resultOf('action-11')).not.toHaveProperty('ok');
    expect(resultOf('action-13')).toMatchObject({ running: true });
    expect(resultOf('action-15')).toMatchObject({ denied: true });
  });

  it('give the answers of one message one id, and take cached input out of the input', () => {
    const messages = ofKind(read, 'reply').map(({ messageId, usage }) => [
      messageId,
      usage?.input,
      usage?.cacheRead,
    ]);
    expect(messages.slice(0, 3)).toEqual([
      ['r-1', 600, 400],
      ['r-2', 200, 1000],
      ['r-2', 200, 1000],
    ]);
  });

  it('declare the accumulated cost and tokens', () => {
    expect(ofKind(read, 'session').at(-1)).toMatchObject({
      costUsd: 0.031,
      usage: { input: 800, output: 110, cacheRead: 1400, cacheWrite: 0 },
    });
  });

  it('see the sub-agent start and come back, and the history being shortened', () => {
    expect(ofKind(read, 'spawn').map(({ spawnId, ok }) => [spawnId, ok])).toEqual([
      ['18', undefined],
      ['18', true],
    ]);
    expect(kindsOf(read)).toContain('compaction');
  });

  it('end where the agent was done, not where the runtime put it away', () => {
    expect(ofKind(read, 'end').map(({ reason }) => reason)).toEqual(['normal', 'normal']);
  });

  it.each([
    ['error', 'RuntimeError: Agent reached maximum iteration', 'limit'],
    ['error', 'AgentStuckInLoopError', 'error'],
    ['rejected', '', 'normal'],
    ['awaiting_user_input', '', 'normal'],
    ['stopped', '', 'aborted'],
  ])('end: state %s (%s) is %s', (agent_state, reason, end) => {
    const change = (state: string) => ({
      id: 1,
      source: 'environment',
      observation: 'agent_state_changed',
      content: '',
      extras: { agent_state: state, reason },
    });
    const ends = ofKind(readLines(openHandsAdapter, [change('running'), change(agent_state)]), 'end');
    expect(ends.map((one) => one.reason)).toEqual([end]);
  });

  it('read evaluation records as one session per instance, without their test result', () => {
    const lines = readFileSync('test/fixtures/session/openhands-evaluation/output.jsonl', 'utf8');
    const records = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const evaluation = readLines(openHandsAdapter, records, 'output.jsonl');
    expect(sessionsOf(evaluation)).toEqual(['demo__demo-1', 'demo__demo-2']);
    expect(ofKind(evaluation, 'end').map(({ reason }) => reason)).toEqual(['limit']);
    const flipped = records.map((record) => ({ ...record, test_result: { resolved: 'other' } }));
    expect(readLines(openHandsAdapter, flipped, 'output.jsonl')).toEqual(evaluation);
  });
});
