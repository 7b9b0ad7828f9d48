import { basename, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sweAgentAdapter } from '../formats/swe-agent.ts';
import { readTauOutcomes, tau2Adapter, tauAdapter } from '../formats/tau-bench.ts';
import { readDocument, sessionsOf } from '../formats/testing/read-events.ts';
import { uniqueStem } from './name-by-file.ts';

describe('the name of a file', () => {
  it.each([
    ['gpt/results.json', 'gpt/results'],
    ['/runs/claude/results.json.gz', 'claude/results'],
    ['/runs/django-1/trajectory.traj', 'django-1/trajectory'],
    ['/runs/django-1/trajectory.traj.json', 'django-1/trajectory'],
    ['/runs/Output.jsonl', 'runs/Output'],
    ['gpt/gpt-4o-airline.json', 'gpt-4o-airline'],
    ['gpt/results-airline.json', 'results-airline'],
    ['runs/django__django-1.traj', 'django__django-1'],
    ['/results.json', 'results'],
  ])('%s is told as %s', (path, stem) => {
    expect(uniqueStem(path)).toBe(stem);
  });

  it('is the same however the path is written', () => {
    expect(uniqueStem('results.json')).toBe(`${basename(resolve('.'))}/results`);
    expect(uniqueStem(resolve('results.json'))).toBe(uniqueStem('./results.json'));
  });
});

describe('sessions of result files with the same name', () => {
  it('are not taken for each other (tau-bench)', () => {
    const document = [{ task_id: 1, trial: 0, reward: 1, info: {}, traj: [{ role: 'user', content: 'hi' }] }];
    const idsOf = (path: string) => sessionsOf(readDocument(tauAdapter, document, path));
    expect(idsOf('gpt/results.json')).toEqual(['gpt/results:1:0']);
    expect(idsOf('claude/results.json')).toEqual(['claude/results:1:0']);
    expect(idsOf('claude/gpt-4o-retail.json')).toEqual(['gpt-4o-retail:1:0']);
    expect(readTauOutcomes(document, { path: 'gpt/results.json' })).toEqual([
      { sessionId: 'gpt/results:1:0', outcome: 1, task: '1' },
    ]);
  });

  it('are not taken for each other (tau2-bench, where a simulation has no id)', () => {
    const simulation = { task_id: '1', trial: 0, messages: [], termination_reason: 'user_stop' };
    const document = { info: {}, simulations: [simulation, { ...simulation, trial: 1 }] };
    expect(sessionsOf(readDocument(tau2Adapter, document, 'gpt/results.json'))).toEqual([
      'gpt/results:1:0',
      'gpt/results:1:1',
    ]);
  });

  it('are not taken for each other (SWE-agent)', () => {
    const step = { action: 'ls', observation: 'a', response: 'r', thought: 't', state: '{}' };
    const document = { environment: 'e', trajectory: [step], history: [], info: {} };
    const idsOf = (path: string) => sessionsOf(readDocument(sweAgentAdapter, document, path));
    expect(idsOf('one/trajectory.traj')).toEqual(['one/trajectory']);
    expect(idsOf('two/trajectory.traj')).toEqual(['two/trajectory']);
    expect(idsOf('two/django__django-1.traj')).toEqual(['django__django-1']);
  });
});
