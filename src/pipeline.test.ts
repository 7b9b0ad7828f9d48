import { expect, it } from 'vitest';
import { judgeAgain } from './judge/judgement.ts';
import type { Examined } from './measure/measure.ts';
import { estimate, type Metric } from './measure/metric.ts';
import { meanOverCases } from './measure/over-cases.ts';
import { assess, type Job } from './pipeline.ts';
import { openStore } from './store/open.ts';
import type { Store } from './store/store.ts';

const share: Metric<number> = {
  id: 'x/share',
  title: 'Share',
  question: 'How much?',
  formula: 'itself',
  unit: 'ratio',
  range: [0, 1],
  better: 'higher',
  example: { given: 'a half', cases: [0.5], value: 0.5 },
  compute: (cases) => meanOverCases(cases, (one) => estimate(one, 1, { coverage: 0.5 })),
};

type Run = { day: number; value: number; scorer?: string; truthHash?: string; errored?: boolean };

function assessIn(store: Store, { day, value, scorer = '1', truthHash = 'abc', errored }: Run) {
  const cases: Examined<number>[] = [{ id: 'one', evidence: value, notes: [] }];
  if (errored) cases.push({ id: 'two', error: 'not JSON' });
  const at = new Date(Date.UTC(2026, 0, day)).toISOString();
  const job: Job<number> = {
    subject: { instrument: 'x', subject: 'it', runId: `day ${day}`, at, scorer },
    metrics: [share],
    policy: {
      gate: { gated: ['x/share'] },
      compare: { blocking: [], noisePoints: 1, blockPoints: 5 },
    },
    ingest: async () => ({ truthHash, cases }),
  };
  return assess(job, store);
}

async function withStore(work: (store: Store) => Promise<void>): Promise<void> {
  const store = await openStore(':memory:');
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

it('takes the truth from the ingest and keeps it with the run', () =>
  withStore(async (store) => {
    const {
      verdict: { validity },
    } = await assessIn(store, { day: 1, value: 0.5 });
    expect(validity.truthHash).toBe('abc');
    expect(await store.readRun('day 1')).toMatchObject({
      truthHash: 'abc',
      metrics: { 'x/share': { value: 0.5, coverage: 0.5 } },
    });
  }));

it('shows the series of whole runs by the same scorer against the same truth, however many others there are', () =>
  withStore(async (store) => {
    await assessIn(store, { day: 1, value: 0.9 });
    for (let day = 2; day < 40; day++) await assessIn(store, { day, value: 0.5, scorer: '2' });
    await assessIn(store, { day: 40, value: 0.1, errored: true });
    await assessIn(store, { day: 41, value: 0.1, truthHash: 'def' });
    const {
      verdict: { trends },
    } = await assessIn(store, { day: 42, value: 0.8 });
    expect(trends[0]?.points.map(({ runId }) => runId)).toEqual(['day 1', 'day 42']);
  }));

it('raises an alert with the run that made the third decline, not with one outside the series', () =>
  withStore(async (store) => {
    for (const day of [1, 2, 3, 4]) await assessIn(store, { day, value: 1 - day / 10 });
    await assessIn(store, { day: 5, value: 0.9, errored: true });
    expect((await store.readAlerts()).map(({ alertId }) => alertId)).toEqual(['day 4:x/share:declines']);
  }));

it('keeps with a run what it was judged on, so that it can be judged again with other lines', () =>
  withStore(async (store) => {
    const { verdict } = await assessIn(store, { day: 1, value: 0.5 });
    const run = await store.readRun('day 1');
    if (run?.judgement === undefined) throw new Error('nothing was kept');
    const stored = { ...run, judgement: run.judgement };
    expect(judgeAgain(stored).gate).toEqual(verdict.gate);
    const zones = { fail: 0.6, target: 0.7, excellent: 0.9 };
    const stricter = run.judgement.metrics.map((metric) => ({ ...metric, zones }));
    expect(judgeAgain(stored, { metrics: stricter }).gate).toMatchObject({
      verdict: 'blocked',
      reasons: ['Share is in the fail zone'],
    });
  }));
