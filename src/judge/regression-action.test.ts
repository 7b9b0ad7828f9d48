import { describe, expect, it } from 'vitest';
import { estimate } from '../measure/metric.ts';
import type { Change, Comparison } from './compare.ts';
import { noiseNotes, type Obstacles, regressionAction } from './regression-action.ts';

const OVERALL = 'extraction/overall';
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

const RECALL = 'extraction/concept-recall';
const EDGES = 'extraction/relationship-recall';
const named = [
  ...metrics,
  { id: RECALL, title: 'Concept recall' },
  { id: EDGES, title: 'Relationship recall' },
];
const clear = { entersFail: [], gaps: [] };
const action = (one: Comparison, obstacles: Partial<Obstacles> = {}) =>
  regressionAction(named, one, POLICY, { ...clear, ...obstacles });
const sizes = (all: Record<string, Change['size']>, rest: Partial<Comparison> = {}) =>
  comparison(
    { points: 0 },
    {
      changes: Object.fromEntries(
        Object.entries(all).map(([id, size]) => [id, { baseline: estimate(0.8, 8), size, points: 0 }]),
      ),
      ...rest,
    },
  );
const entry = { reason: 'r', who: 'w', at: '2026-01-01T00:00:00.000Z' };

const POLICY = { blocking: [OVERALL, RECALL], noisePoints: 1, blockPoints: 5 };

describe('the action', () => {
  it.each([
    ['improved', 'proceed normally'],
    ['unchanged', 'proceed normally'],
    ['small regression', 'investigate, document the reason: Concept recall'],
    ['regression', 'block the merge, investigate before proceeding: Concept recall'],
    ['lost', 'block the merge, investigate before proceeding: Concept recall'],
  ] as const)('for %s of any gated metric is: %s', (size, line) => {
    expect(action(sizes({ [OVERALL]: 'improved', [RECALL]: size }))).toBe(line);
  });

  it('is the strictest that applies, in one line', () => {
    const both = sizes({ [OVERALL]: 'small regression', [RECALL]: 'regression', [EDGES]: 'regression' });
    expect(action(both)).toBe('block the merge, investigate before proceeding: Concept recall');
    expect(action(both, { entersFail: ['Concept recall'] })).toMatch(/^block the merge, an investigation is/);
    expect(action(both, { entersFail: ['Concept recall'], gaps: ['a'] })).toMatch(/^block the merge: 1 /);
  });

  it('is never to proceed normally beside a metric that fell, also one that is not gated', () => {
    expect(action(sizes({ [OVERALL]: 'improved', [EDGES]: 'regression' }))).toMatch(
      /^investigate: Relationship recall got worse/,
    );
  });

  it('concludes nothing when the yardsticks differ', () => {
    const other = sizes({ [OVERALL]: 'improved' }, { differences: ['another golden set'] });
    expect(action(other)).toMatch(/nothing can be concluded/);
    expect(action({ ...other, insisted: true })).toBe('proceed normally');
  });

  it('is to proceed when what got worse was approved or has its reason', () => {
    const approvals = [{ metric: OVERALL, ...entry }, { kind: 'reason', metric: RECALL, ...entry } as const];
    expect(action(sizes({ [OVERALL]: 'regression', [RECALL]: 'small regression' }, { approvals }))).toMatch(
      /^proceed: /,
    );
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
