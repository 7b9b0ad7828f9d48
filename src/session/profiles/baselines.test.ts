import { describe, expect, it } from 'vitest';
import { idleCostOf, SHIPPED_BASELINES } from './baselines.ts';
import { type FittingRun, fitBaselines } from './fit-baselines.ts';

const times = (n: number, run: (i: number) => FittingRun) => Array.from({ length: n }, (_, i) => run(i));

describe('fitBaselines', () => {
  it('takes the median per task type from 30 runs on and keeps the shipped figure below', () => {
    // Turns 1…30 have the median 15.5; 29 ratios are one too few.
    const runs = times(30, (i) => ({
      taskType: 'coding',
      turns: i + 1,
      tokenRatio: i < 29 ? 0.5 : undefined,
    }));
    const { set, figures } = fitBaselines(runs, 'mine');
    expect(set.name).toBe('mine');
    expect(set.perType.coding.turns).toBe(15.5);
    expect(set.perType.coding.tokenRatio).toBe(SHIPPED_BASELINES.perType.coding.tokenRatio);
    expect(set.perType.chat).toEqual(SHIPPED_BASELINES.perType.chat);
    expect(figures).toContainEqual({ taskType: 'coding', figure: 'turns', n: 30, fitted: true });
    expect(figures).toContainEqual({ taskType: 'coding', figure: 'tokenRatio', n: 29, fitted: false });
  });

  it('does not depend on the order of the runs', () => {
    const runs = times(40, (i) => ({ taskType: 'chat', turns: ((i * 7) % 11) + 1, tokenRatio: i / 100 }));
    expect(fitBaselines(runs.toReversed(), 'x')).toEqual(fitBaselines(runs, 'x'));
  });

  it('learns what an idle run of an agent costs from five of them, hostile names included', () => {
    const idle = (agent: string, costUsd: number): FittingRun => ({
      taskType: 'operations',
      turns: 1,
      specialCase: 'cron-idle',
      costUsd,
      agent,
    });
    const runs = [
      ...[1, 2, 3, 4, 50].map((cost) => idle('tim', cost)),
      ...[1, 2].map((cost) => idle('rare', cost)),
      ...[7, 7, 7, 7, 7].map((cost) => idle('__proto__', cost)),
    ];
    const { set } = fitBaselines(runs, 'mine');
    expect(idleCostOf(set, 'tim')).toEqual({ costUsd: 3, from: 'the idle runs of tim' });
    expect(idleCostOf(set, 'rare')).toBeUndefined();
    expect(idleCostOf(set, '__proto__')?.costUsd).toBe(7);
    expect(idleCostOf(set, 'toString')).toBeUndefined();
  });
});
