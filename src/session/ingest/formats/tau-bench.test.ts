import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readTauOutcomes, tauAdapter } from './tau-bench.ts';
import { expectWellFormed, kindsOf, ofKind, readDocument, sessionsOf } from './testing/read-events.ts';

const STEM = 'tool-calling-gpt-4o-0.0_range_0-3_user-gpt-4o-llm';
const path = `test/fixtures/session/tau-bench/${STEM}.json`;
const document = JSON.parse(readFileSync(path, 'utf8'));
const read = readDocument(tauAdapter, document, path);
const run = (id: string) => ({
  ...read,
  events: read.events.filter(({ session }) => session === `${STEM}:${id}`),
});

describe('tau-bench results', () => {
  it('give one session per run, with ids that stay unique when a run is there twice', () => {
    expectWellFormed(read);
    expect(sessionsOf(read)).toEqual([`${STEM}:0:0`, `${STEM}:1:0`, `${STEM}:1:0#2`, `${STEM}:2:1`]);
  });

  it('do not count the system prompt as a turn and take the stop word out of the last one', () => {
    expect(ofKind(run('0:0'), 'user').map(({ text }) => text)).toEqual([
      'I want to return order 5.',
      'Yes, thanks!',
    ]);
  });

  it('call a tool message that begins with Error a failure', () => {
    expect(ofKind(run('0:0'), 'result').map(({ ok }) => ok)).toEqual([false, true]);
    expect(ofKind(run('0:0'), 'call').map(({ input }) => input)).toEqual([
      { order_id: '5' },
      { order_id: '#5' },
    ]);
  });

  it('point at the message, counted over the whole file', () => {
    expect(ofKind(run('0:0'), 'result').map(({ line }) => line)).toEqual([4, 6]);
    expect(ofKind(run('1:0'), 'result').map(({ line }) => line)).toEqual([12]);
  });

  it('end at the stop word, at the hand-off, at the step limit or with an error', () => {
    expect(ofKind(read, 'end').map(({ reason }) => reason)).toEqual(['normal', 'handoff', 'limit', 'error']);
    expect(ofKind(run('1:0'), 'call').map(({ tool }) => tool)).toEqual(['transfer_to_human_agents']);
  });

  it('read calls that an agent wrote as text, and their answers, which come as messages of the person', () => {
    expect(kindsOf(run('1:0#2'))).toEqual(['user', 'reply', 'call', 'result', 'reply', 'end']);
    expect(ofKind(run('1:0#2'), 'reply').at(-1)?.text).toBe('It is pending.');
  });

  it('take the model from the benchmark’s own file name, and from no other', () => {
    expect(ofKind(read, 'session')[0]?.model).toBe('gpt-4o');
    expect(ofKind(readDocument(tauAdapter, document, 'grok-3-retail.json'), 'session')[0]).not.toHaveProperty(
      'model',
    );
  });

  it('tell the outcome only to those who ask for it', () => {
    expect(readTauOutcomes(document, { path })).toEqual([
      { sessionId: `${STEM}:0:0`, outcome: 1, task: '0' },
      { sessionId: `${STEM}:1:0`, outcome: 0, task: '1' },
      { sessionId: `${STEM}:1:0#2`, outcome: 0, task: '1' },
      { sessionId: `${STEM}:2:1`, outcome: 0, task: '2' },
    ]);
    const flipped = document.map((one: object) => ({
      ...one,
      reward: 0.5,
      info: { reward_info: { reward: 9 } },
    }));
    expect(readDocument(tauAdapter, flipped.slice(0, 3), path)).toEqual(
      readDocument(tauAdapter, document.slice(0, 3), path),
    );
  });
});
