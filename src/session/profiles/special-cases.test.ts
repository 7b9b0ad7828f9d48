import { describe, expect, it } from 'vitest';
import { runWith } from '../example-session.ts';
import { scoreRun } from '../score.ts';
import { modelWith } from '../testing/model-with.ts';
import { type IdleContext, specialCaseOf } from './special-cases.ts';

const context: IdleContext = {
  efficiency: { value: 1, coverage: 0.75 },
  costUsd: undefined,
  idleCost: { costUsd: 0.02, from: 'the set test' },
};
const ack = { finalReply: 'heartbeat-ok', outputChars: 12, finalReplyChars: 12 } as const;
const caseOf = (fields: Parameters<typeof runWith>[0], more: Partial<IdleContext> = {}) =>
  specialCaseOf(runWith(fields), { ...context, ...more });

describe('special cases', () => {
  it('score HEARTBEAT_OK with no work needed 0.80', () => {
    expect(caseOf({ trigger: 'heartbeat', ...ack })).toMatchObject({ specialCase: 'heartbeat-ok', q: 0.8 });
  });

  it.each([
    ['a change was attempted', { changesAttempted: 1 }],
    ['a tool failed', { tools: { calls: 1, failed: 1 } }],
    ['it ended in an error', { end: 'error' }],
    ['somebody objected', { corrections: 1 }],
  ] as const)('do not apply to HEARTBEAT_OK when %s', (_, fields) => {
    expect(caseOf({ trigger: 'heartbeat', ...ack, ...fields })).toBeUndefined();
  });

  it('score NO_REPLY 0.75 in a group or when nobody asked, and not after a direct request', () => {
    const silent = { finalReply: 'no-reply', outputChars: 8, finalReplyChars: 8 } as const;
    expect(caseOf({ ...silent, inGroup: true })).toMatchObject({ specialCase: 'no-reply', q: 0.75 });
    expect(caseOf({ ...silent, trigger: 'hook' })).toMatchObject({ specialCase: 'no-reply', q: 0.75 });
    expect(caseOf(silent)).toBeUndefined();
    const { categories, q = 1 } = scoreRun(runWith(silent));
    expect(categories.completion.value).toBe(0);
    expect(q).toBeLessThan(0.6);
  });

  it('do not call a run empty whose words the source does not record', () => {
    const empty = { finalReply: 'empty', outputChars: 0, finalReplyChars: 0 } as const;
    expect(caseOf({ ...empty, models: [modelWith({ input: 100, output: 10 })] })).toBeUndefined();
    expect(caseOf({ ...empty, repliesWithoutText: 1 })).toBeUndefined();
    expect(caseOf({ ...empty, models: [modelWith({ input: 100 })] })).toMatchObject({ specialCase: 'empty' });
    expect(caseOf({ ...empty, replies: 0 })).toMatchObject({ specialCase: 'empty', q: 0 });
  });

  it('score an empty run 0', () => {
    const empty = { finalReply: 'empty', outputChars: 0, finalReplyChars: 0 } as const;
    expect(caseOf({ ...empty, end: 'error' })).toMatchObject({ specialCase: 'empty', q: 0 });
    expect(caseOf({ ...empty, end: 'unknown' })).toMatchObject({ specialCase: 'empty', q: 0 });
    // It may still answer; and work without words is work.
    expect(caseOf({ ...empty, end: 'open' })).toBeUndefined();
    expect(caseOf({ ...empty, tools: { calls: 1, succeeded: 1 } })).toBeUndefined();
  });

  // 0.80 × (0.85 + 0.25 × Efficiency): good, never excellent
  it.each([
    [1, 0.88],
    [0.5, 0.78],
    [0, 0.68],
    [0.75, 0.83],
  ])('score an idle cron run with efficiency %d as %d', (value, q) => {
    const scored = caseOf({ trigger: 'cron', ...ack }, { efficiency: { value, coverage: 1 } });
    expect(scored?.specialCase).toBe('cron-idle');
    expect(scored?.q).toBeCloseTo(q, 12);
  });

  it('give half of the bonus for an efficiency nobody measured', () => {
    const scored = caseOf({ trigger: 'cron', finalReply: 'nothing-to-report' }, { efficiency: undefined });
    expect(scored?.q).toBeCloseTo(0.78, 12);
    expect(scored?.coverage).toBe(0.85);
  });

  it('penalise a cron run that burned tokens to say so: 0.88 × 0.02 / 0.08, and name the baseline', () => {
    const scored = caseOf({ trigger: 'cron', finalReply: 'nothing-to-report' }, { costUsd: 0.08 });
    expect(scored?.specialCase).toBe('cron-burned');
    expect(scored?.q).toBeCloseTo(0.22, 12);
    expect(scored?.because).toBe('it cost $0.08 to find nothing to do, against $0.02 (the set test)');
  });

  it('say that the cost is compared with nothing where the agent has too few idle runs', () => {
    const scored = caseOf(
      { trigger: 'cron', finalReply: 'nothing-to-report' },
      { costUsd: 8, idleCost: undefined },
    );
    expect(scored?.q).toBeCloseTo(0.88, 12);
    expect(scored?.because).toContain('compared with nothing');
  });

  it('never score a more expensive run above a cheaper one, and make no step at the usual cost', () => {
    for (const value of [0, 0.3, 0.5, 0.8, 1]) {
      const scores = Array.from({ length: 100 }, (_, step) => (step + 1) / 1000).map(
        (costUsd) =>
          caseOf({ trigger: 'cron', ...ack }, { efficiency: { value, coverage: 1 }, costUsd })?.q ?? 0,
      );
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
      const steps = scores.slice(1).map((q, at) => (scores[at] ?? 0) - q);
      expect(Math.max(...steps)).toBeLessThan(0.06);
    }
  });

  it('apply to a run that only told or noted that there was nothing', () => {
    const idle = { trigger: 'cron', finalReply: 'nothing-to-report', changesAttempted: 2 } as const;
    expect(caseOf({ ...idle, idleChanges: 2 }, { costUsd: 0.08 })).toMatchObject({
      specialCase: 'cron-burned',
    });
    expect(caseOf({ ...idle, idleChanges: 1 })).toBeUndefined();
  });

  it('take a cron run at or under the usual cost as fast', () => {
    expect(caseOf({ trigger: 'cron', ...ack }, { costUsd: 0.02 })?.specialCase).toBe('cron-idle');
  });

  it('leave alone a cron run that did something', () => {
    expect(caseOf({ trigger: 'cron', finalReply: 'nothing-to-report', changesAttempted: 2 })).toBeUndefined();
    expect(caseOf({ trigger: 'cron' })).toBeUndefined();
  });
});
