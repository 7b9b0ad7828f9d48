import { describe, expect, it } from 'vitest';
import { anyFalseAlarm } from '../../workflow/reports/experiments.ts';
import { armOf, truthIn } from '../../workflow/testing/arms.ts';
import { reportOf } from './report-experiment.ts';

const EIGHT = ['EDGE', 'EDGE', 'EDGE', 'EDGE', 'SECURE', 'SECURE', 'SCOPE', 'SCOPE'];
const truth = truthIn('T1', EIGHT);
const tokens = { agentTokens: 9000, workflowTokens: 1000, model: 'm' };
const finds = (...lists: number[][]) => lists.map((list) => list.map((number) => number));
const arm = (workflow: string, ...lists: number[][]) => armOf(workflow, truth, finds(...lists), tokens);

describe('the experiments side by side', () => {
  it('give each workflow and task its scores, and hold them against the first workflow', () => {
    const { experiments } = reportOf([
      arm('v1', [1], [1, 2], [1, 2, 3]),
      arm('v2', [1, 2, 3, 4, 5], [1, 2, 3, 4], [1, 2, 3, 4, 5, 6]),
    ]);
    const [first, second] = experiments;
    // 1, 2 and 3 of 8 errors: mean 25%, sample SD 12.5 points.
    expect(first).toMatchObject({ exp: '001', dr: { mean: { value: 25 }, sd: { value: 12.5 } } });
    expect(first?.against).toBeUndefined();
    expect(second).toMatchObject({ exp: '002', dr: { mean: { value: 62.5 } } });
    // No finding carries a depth, so neither OES nor ID is measured.
    expect(second?.against?.delta).toMatchObject({ measured: false });
  });

  it('measure ID over the named parts of OES: the difference of the means', () => {
    const arms = [arm('v1', [1], [1, 2], [1, 2, 3]), arm('v2', [1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 4, 5])];
    const [, second] = reportOf(arms, 'v1', { components: ['wds'] }).experiments;
    // WDS alone: 50% − 25%; pooled SD 12.5, and 25 is not more than twice that.
    expect(second?.against).toMatchObject({
      delta: { value: 25 },
      rule: { measured: true, pooledSd: 12.5, significant: false, runs: [3, 3] },
    });
  });

  it('say how likely one of several rows is a false alarm', () => {
    const other = truthIn('T2', EIGHT);
    const lists = [[1], [1, 2], [1, 2, 3]];
    const arms = ['v1', 'v2'].flatMap((name) => [
      armOf(name, truth, lists, tokens),
      armOf(name, other, lists, tokens),
    ]);
    // 7.05% at 3 runs, twice: 1 − 0.9295² = 13.6%.
    expect(anyFalseAlarm(reportOf(arms, 'v1', { components: ['wds'] }).experiments)).toBeCloseTo(0.136, 3);
    expect(anyFalseAlarm([])).toBe(0);
  });

  it('take the baseline that is named', () => {
    const report = reportOf([arm('v1', [1]), arm('v2', [1])], 'v2');
    expect(report.baseline).toBe('v2');
    expect(report.experiments.map(({ against }) => against === undefined)).toEqual([false, true]);
    expect(report.comparisons.map(({ before, after }) => [before.name, after.name])).toEqual([['v2', 'v1']]);
  });

  it('say so where the baseline was not run on a task', () => {
    const other = armOf('v2', truthIn('T2', ['EDGE']), [[1]]);
    const [, second] = reportOf([arm('v1', [1]), other]).experiments;
    expect(second?.against).toMatchObject({
      delta: { measured: false, reason: 'v1 was not run on T2' },
      rule: { measured: false },
    });
    expect(second?.against?.verdict).toBeUndefined();
  });
});

describe('claims', () => {
  const claim = (report: ReturnType<typeof reportOf>, name: string) =>
    report.claims.filter(({ claim: one }) => one === name).map(({ about, allowed }) => [about, allowed]);

  it('are refused below the documented sample sizes, with what is missing', () => {
    const report = reportOf([arm('v1', [1], [1]), arm('v2', [1], [1], [1])]);
    expect(claim(report, 'assessed')).toEqual([
      ['v1 on T1', false],
      ['v2 on T1', true],
    ]);
    expect(claim(report, 'better')).toEqual([['v2 against v1', false]]);
    expect(report.claims.find(({ claim: one }) => one === 'generalises')).toEqual({
      claim: 'generalises',
      about: 'v1',
      allowed: false,
      missing: '5 tasks with 3 runs each are needed; there are 0',
    });
    expect(claim(report, 'blind spot')).toContainEqual(['v1 SCOPE', false]);
  });

  it('are allowed from 3 runs, 5 tasks with 3 runs, and 3 tasks with the category on', () => {
    const arms = ['v1', 'v2'].flatMap((workflow) =>
      [1, 2, 3, 4, 5].map((i) => armOf(workflow, truthIn(`T${i}`, ['EDGE', 'SCOPE']), [[1], [1], [1]])),
    );
    const report = reportOf(arms);
    expect(report.claims.every(({ allowed }) => allowed)).toBe(true);
    expect(claim(report, 'generalises')).toEqual([
      ['v1', true],
      ['v2', true],
    ]);
    expect(claim(report, 'blind spot')).toEqual([
      ['v1 SCOPE', true],
      ['v2 SCOPE', true],
    ]);
  });
});

describe('what to fix next', () => {
  it('names low categories, errors never found, open findings and an incomplete ground truth', () => {
    const bonus = {
      title: 'something else',
      file: 'b.ts',
      labels: [{ match: 'BONUS_VALID' as const, by: 'ada' }],
    };
    const report = reportOf([
      armOf('v1', truth, [
        [1, 2, bonus, { title: 'unclear', file: 'c.ts' }],
        [1, 2, bonus],
      ]),
    ]);
    expect(report.fixes.map(({ kind }) => kind)).toEqual(['category', 'never-found', 'unresolved', 'truth']);
    expect(report.fixes[1]).toMatchObject({
      errors: ['E3', 'E4', 'E5', 'E6', 'E7', 'E8'].map((id) => ({ id })),
    });
    expect(report.fixes[2]).toMatchObject({ findings: 1, disputed: 0 });
    // 1 of 3 confirmed findings is not in the ground truth, in both runs.
    expect((report.fixes[3] as { discovery: number }).discovery).toBeCloseTo(100 / 3);
  });

  it('is empty where everything is found and nothing is open', () => {
    expect(reportOf([arm('v1', [1, 2, 3, 4, 5, 6, 7, 8])]).fixes).toEqual([]);
  });
});
