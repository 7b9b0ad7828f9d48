import { expect, it } from 'vitest';
import type { Change } from '../../judge/compare.ts';
import type { JudgedMetric } from '../../judge/verdict.ts';
import type { Zone } from '../../judge/zone.ts';
import { estimate, unmeasured } from '../../measure/metric.ts';
import { caseNotes, impactRows } from './changelog.ts';
import { decide, type MeasuredVersion } from './promotion.ts';

const RECALL = 'decomposition/concept-recall';
const OVERALL = 'decomposition/overall';

function metric(id: string, zone: Zone, size?: Change['size'], points?: number): JudgedMetric {
  const before = 0.7 - (points ?? 0) / 100;
  return {
    id,
    title: id === RECALL ? 'Concept recall' : 'Overall score',
    unit: 'ratio',
    better: 'higher',
    measurement: estimate(0.7, 15),
    zone,
    ...(size && {
      change: { baseline: estimate(before, 15), size, points },
    }),
  };
}

const measured = (metrics: JudgedMetric[], rest: Partial<MeasuredVersion> = {}): MeasuredVersion => ({
  metrics,
  gated: [RECALL, OVERALL],
  zonesBefore: { [RECALL]: 'pass', [OVERALL]: 'pass' },
  errored: [],
  missing: [],
  differences: [],
  ...rest,
});

it('promotes when every metric is stable or better', () => {
  const decision = decide(
    measured([metric(RECALL, 'pass', 'unchanged', -0.9), metric(OVERALL, 'pass', 'improved', 3)]),
  );
  expect(decision.outcome).toBe('promote');
});

it('rejects a fall of more than five points in any metric', () => {
  const decision = decide(
    measured([metric(RECALL, 'pass', 'regression', -5.1), metric(OVERALL, 'pass', 'improved', 9)]),
  );
  expect(decision).toMatchObject({ outcome: 'reject', reasons: ['Concept recall got worse by 5.1 points'] });
});

it('rejects a metric that enters the fail zone, however little it fell', () => {
  const decision = decide(measured([metric(RECALL, 'fail', 'unchanged', -0.2)]));
  expect(decision).toMatchObject({
    outcome: 'reject',
    reasons: ['Concept recall is in the fail zone (before: pass)'],
  });
});

it('promotes what stays in the fail zone as before, and says that the gate keeps blocking', () => {
  const decision = decide(
    measured([metric(RECALL, 'fail', 'improved', 3)], { zonesBefore: { [RECALL]: 'fail' } }),
  );
  expect(decision.outcome).toBe('promote');
  expect(decision.reasons.join()).toMatch(/still in the fail zone.*Concept recall/);
});

it('holds a fall of one to five points, which somebody may approve', () => {
  const decision = decide(measured([metric(RECALL, 'pass', 'small regression', -3)]));
  expect(decision).toMatchObject({ outcome: 'hold', approvable: true });
});

it.each([
  ['errored cases', { errored: ['a'] }],
  ['missing cases', { missing: ['a'] }],
  [
    'another golden set',
    {
      differences: ['the baseline was measured against another golden set'],
    },
  ],
  ['a version before that nobody measured', { beforeUnmeasured: 'a-v1.0' }],
])('holds for %s, which nobody can approve away', (_, rest) => {
  const decision = decide(measured([metric(RECALL, 'pass', 'improved', 3)], rest));
  expect(decision).toMatchObject({ outcome: 'hold', approvable: false });
});

it('holds when a metric was not measured', () => {
  const lost: JudgedMetric = { ...metric(RECALL, 'pass'), measurement: unmeasured('nothing extracted') };
  expect(decide(measured([lost]))).toMatchObject({
    outcome: 'hold',
    reasons: ['Concept recall was not measured'],
  });
});

it('judges a first version by its fail zones alone', () => {
  const { zonesBefore: _, ...first } = measured([metric(RECALL, 'below target')]);
  expect(decide(first).outcome).toBe('promote');
  expect(decide({ ...first, metrics: [metric(RECALL, 'fail')] }).outcome).toBe('reject');
});

it('words the table as the CHANGELOG does, and never invents a figure', () => {
  expect(impactRows([metric(RECALL, 'pass', 'improved', 4), metric(OVERALL, 'pass')])).toEqual([
    { metric: 'Recall', before: '66%', after: '70%', delta: '+4%' },
    { metric: 'Overall', before: 'not measured', after: '70%', delta: 'not measured' },
  ]);
  const down = impactRows([metric(RECALL, 'pass', 'small regression', -1.26)]);
  expect(down[0]).toMatchObject({ before: '71.3%', delta: '-1.3%' });
});

it('names the cases that moved, worst first', () => {
  const change = (points: number, size: Change['size']) => ({
    [OVERALL]: { baseline: estimate(0.5, 1), points, size },
  });
  const notes = caseNotes([
    { id: 'a', changes: change(8, 'improved') },
    { id: 'b', changes: change(-2, 'small regression') },
    { id: 'c', changes: change(0.2, 'unchanged') },
    { id: 'd', changes: change(-9, 'regression') },
  ]);
  expect(notes).toEqual([
    'Regression on d.gold.json (-9 points), investigate',
    'Slight regression on b.gold.json (-2 points), investigate',
    'Significant improvement on a.gold.json (+8 points)',
  ]);
});

it('holds any hallucination, however little, until somebody gives a reason', () => {
  const rate = (value: number): JudgedMetric => ({
    id: 'decomposition/hallucination-rate',
    title: 'Hallucination rate',
    unit: 'ratio',
    better: 'lower',
    measurement: estimate(value, 15),
    zone: 'pass',
    change: { baseline: estimate(0, 15), size: 'unchanged', points: -100 * value },
  });
  expect(decide(measured([rate(0.004)]))).toEqual({
    outcome: 'hold',
    reasons: ['Hallucination rate is 0.4%, before 0%: it needs a reason'],
    approvable: true,
  });
  expect(decide(measured([rate(0)])).outcome).toBe('promote');
});
