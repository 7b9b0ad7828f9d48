import { describe, expect, it } from 'vitest';
import type { Change, Comparison } from '../judge/compare.ts';
import { estimate } from '../measure/metric.ts';
import { noiseNotes, regressionAction } from './regression-action.ts';

const OVERALL = 'decomposition/overall';
const metrics = [{ id: OVERALL, title: 'Overall score' }];

const comparison = (change: Partial<Change>, rest: Partial<Comparison> = {}): Comparison => ({
  baseline: { runId: 'b', at: '2026-01-01T00:00:00.000Z' },
  differences: [],
  insisted: false,
  changes: { [OVERALL]: { baseline: estimate(0.8, 8), size: 'unchanged', ...change } },
  missingCases: [],
  approvals: [],
  ...rest,
});

describe('the action', () => {
  it.each([
    ['improved', 'proceed normally'],
    ['unchanged', 'proceed normally'],
    ['small regression', 'investigate, document the reason'],
    ['regression', 'block the merge, investigate before proceeding'],
    ['lost', 'block the merge, investigate before proceeding'],
  ] as const)('for %s is: %s', (size, action) => {
    expect(regressionAction(comparison({ size }), [], [])).toBe(action);
  });

  it('is mandatory investigation when a metric enters the fail zone, whatever the overall score did', () => {
    expect(regressionAction(comparison({ size: 'improved' }), ['Concept recall'], [])).toMatch(
      /block the merge, an investigation is mandatory: Concept recall/,
    );
  });

  it('is to block when cases are missing, and to conclude nothing when the yardsticks differ', () => {
    expect(regressionAction(comparison({ size: 'improved' }), [], ['a'])).toMatch(/^block the merge: 1 /);
    const other = comparison({ size: 'improved' }, { differences: ['another golden set'] });
    expect(regressionAction(other, [], [])).toMatch(/nothing can be concluded/);
    expect(regressionAction({ ...other, insisted: true }, [], [])).toBe('proceed normally');
  });

  it('is to proceed when the regression was approved', () => {
    const approvals = [{ metric: OVERALL, reason: 'r', who: 'w', at: '2026-01-01T00:00:00.000Z' }];
    expect(regressionAction(comparison({ size: 'regression' }, { approvals }), [], [])).toMatch(/^proceed/);
  });
});

describe('noise', () => {
  const paired = { cases: 8, points: -6, p: 0.3, verdict: 'noise' } as const;
  it('is called noise', () => {
    expect(noiseNotes(metrics, comparison({ size: 'regression', points: -6, paired }))).toEqual([
      'Overall score: −6.0 points is within noise over 8 paired cases (p = 0.30).',
    ]);
    const real = { ...paired, p: 0.01, verdict: 'worse' } as const;
    expect(noiseNotes(metrics, comparison({ size: 'regression', points: -6, paired: real }))).toEqual([]);
    expect(noiseNotes(metrics, comparison({ size: 'unchanged', points: 0.1, paired }))).toEqual([]);
  });

  it('cannot be told apart with too few cases, and that is said', () => {
    expect(noiseNotes(metrics, comparison({ size: 'regression', points: -6 })).join()).toMatch(
      /it takes six/,
    );
  });
});
