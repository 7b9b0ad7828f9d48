import { describe, expect, it } from 'vitest';
import { estimate, type Measurement, unmeasured } from '../measure/metric.ts';
import { type Check, caseChecks, gate, zoneChecks } from './gate.ts';
import { type JudgedCase, judgeMetrics } from './verdict.ts';

const check = (outcome: Check['outcome']): Check => ({ id: outcome, outcome, reason: `it is ${outcome}` });

describe('gate', () => {
  it.each([
    [['passed', 'passed'], 'passed', 0],
    [['passed', 'warning'], 'passed', 0],
    [['passed', 'inconclusive'], 'inconclusive', 2],
    [['inconclusive', 'blocked', 'passed'], 'blocked', 1],
    [[], 'inconclusive', 2],
  ] as const)('turns %j into %s', (outcomes, verdict, exitCode) => {
    expect(gate(outcomes.map(check))).toMatchObject({ verdict, exitCode });
  });
});

describe('zoneChecks', () => {
  const declarations = [
    {
      id: 'x/recall',
      title: 'Recall',
      unit: 'ratio' as const,
      better: 'higher' as const,
      zones: { fail: 0.6, target: 0.7, excellent: 0.85 },
    },
    {
      id: 'x/rate',
      title: 'Rate',
      unit: 'ratio' as const,
      better: 'lower' as const,
      zones: { fail: 0.05, target: 0.02, excellent: 0 },
    },
  ];
  const outcomes = (recall: Measurement, rate: Measurement) =>
    zoneChecks(judgeMetrics(declarations, { 'x/recall': recall, 'x/rate': rate }), {
      gated: ['x/recall', 'x/rate'],
      warnWhenWorseThan: { 'x/rate': 0 },
    }).map((one) => [one.id, one.outcome]);

  it('blocks on the fail zone and not on the zone between fail and pass', () => {
    expect(outcomes(estimate(0.59, 5), estimate(0, 5))).toContainEqual(['x/recall', 'blocked']);
    expect(outcomes(estimate(0.61, 5), estimate(0, 5))).toContainEqual(['x/recall', 'passed']);
  });

  it('warns as soon as a metric leaves its warning line', () => {
    expect(outcomes(estimate(1, 5), estimate(0.01, 5))).toContainEqual(['x/rate:warning', 'warning']);
    expect(outcomes(estimate(1, 5), estimate(0, 5))).not.toContainEqual(['x/rate:warning', 'warning']);
  });

  it('is inconclusive about a gated id that no metric has', () => {
    const checks = zoneChecks(judgeMetrics(declarations, {}), { gated: ['x/recal'] });
    expect(checks).toEqual([
      { id: 'x/recal', outcome: 'inconclusive', reason: 'x/recal is gated, but there is no such metric' },
    ]);
  });

  it('is inconclusive about a gated metric that was not measured', () => {
    expect(outcomes(unmeasured('no cases'), estimate(0, 5))).toContainEqual(['x/recall', 'inconclusive']);
  });
});

describe('what cases say beside the suite', () => {
  const failed = (id: string): JudgedCase => ({
    id,
    notes: [],
    failed: true,
    zone: 'fail',
    metrics: [
      {
        id: 'x/a',
        title: 'Recall',
        unit: 'ratio',
        better: 'higher',
        zone: 'fail',
        measurement: estimate(0, 1),
      },
      {
        id: 'x/b',
        title: 'Aside',
        unit: 'ratio',
        better: 'higher',
        zone: 'fail',
        measurement: estimate(0, 1),
      },
    ],
  });
  const fine = (id: string): JudgedCase => ({ id, notes: [], metrics: [], zone: 'pass' });

  it('names failed cases with what failed, and blocks only when told', () => {
    const cases = ['a', 'b', 'c', 'd', 'e', 'f'].map(failed);
    const [check] = caseChecks(cases, { gated: [], aside: ['x/b'], caseFailures: 'warn' });
    expect(check).toMatchObject({
      outcome: 'warning',
      reason: '6 cases failed: a (Recall), b (Recall), c (Recall), d (Recall), e (Recall) and 1 more',
    });
    expect(caseChecks([failed('a')], { gated: [], caseFailures: 'block' })).toMatchObject([
      { outcome: 'blocked' },
    ]);
    expect(caseChecks([failed('a')], { gated: [] })).toEqual([]);
  });

  it('is inconclusive below the least number of cases', () => {
    const policy = { gated: [], minCases: 5 };
    expect(caseChecks(['a', 'b', 'c', 'd'].map(fine), policy)).toMatchObject([{ outcome: 'inconclusive' }]);
    expect(caseChecks(['a', 'b', 'c', 'd', 'e'].map(fine), policy)).toEqual([]);
  });
});
