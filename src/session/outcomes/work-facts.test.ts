import { expect, it } from 'vitest';
import { factsWith, runWith } from '../example-session.ts';
import { workFactsOf } from './work-outcome.ts';

it('keeps of very many runs only when the first and the earliest began', () => {
  const runs = Array.from({ length: 5000 }, (_, i) => runWith({ startedAt: 10_000 - i }));
  const kept = workFactsOf(factsWith(runs, { sessionId: 's' }));
  expect(kept).toEqual({ sessionId: 's', runs: [{ startedAt: 10_000 }, { startedAt: 5001 }] });
  expect(workFactsOf(factsWith([runWith()], { sessionId: 's' })).runs.length).toBeLessThanOrEqual(1);
});
