import { expect, it } from 'vitest';
import type { SessionRecord } from './columns.ts';
import { roiBy } from './pricing/roi.ts';
import { summarise } from './summary.ts';

const session: SessionRecord = {
  sessionId: 's',
  sessionKey: 'k',
  source: 'x',
  taskType: 'coding',
  coverage: 1,
  runs: 1,
  skippedLines: 0,
  scorerVersion: 'v',
};

it('measures Q per dollar as the list by task type does: over the sessions with both', () => {
  const sessions = [
    { ...session, q: 0.8, costUsd: 0.5 },
    { ...session, q: undefined, costUsd: 9 },
    { ...session, q: 0.1, costUsd: undefined },
  ];
  const { cost } = summarise(sessions);
  expect(cost).toEqual({ totalUsd: 9.5, meanUsd: 4.75, roi: 1.6, unknown: 1, isLowerBound: false });
  expect(roiBy(sessions, () => 'all')[0]?.roi).toEqual({ measured: true, value: cost?.roi });
});

it('has no Q, no cost and no coverage of no session', () => {
  const { n, q, cost, coverage, metrics } = summarise([]);
  expect({ n, q, cost, coverage }).toEqual({ n: 0, q: undefined, cost: undefined, coverage: undefined });
  expect(metrics.some(({ measurement }) => measurement.measured)).toBe(false);
});
