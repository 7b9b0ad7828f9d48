import { expect, it } from 'vitest';
import { estimate, unmeasured } from '../../measure/metric.ts';
import { earlierSeries, pointsOf, type StoredScore, scoreSeries } from './score-series.ts';

const score = (at: string, dr: number | undefined, rest: Partial<StoredScore> = {}): StoredScore => ({
  runId: `run ${at}`,
  at: `2026-11-${at}T00:00:00.000Z`,
  subject: 'v1',
  scorer: 'workflow-1',
  truthHash: 'a',
  caseCount: 3,
  metrics: { 'workflow/dr': dr === undefined ? unmeasured('no runs') : estimate(dr, 3) },
  ...rest,
});
const taskOf = (hash: string) => (hash === 'other' ? 'T2' : 'T1');

it('puts scores of one workflow, task, ground truth and matcherVersion in the order of time', () => {
  const [series] = scoreSeries([score('03', 30), score('01', 10), score('02', undefined)], taskOf);
  expect(series).toMatchObject({ workflow: 'v1', task: 'T1', truthHash: 'a', matcherVersion: 'workflow-1' });
  expect(pointsOf(series as never, 'workflow/dr').map(({ value }) => value)).toEqual([10, 30]);
  expect(pointsOf(series as never, 'constructor')).toEqual([]);
});

it('begins a new series when the ground truth or the matcherVersion changes', () => {
  const series = scoreSeries(
    [
      score('01', 10),
      score('02', 20, { truthHash: 'b' }),
      score('03', 30, { truthHash: 'b', scorer: 'workflow-4' }),
      score('04', 40, { subject: 'v2' }),
      score('05', 50, { truthHash: 'other' }),
    ],
    taskOf,
  );
  expect(series.map(({ scores }) => scores.length)).toEqual([1, 1, 1, 1, 1]);
  const newest = series.find(({ matcherVersion }) => matcherVersion === 'workflow-4');
  expect(
    earlierSeries(series, newest as never).map(({ truthHash, matcherVersion }) => [
      truthHash,
      matcherVersion,
    ]),
  ).toEqual([
    ['b', 'workflow-1'],
    ['a', 'workflow-1'],
  ]);
});
