import { describe, expect, it } from 'vitest';
import { type Examined, measureCases } from '../measure/measure.ts';
import { estimate, type Metric } from '../measure/metric.ts';
import { meanOverCases } from '../measure/over-cases.ts';
import { judge, type Policy } from './judge.ts';

const share: Metric<number> = {
  id: 'x/share',
  title: 'Share',
  question: 'How much?',
  formula: 'itself',
  unit: 'ratio',
  range: [0, 1],
  better: 'higher',
  zones: { fail: 0.5, target: 0.7, excellent: 0.9 },
  example: { given: 'a half', cases: [0.5], value: 0.5 },
  compute: (cases) => meanOverCases(cases, (one) => estimate(one, 20)),
};
const subject = {
  instrument: 'x',
  subject: 'it',
  runId: 'now',
  at: '2026-01-09T00:00:00.000Z',
  scorer: '1',
  next: [],
};
const policy: Policy = {
  gate: { gated: ['x/share'] },
  compare: { blocking: [], noisePoints: 1, blockPoints: 5 },
};
const good = (id: string, evidence = 0.8): Examined<number> => ({ id, evidence, notes: [] });
const bad = (id: string): Examined<number> => ({ id, error: 'not JSON' });
const judged = (cases: readonly Examined<number>[], more: Partial<Policy> = {}, earlier = {}) =>
  judge(subject, [share], cases, measureCases([share], cases), earlier, { ...policy, ...more });

describe('a run', () => {
  it('is blocked by a case that could not be read', () => {
    expect(judged([good('a'), bad('b')]).gate).toMatchObject({ verdict: 'blocked', exitCode: 1 });
  });

  it('could not run when no case could be read', () => {
    expect(judged([bad('a'), bad('b')]).gate).toEqual({
      verdict: 'could not run',
      exitCode: 3,
      checks: [],
      reasons: ['a: not JSON', 'b: not JSON'],
    });
  });

  it('is inconclusive without any case', () => {
    expect(judged([]).gate).toMatchObject({ verdict: 'inconclusive', exitCode: 2 });
  });

  it('carries what the policy has to say about its numbers', () => {
    const explain: Policy['explain'] = (metrics) => metrics.map(({ id, zone }) => `${id} is ${zone}`);
    expect(judged([good('a')], { explain }).notes).toEqual(['x/share is pass']);
  });

  it('joins its series only with all of its cases', () => {
    const earlier = { 'x/share': [{ runId: 'then', at: '2026-01-08T00:00:00.000Z', value: 0.7 }] };
    const runs = (cases: readonly Examined<number>[]) =>
      judged(cases, {}, earlier).trends[0]?.points.map(({ runId }) => runId);
    expect(runs([good('a'), good('b')])).toEqual(['then', 'now']);
    expect(runs([good('a'), bad('b')])).toEqual(['then']);
  });
});
