import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readTauOutcomes, tau2Adapter } from './tau-bench.ts';
import {
  expectWellFormed,
  kindsOf,
  ofKind,
  readDocument,
  readLines,
  sessionsOf,
} from './testing/read-events.ts';

const path = 'test/fixtures/session/tau2-bench/results.json';
const document = JSON.parse(readFileSync(path, 'utf8'));
const read = readDocument(tau2Adapter, document, path);
const first = { ...read, events: read.events.filter(({ session }) => session === 'sim-1') };

describe('tau2-bench results', () => {
  it('give one session per simulation; the trial tells two with one id apart', () => {
    expectWellFormed(read);
    expect(sessionsOf(read)).toEqual(['sim-1', 'sim-1:1']);
  });

  it('take agent, model and provider from the head of the file', () => {
    const expected = { agent: 'llm_agent', model: 'gpt-4.1', provider: 'azure' };
    expect(ofKind(read, 'session')[0]).toMatchObject(expected);
    expect(ofKind(first, 'reply')[0]).toMatchObject({ model: 'gpt-4.1', provider: 'azure' });
  });

  it('leave out the canned greeting and what the simulated person does with tools of its own', () => {
    expect(kindsOf(first)).toEqual(['user', 'reply', 'call', 'call', 'result', 'result', 'reply', 'end']);
    expect(ofKind(first, 'result').map(({ ok }) => ok)).toEqual([true, false]);
  });

  it('count the tokens of every message as they were billed: 2000 + 2100 in, 30 + 12 out', () => {
    const usages = ofKind(first, 'reply').map(({ usage }) => usage);
    expect(usages).toEqual([
      { input: 2000, output: 30, cacheRead: 0, cacheWrite: 0 },
      { input: 2100, output: 12, cacheRead: 0, cacheWrite: 0 },
    ]);
  });

  it('take a cost of 0 for used tokens as unknown', () => {
    expect(ofKind(read, 'session').map(({ costUsd }) => costUsd)).toEqual([0.004, undefined]);
    expect(ofKind(read, 'reply').map(({ costUsd }) => costUsd)).toEqual([0.002, 0.002, undefined]);
  });

  it('end as the termination reason says', () => {
    const end = (termination_reason: unknown) =>
      ofKind(readLines(tau2Adapter, [{ id: 'x', task_id: 't', messages: [], termination_reason }]), 'end')[0]
        ?.reason;
    expect(ofKind(read, 'end').map(({ reason }) => reason)).toEqual(['normal', 'limit']);
    expect(
      ['agent_stop', 'too_many_errors', 'agent_error', 'timeout', 'context_window_exceeded'].map(end),
    ).toEqual(['normal', 'error', 'error', 'timeout', 'limit']);
    expect(end('something_new')).toBeUndefined();
  });

  it('take times without a zone as UTC', () => {
    expect(ofKind(first, 'session')[0]?.at).toBe(Date.UTC(2026, 0, 4, 8));
  });

  it('tell the outcome only to those who ask for it', () => {
    expect(readTauOutcomes(document, { path })).toEqual([
      { sessionId: 'sim-1', outcome: 1, task: 'telecom:t1' },
      { sessionId: 'sim-1:1', outcome: 0, task: 'telecom:t1' },
    ]);
    const flipped = structuredClone(document);
    for (const simulation of flipped.simulations) simulation.reward_info = { reward: 0.3 };
    expect(readDocument(tau2Adapter, flipped, path)).toEqual(read);
  });
});
