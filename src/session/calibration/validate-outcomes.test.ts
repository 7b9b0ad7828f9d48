import { describe, expect, it } from 'vitest';
import {
  type RankedRun,
  rankBySource,
  rankPooled,
  rankWithinSources,
  validateOutcomes,
} from './validate-outcomes.ts';

const pair = (q: number | undefined, outcome: number, source = 'a') => ({
  sessionId: `${q} ${outcome}`,
  taskType: 'chat' as const,
  q,
  outcome,
  source,
});

describe('validateOutcomes', () => {
  it('gives the area of the worked example, and no P(success) from five outcomes', () => {
    const found = validateOutcomes([
      pair(0.9, 1),
      pair(0.8, 1),
      pair(0.4, 1),
      pair(0.7, 0, 'b'),
      pair(0.4, 0, 'b'),
    ]);
    expect(found).toMatchObject({ sessions: 5, successes: 3, auc: { measured: true, value: 0.75, n: 5 } });
    expect(found.success).toMatchObject({ n: 5, successes: 3, brier: { measured: false } });
    expect(found.perSource.map(({ source, auc }) => [source, auc.measured])).toEqual([
      ['a', false],
      ['b', false],
    ]);
    expect(found.perType).toHaveLength(1);
  });

  it('leaves out what has no Q and what is neither success nor failure', () => {
    const { sessions, skipped, auc } = validateOutcomes([pair(undefined, 1), pair(0.5, 0.5), pair(0.5, 1)]);
    expect({ sessions, skipped }).toEqual({
      sessions: 1,
      skipped: { 'no Q': 1, 'neither success nor failure': 1 },
    });
    expect(auc).toEqual({ measured: false, reason: 'all 1 came out well' });
  });

  it('keeps a tie that only rounding would break', () => {
    expect(validateOutcomes([pair(0.1 + 0.2, 1), pair(0.3, 0)]).auc).toMatchObject({ value: 0.5 });
  });
});

const run = (value: number, success: boolean, source: string, task?: string): RankedRun => ({
  value,
  success,
  source,
  task,
});

/** An easy and a hard source; within each the score is a coin. */
const COIN = [
  ...[0.9, 0.8, 0.9, 0.8, 0.9, 0.8].map((value, i) => run(value, i < 4, 'easy', `e${i % 3}`)),
  ...[0.3, 0.2, 0.3, 0.2, 0.3, 0.2].map((value, i) => run(value, i < 2, 'hard', `h${i % 3}`)),
];

describe('ranking success before failure', () => {
  it('sees through a score that only tells the source', () => {
    expect(rankWithinSources(COIN)).toMatchObject({ measured: true, value: 0.5, n: 12 });
    const [pooled, bySource] = [rankPooled(COIN), rankBySource(COIN)];
    // By hand: 4·4 pairs across sources right, 2·2 wrong, 8 + 8 within at half: (16 + 8) / 36.
    expect(pooled.measured && pooled.value).toBeCloseTo(24 / 36, 12);
    expect(bySource.measured && bySource.value).toBeCloseTo(24 / 36, 12);
  });

  it('draws whole tasks: a task run ten times is not ten tasks', () => {
    const runs = Array.from({ length: 40 }, (_, i) =>
      run((i % 8) / 8 + (i % 3) / 30, i % 8 > 3, 'one', `t${i % 8}`),
    );
    const width = (measured: ReturnType<typeof rankPooled>) =>
      measured.measured ? (measured.high ?? 0) - (measured.low ?? 0) : Number.NaN;
    const noisy = runs.map((one, i) => ({ ...one, success: i % 8 > 4 || i % 8 === 1 }));
    const alone = noisy.map(({ task: _, ...one }) => one);
    expect(width(rankPooled(noisy))).toBeGreaterThan(width(rankPooled(alone)));
  });

  it('says why there is no figure', () => {
    expect(rankPooled([])).toEqual({ measured: false, reason: 'no outcome is known' });
    expect(rankPooled([run(1, true, 'a'), run(0, true, 'b')])).toEqual({
      measured: false,
      reason: 'all 2 came out well',
    });
    expect(rankWithinSources([run(1, true, 'a'), run(0, false, 'b')])).toMatchObject({ measured: false });
    expect(rankBySource([run(1, true, 'a'), run(0, false, 'a')])).toMatchObject({ measured: false });
  });
});
