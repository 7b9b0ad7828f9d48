import { describe, expect, it } from 'vitest';
import { validateOutcomes } from './validate-outcomes.ts';

const pair = (q: number | undefined, outcome: number, source = 'a') => ({
  sessionId: `${q} ${outcome}`,
  taskType: 'chat' as const,
  q,
  outcome,
  source,
});

describe('validateOutcomes', () => {
  it('gives the area of the worked example, Brier and the reliability curve', () => {
    const found = validateOutcomes([
      pair(0.9, 1),
      pair(0.8, 1),
      pair(0.4, 1),
      pair(0.7, 0, 'b'),
      pair(0.4, 0, 'b'),
    ]);
    expect(found).toMatchObject({ sessions: 5, successes: 3, auc: { measured: true, value: 0.75, n: 5 } });
    // ((0.1² + 0.2² + 0.6²) + (0.7² + 0.4²)) / 5
    expect(found.brier).toMatchObject({ value: expect.closeTo(0.212, 12) });
    expect(found.reliability.map((bin) => bin.n)).toEqual([2, 1, 1, 1]);
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
