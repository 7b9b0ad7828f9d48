import { describe, expect, it } from 'vitest';
import { estimate, type Measurement, unmeasured } from '../measure/metric.ts';
import { type Approval, compareWithBaseline, comparisonChecks, type Side } from './compare.ts';

const overall = { id: 'x/overall', title: 'Overall', unit: 'score', better: 'higher' } as const;
const rate = { id: 'x/rate', title: 'Rate', unit: 'ratio', better: 'lower' } as const;
const policy = { blocking: ['x/overall'], noisePoints: 1, blockPoints: 5 };

const side = (value: number | undefined, rest: Partial<Side> = {}): Side => ({
  runId: 'run',
  at: '2026-01-01T00:00:00.000Z',
  scorer: '1.0.0',
  truthHash: 'abc',
  metrics: { 'x/overall': measurement(value) },
  cases: {},
  ...rest,
});
const measurement = (value: number | undefined): Measurement =>
  value === undefined ? unmeasured('no cases') : estimate(value, 10);

const change = (before: number | undefined, after: number | undefined) =>
  compareWithBaseline([overall], side(after), side(before), policy).changes['x/overall'];
const outcomes = (current: Side, baseline: Side, options = {}) =>
  comparisonChecks([overall], compareWithBaseline([overall], current, baseline, policy, options), policy).map(
    (check) => check.outcome,
  );

describe('a comparison with the baseline', () => {
  it('counts in percentage points: 70% → 74% is +4', () => {
    expect(change(0.7, 0.74)?.points).toBeCloseTo(4, 9);
  });

  it.each([
    [0.7, 0.709, 'unchanged'],
    [0.7, 0.691, 'unchanged'],
    [0.7, 0.71, 'improved'],
    [0.7, 0.69, 'small regression'],
    [0.7, 0.65, 'small regression'], // exactly five points
    [0.7, 0.649, 'regression'],
    [0.7, undefined, 'lost'],
    [undefined, 0.7, 'not comparable'],
  ] as const)('calls %s → %s %s', (before, after, size) => {
    expect(change(before, after)?.size).toBe(size);
  });

  it('knows that a falling rate is an improvement when lower is better', () => {
    const [now, then] = [0.01, 0.04].map((value) =>
      side(0.7, { metrics: { 'x/rate': estimate(value, 10) } }),
    );
    if (now === undefined || then === undefined) throw new Error('unreachable');
    const { changes } = compareWithBaseline([rate], now, then, policy);
    expect(changes['x/rate']).toMatchObject({ size: 'improved' });
    expect(changes['x/rate']?.points).toBeCloseTo(3, 9);
  });

  it('lets through by approval only what may be, and keeps a reason for a small fall', () => {
    const strict = { ...policy, approvable: [] };
    const entry = { metric: 'x/overall', reason: 'on purpose', who: 'Ada', at: '2026-01-02T00:00:00.000Z' };
    const check = (now: number, how: typeof policy, approvals: Approval[]) =>
      comparisonChecks(
        [overall],
        compareWithBaseline([overall], side(now), side(0.7), how, { approvals }),
        how,
      );
    expect(check(0.6, policy, [entry])).toMatchObject([{ outcome: 'warning' }]);
    expect(check(0.6, strict, [entry])).toMatchObject([{ outcome: 'blocked' }]);
    const reason: Approval = { ...entry, kind: 'reason' };
    expect(check(0.6, policy, [reason])).toMatchObject([{ outcome: 'blocked' }]);
    expect(check(0.67, policy, [])).toMatchObject([
      { reason: expect.stringMatching(/needs a written reason$/) },
    ]);
    expect(check(0.67, policy, [reason])).toMatchObject([
      {
        outcome: 'warning',
        reason: expect.stringMatching(/the reason given by Ada on 2026-01-02: on purpose$/),
      },
    ]);
  });

  it('blocks above five points, warns below', () => {
    expect(outcomes(side(0.64), side(0.7))).toEqual(['blocked']);
    expect(outcomes(side(0.68), side(0.7))).toEqual(['warning']);
    expect(outcomes(side(0.7), side(0.7))).toEqual([]);
  });

  it('lets an approved regression through and keeps who, when and why', () => {
    const approvals = [
      { metric: 'x/overall', reason: 'new golden domain', who: 'ada', at: '2026-01-02T10:00:00Z' },
    ];
    const comparison = compareWithBaseline([overall], side(0.64), side(0.7), policy, { approvals });
    const [check] = comparisonChecks([overall], comparison, policy);
    expect(check?.outcome).toBe('warning');
    expect(check?.reason).toContain('approved by ada on 2026-01-02: new golden domain');
  });

  it('blocks when something measured before is measured no more', () => {
    expect(outcomes(side(undefined), side(0.7))).toEqual(['blocked']);
  });

  it('blocks when a case of the baseline is missing', () => {
    expect(outcomes(side(0.7), side(0.7, { cases: { one: {} } }))).toEqual(['blocked']);
  });

  it.each([
    ['another scorer', { scorer: '2.0.0' }],
    ['another truth', { truthHash: 'def' }],
  ])('is inconclusive against %s, unless the user insists', (_, rest) => {
    expect(outcomes(side(0.5), side(0.7, rest))).toEqual(['inconclusive']);
    expect(outcomes(side(0.5), side(0.7, rest), { insist: true })).toEqual(['blocked']);
  });

  it.each([
    ['another scorer', { scorer: '2.0.0' }],
    ['another truth', { truthHash: 'def' }],
  ])('shows no change against %s, unless the user insists', (_, rest) => {
    const cases = Object.fromEntries(
      [1, 2, 3, 4, 5, 6].map((i) => [`case ${i}`, { 'x/overall': estimate(i / 10, 1) }]),
    );
    const better = Object.fromEntries(
      [1, 2, 3, 4, 5, 6].map((i) => [`case ${i}`, { 'x/overall': estimate(i / 9, 1) }]),
    );
    const compare = (insist: boolean) =>
      compareWithBaseline([overall], side(0.9, { cases: better }), side(0.7, { cases, ...rest }), policy, {
        insist,
      }).changes['x/overall'];
    expect(compare(false)).toEqual({ baseline: estimate(0.7, 10), size: 'not comparable' });
    expect(compare(true)).toMatchObject({ size: 'improved', paired: { verdict: 'better' } });
  });

  it('misses a case of the baseline that has the name of something every object inherits', () => {
    const { missingCases } = compareWithBaseline(
      [overall],
      side(0.7),
      side(0.7, { cases: { constructor: {} } }),
      policy,
    );
    expect(missingCases).toEqual(['constructor']);
  });
});

describe('the paired test over cases', () => {
  const cases = (values: number[]) =>
    Object.fromEntries(values.map((value, i) => [`case ${i}`, { 'x/overall': estimate(value, 1) }]));
  const paired = (before: number[], after: number[]) =>
    compareWithBaseline(
      [overall],
      side(0.7, { cases: cases(after) }),
      side(0.7, { cases: cases(before) }),
      policy,
    ).changes['x/overall']?.paired;

  it('calls a mixed bag noise', () => {
    expect(paired([0.7, 0.7, 0.7, 0.7, 0.7, 0.7], [0.75, 0.66, 0.72, 0.69, 0.71, 0.68])?.verdict).toBe(
      'noise',
    );
  });

  it('sees six cases that all fall: p = 2/64', () => {
    const result = paired([0.7, 0.7, 0.7, 0.7, 0.7, 0.7], [0.65, 0.66, 0.62, 0.69, 0.61, 0.68]);
    expect(result?.verdict).toBe('worse');
    expect(result?.p).toBeCloseTo(2 / 64, 12);
  });

  it('says that it is too few to tell where no outcome could be found: five changed cases reach p = 2/32', () => {
    const five = paired([0.7, 0.7, 0.7, 0.7, 0.7], [0.6, 0.6, 0.6, 0.6, 0.6]);
    expect(five).toMatchObject({ cases: 5, verdict: 'too few to tell' });
    expect(five?.p).toBeCloseTo(2 / 32, 12);
    // A case that did not change tells nothing.
    const six = paired([0.7, 0.7, 0.7, 0.7, 0.7, 0.5], [0.6, 0.6, 0.6, 0.6, 0.6, 0.5]);
    expect(six?.verdict).toBe('too few to tell');
  });

  it('says nothing below five cases, and nothing when no case changed', () => {
    expect(paired([0.7, 0.7], [0.6, 0.6])).toBeUndefined();
    expect(paired([0.7, 0.7, 0.7, 0.7, 0.7], [0.7, 0.7, 0.7, 0.7, 0.7])).toBeUndefined();
  });
});
