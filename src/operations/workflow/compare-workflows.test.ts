import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentedRule, readDelta } from '../../workflow/compare/documented-rule.ts';
import type { WorkflowComparison } from '../../workflow/compare/measure-sides.ts';
import { errorWeight } from '../../workflow/compare/paired-errors.ts';
import type { RunEvidence } from '../../workflow/evidence.ts';
import { evidenceWith, type Outline } from '../../workflow/example-evidence.ts';
import { type CompareOptions, compareSides } from './compare-workflows.ts';

/** One run per row; one column per error: 1 found, h in part, anything else missed. */
function side(
  name: string,
  rows: readonly string[],
  rest: Outline = {},
): { name: string; runs: RunEvidence[] } {
  const credit = (mark: string) => (mark === '1' ? 1 : mark === 'h' ? 0.5 : 0);
  const runs = rows.map((row, i) =>
    evidenceWith({
      workflow: name,
      run: String(i + 1),
      model: 'm',
      errors: [...row].map((mark) => ['IMPORTANT', credit(mark)] as const),
      ...rest,
    }),
  );
  return { name, runs };
}

const compare = (
  before: readonly string[],
  after: readonly string[],
  options: CompareOptions = {},
): WorkflowComparison => compareSides(side('v6', before), side('v6.1', after), options);

const tenth = (found: number) => '1'.repeat(found) + '0'.repeat(10 - found);

describe('the verdict', () => {
  it('is improved when the errors, pair by pair, and the runs agree', () => {
    const { verdict, paired, welch } = compare(
      ['1000000000', '1100000000', '1000000000'],
      ['1111111110', '1111111100', '1111111110'],
    );
    expect(verdict.verdict).toBe('improved');
    expect(paired?.p).toBeLessThan(0.05);
    // Six of ten errors move by the same amount: the others are too few for an interval that could be trusted.
    expect(paired?.low).toBeUndefined();
    expect(welch?.p).toBeLessThan(0.05);
  });

  it('is improved on this error set only when the runs differ but a few errors carry it all', () => {
    const { verdict, welch } = compare(
      [tenth(3), tenth(3), '1110000100'],
      [tenth(6), tenth(6), '1111110100'],
    );
    expect(welch?.p).toBeLessThan(0.05);
    expect(verdict.verdict).toBe('improved on this error set only');
  });

  it('is too few to tell below three runs on each side, whatever the numbers say', () => {
    const { verdict, claims } = compare(
      ['0000000000', '0000000001'],
      ['1111111111', '1111111110', '1111111111'],
    );
    expect(verdict).toMatchObject({
      verdict: 'too few to tell',
      because: '3 runs of each workflow on the same task are needed; T1 has 2 and 3',
    });
    expect(claims.map(({ claim, allowed }) => [claim, allowed])).toEqual([
      ['assessed', false],
      ['better', false],
      ['generalises', false],
    ]);
  });

  it('is within run noise, however few the errors, when every one of them scores the same', () => {
    const same = ['110', '100', '101'];
    expect(compare(same, same).verdict).toMatchObject({
      verdict: 'within run noise',
      because: 'every error scores the same on both sides',
    });
  });

  it('maps to exit codes under a gate only', () => {
    const low = ['1000000000', '1100000000', '1000000000'];
    const high = ['1111111110', '1111111100', '1111111110'];
    const [few, more] = [
      [tenth(3), tenth(3), '1110000100'],
      [tenth(6), tenth(6), '1111110100'],
    ];
    const pairs = [
      [low, high],
      [low, low],
      [low.slice(1), high],
      [more, few],
      [high, low],
    ] as const;
    const verdictsOf = (gated: boolean) =>
      pairs.map(([before, after]) => {
        const { verdict, gate } = compare(before, after, { gated }).verdict;
        return [verdict, gate.verdict, gate.exitCode];
      });
    expect(verdictsOf(true)).toEqual([
      ['improved', 'passed', 0],
      ['within run noise', 'passed', 0],
      ['too few to tell', 'inconclusive', 2],
      ['worse on this error set only', 'blocked', 1],
      ['worse', 'blocked', 1],
    ]);
    expect(verdictsOf(false).map(([, , code]) => code)).toEqual([0, 0, 0, 0, 0]);
    const elsewhere = compareSides(side('a', low), side('b', high, { task: 'T2' }));
    expect(elsewhere.verdict).toMatchObject({ verdict: 'not comparable', gate: { exitCode: 2 } });
  });
});

describe('two deterministic workflows', () => {
  it('are held against each other by exact McNemar; the documented rule does not apply at SD 0', () => {
    // Nine errors found by the candidate alone, none by the baseline alone: p = 2 × 0.5⁹.
    const { verdict, exact, rule } = compare(
      ['1000000000', '1000000000', '1000000000'],
      ['1111111111', '1111111111', '1111111111'],
    );
    expect(exact).toMatchObject({ onlyAfter: 9, onlyBefore: 0, p: 2 / 2 ** 9 });
    expect(exact?.before?.low).toBeGreaterThan(0);
    expect(rule).toEqual({ measured: false, reason: 'both sides have SD 0' });
    expect(verdict.verdict).toBe('improved');
  });
});

describe('what is not comparable', () => {
  const runs = [tenth(3), tenth(4), tenth(5)];

  it('is said, unless somebody insists', () => {
    const [old, now] = [side('v6', runs, { truthHash: 'one' }), side('v6.1', runs, { truthHash: 'two' })];
    expect(compareSides(old, now).verdict).toMatchObject({
      verdict: 'not comparable',
      because: 'the ground truth of T1 is not the same on both sides',
      insistable: true,
    });
    expect(compareSides(old, now, { insist: true }).verdict.verdict).toBe('within run noise');
    const matched = side('v6.1', runs, { matcherVersion: 'other' });
    expect(compareSides(side('v6', runs), matched).verdict.because).toMatch(
      /different versions of the matcher/,
    );
  });

  it('leaves out tasks that only one side reviewed', () => {
    const more = {
      name: 'v6',
      runs: [...side('v6', runs).runs, ...side('v6', ['1', '1', '1'], { task: 'T2' }).runs],
    };
    const { errors, confounders } = compareSides(more, side('v6.1', runs));
    expect(errors).toHaveLength(10);
    expect(confounders[0]).toMatchObject({ name: 'task', state: 'differs' });
  });
});

describe('confounders', () => {
  it('are held, differ, or were not recorded', () => {
    const runs = [tenth(3), tenth(4), tenth(5)];
    const one = side('v6', runs, { model: 'small', evaluators: ['ann'] });
    const { model: _, ...unknown } = side('v6.1', runs).runs[0] as RunEvidence;
    const other = { name: 'v6.1', runs: [unknown, unknown, unknown] };
    expect(compareSides(one, other).confounders.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'task held',
      'ground truth held',
      'model not recorded',
      'evaluator differs',
      'matcher held',
    ]);
  });
});

describe('the documented rule', () => {
  it('is |difference| > 2 × pooled SD, with its false alarms at that number of runs', () => {
    // SD 2 and 4: pooled √((4 + 16) / 2) = 3.162; threshold 6.325.
    const rule = documentedRule([68, 70, 72], [73, 77, 81]);
    if (!rule.measured) throw new Error(rule.reason);
    expect(rule.pooledSd).toBeCloseTo(Math.sqrt(10), 12);
    expect(rule).toMatchObject({ difference: 7, significant: true, runs: [3, 3] });
    expect(rule.falseAlarm).toBeCloseTo(0.0705, 4);
    expect(documentedRule([68, 70, 72], [72, 76, 80])).toMatchObject({ significant: false });
  });

  it.each([
    [6, true, 'Major improvement', 'High'],
    [6, false, 'Possible improvement', 'Low (need more data)'],
    [5, true, 'Minor change', 'Might be noise'],
    [0, false, 'Minor change', 'Might be noise'],
    [-1, true, 'Regression', 'High (revert)'],
    [-1, false, 'Lower, not significant', 'Low (need more data)'],
  ])('reads a delta of %d (significant: %s) as %s', (delta, significant, meaning, confidence) => {
    expect(readDelta(delta, significant)).toEqual({ meaning, confidence });
  });
});

describe('the other parts', () => {
  it('corrects the secondary metrics by Holm and leaves the primary one alone', () => {
    const { secondary, primary } = compare(
      ['1000000000', '1100000000', '1000000000'],
      ['1111111110', '1111111100', '1111111110'],
    );
    const tested = secondary.filter(({ p }) => p !== undefined);
    expect(tested.length).toBeGreaterThan(1);
    for (const { p, adjustedP } of tested) expect(adjustedP).toBeGreaterThanOrEqual(p as number);
    expect(primary).not.toHaveProperty('adjustedP');
  });

  it('clusters errors by document when there is more than one', () => {
    const inTwo = (evidence: RunEvidence): RunEvidence => ({
      ...evidence,
      errors: evidence.errors.map((error, i) => ({ ...error, document: i < 5 ? 'a.md' : 'b.md' })),
    });
    const [before, after] = [side('v6', ['1000000000']), side('v6.1', ['1111111111'])].map(
      ({ name, runs }) => ({
        name,
        runs: runs.map(inTwo),
      }),
    ) as [ReturnType<typeof side>, ReturnType<typeof side>];
    const { paired } = compareSides(before, after);
    // Two documents have four sign combinations: p cannot go below 0.5.
    expect(paired).toMatchObject({ clustered: true, units: 2, p: 0.5 });
    expect(paired?.low).toBeUndefined();
  });

  it('takes errors that name no document for single ones, not for a second document', () => {
    const inOne = ({ name, runs }: ReturnType<typeof side>) => ({
      name,
      runs: runs.map((run) => ({
        ...run,
        errors: run.errors.map((error, i) => (i === 0 ? error : { ...error, document: 'a.md' })),
      })),
    });
    const { paired } = compareSides(inOne(side('v6', ['1000000000'])), inOne(side('v6.1', ['1111111111'])));
    expect(paired).toMatchObject({ clustered: false, units: 10 });
  });

  it('counts every task once, however often it was reviewed', () => {
    const hard = (name: string, n: number) => side(name, Array(n).fill('1000')).runs;
    const easy = (name: string, n: number) =>
      side(name, Array(n).fill('1110')).runs.map((run) => ({ ...run, task: 'T2' }));
    // The same skill on both tasks; the candidate has only been run more often on the easy one.
    const { primary, paired } = compareSides(
      { name: 'a', runs: [...hard('a', 9), ...easy('a', 3)] },
      { name: 'b', runs: [...hard('b', 3), ...easy('b', 9)] },
    );
    expect(primary).toMatchObject({ before: { value: 50 }, after: { value: 50 }, difference: 0 });
    expect(paired).toMatchObject({ before: 50, after: 50, difference: 0 });
  });

  it('says what the verdict itself can see: the stricter of its two lines, and 80% of the spread above it', () => {
    const { paired, welch } = compare([tenth(2), tenth(2), tenth(2)], [tenth(4), tenth(4), tenth(3)]);
    if (paired?.standardError === undefined || welch === undefined) throw new Error('no test');
    // Differences of 100 and 66.7 points and eight of 0: mean 16.7, SD 36.0, standard error 36.0 / √10.
    expect(paired.difference).toBeCloseTo(16.667, 3);
    expect(paired.standardError).toBeCloseTo(36.0041 / Math.sqrt(10), 3);
    // t₀.₉₇₅ = 2.262 and t₀.₈ = 0.883 with 9 degrees of freedom; the run scores 20, 20, 20 and 40, 40, 30 ask for 14.3.
    const lines = [2.26216 * paired.standardError, (welch.interval.high - welch.interval.low) / 2];
    expect(paired.power.detectable).toBeCloseTo(Math.max(...lines) + 0.8834 * paired.standardError, 2);
    // More errors than there are, because 16.7 points are less than what ten can show.
    expect(paired.power.errorsForThis).toBeGreaterThan(10);
    const same = [tenth(5), tenth(5), tenth(5)];
    expect(compare(same, same).paired?.power).toEqual({});
  });

  it('has an interval from six errors on that move otherwise than the rest, and counts one severity alone', () => {
    const moved = (n: number) => '1'.repeat(n) + '0'.repeat(12 - n);
    const interval = (n: number) => compare(Array(3).fill(moved(0)), Array(3).fill(moved(n))).paired?.low;
    expect([interval(5), interval(6)]).toEqual([undefined, expect.any(Number)]);
    const [critical, minor] = evidenceWith({
      errors: [
        ['CRITICAL', 1],
        ['MINOR', 1],
      ],
    }).errors;
    const weight = errorWeight('dr_critical');
    expect([critical && weight?.(critical), minor && weight?.(minor)]).toEqual([1, 0]);
  });

  it('takes an error for found where more than half of the runs found it', () => {
    const { errors, exact } = compare(['10', '01', '11', '10'], ['11', '11', '11', '11']);
    expect(errors.map(({ foundBefore }) => foundBefore)).toEqual([true, false]);
    // The runs of one side differ, so it is not deterministic.
    expect(exact).toBeUndefined();
  });

  it('never contradicts itself: the interval leaves 0 out exactly when p is below 0.05', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[01h]{12}$/), { minLength: 6, maxLength: 6 }), (rows) => {
        const { paired } = compare(rows.slice(0, 3), rows.slice(3));
        const { low, high, p = 1 } = paired ?? {};
        expect(paired?.significant).toBe(p < 0.05);
        // Too few errors that move otherwise than the rest: a test, but no interval that could be trusted.
        if (low === undefined || high === undefined) return;
        expect(low > 0 || high < 0).toBe(p < 0.05);
      }),
      {
        numRuns: 60,
        examples: [
          [['0h1hhh010h1h', '0101h111h10h', '1hh11h000101', '0h111h0h0001', 'hhhhh1000h0h', 'hh1000h00hh0']],
          [['000000000000', '000000000001', '000000000000', '1h1h1h1h1h1h', '11h1h111h111', '1h1111h11hh1']],
        ],
      },
    );
  });

  it('clusters errors by task as soon as there are two tasks, whatever documents they name', () => {
    const sideOf = (name: string, rows: readonly string[]) => ({
      name,
      runs: ['T1', 'T2'].flatMap((task) => side(name, rows).runs.map((run) => ({ ...run, task }))),
    });
    const rows = ['1111111111', '1111111110', '1111111111'];
    const { paired, verdict } = compareSides(
      sideOf('a', ['1000000000', '1100000000', '1000000000']),
      sideOf('b', rows),
    );
    expect(paired).toMatchObject({ by: 'task', units: 2, errors: 20, significant: false });
    expect(verdict.verdict).toBe('improved on this error set only');
  });

  it('leaves a task with too few runs out by name where others have enough', () => {
    const sideOf = (name: string, row: string) => ({
      name,
      runs: [
        ...side(name, [row, row, row]).runs,
        ...side(name, ['1111']).runs.map((run) => ({ ...run, task: 'T2' })),
      ],
    });
    const { leftOut, paired, verdict } = compareSides(
      sideOf('a', '100000000000'),
      sideOf('b', '111111111100'),
    );
    expect(leftOut).toEqual([{ task: 'T2', before: 1, after: 1 }]);
    expect(paired?.errors).toBe(12);
    expect(verdict.verdict).toBe('improved');
  });

  it('does not let McNemar decide against what the difference says', () => {
    // 21 errors gained in full, 40 lost in part: more credit, and fewer errors found.
    const before = '0'.repeat(21) + 'h'.repeat(40) + '1'.repeat(19);
    const after = '1'.repeat(21) + '0'.repeat(40) + '1'.repeat(19);
    const up = compare([before, before, before], [after, after, after]);
    expect(up.paired?.difference).toBeGreaterThan(0);
    expect(up.verdict.verdict).toBe('improved on this error set only');
    expect(compare([after, after, after], [before, before, before]).verdict.verdict).toBe(
      'worse on this error set only',
    );
  });

  it('cannot tell what goes one way over all errors and the other over tasks', () => {
    const sideOf = (name: string, many: string, few: string) => ({
      name,
      runs: [
        ...side(name, [many, many, many]).runs,
        ...side(name, [few, few, few]).runs.map((run) => ({ ...run, task: 'T2' })),
      ],
    });
    const { verdict } = compareSides(
      sideOf('a', '0'.repeat(30), '1111'),
      sideOf('b', `${'1'.repeat(10)}${'0'.repeat(20)}`, '0000'),
    );
    expect(verdict).toMatchObject({
      verdict: 'too few to tell',
      because: expect.stringMatching(/every task counting the same/),
    });
  });

  it('cannot call it improved when critical errors were left out, or lost over all tasks together', () => {
    const runsOf = (
      name: string,
      task: string,
      times: number,
      errors: readonly (readonly ['CRITICAL' | 'MINOR', 0 | 1])[],
    ) =>
      Array.from({ length: times }, (_, run) =>
        evidenceWith({ workflow: name, task, run: String(run), errors }),
      );
    const minors = (credit: 0 | 1) => Array.from({ length: 12 }, () => ['MINOR', credit] as const);
    const critical = (credit: 0 | 1, n: number) =>
      Array.from({ length: n }, () => ['CRITICAL', credit] as const);
    const base = {
      name: 'a',
      runs: [...runsOf('a', 'T1', 3, minors(0)), ...runsOf('a', 'T2', 3, critical(1, 10))],
    };
    const skips = { name: 'b', runs: runsOf('b', 'T1', 3, minors(1)) };
    const skipped = compareSides(base, skips);
    expect(skipped.leftOut).toEqual([{ task: 'T2', before: 3, after: 0 }]);
    expect(skipped.verdict.verdict).toBe('too few to tell');
    // T1 loses 5 of 20, T2 gains 1 of 1: more in the mean over tasks, fewer of them all the same.
    const one = {
      name: 'a',
      runs: [
        ...runsOf('a', 'T1', 3, [...critical(1, 20), ...minors(0)]),
        ...runsOf('a', 'T2', 3, critical(0, 1)),
      ],
    };
    const other = {
      name: 'b',
      runs: [
        ...runsOf('b', 'T1', 3, [...critical(1, 15), ...critical(0, 5), ...minors(1)]),
        ...runsOf('b', 'T2', 3, critical(1, 1)),
      ],
    };
    expect(compareSides(one, other).verdict.verdict).toBe('mixed: loses critical errors');
  });

  it('has no errors to pair for precision, so it never claims more than this error set', () => {
    const [before, after] = [4, 1].map((wrong, i) =>
      side(`v${i}`, [tenth(5), tenth(6), tenth(5)], { others: { FALSE: wrong } }),
    ) as [ReturnType<typeof side>, ReturnType<typeof side>];
    const { verdict, paired } = compareSides(before, after, { primary: 'precision' });
    expect(paired).toBeUndefined();
    expect(verdict.verdict).toBe('improved on this error set only');
  });
});

describe('laws', () => {
  const runs = fc.array(fc.stringMatching(/^[01h]{8}$/), { minLength: 3, maxLength: 4 });

  it('never depends on the order of the runs, and turns round with the sides', () => {
    const opposite: Record<string, string> = {
      improved: 'worse',
      worse: 'improved',
      'improved on this error set only': 'worse on this error set only',
      'worse on this error set only': 'improved on this error set only',
    };
    fc.assert(
      fc.property(runs, runs, (before, after) => {
        const forward = compare(before, after).verdict.verdict;
        expect(compare(before.toReversed(), after.toReversed()).verdict.verdict).toBe(forward);
        const backward = compare(after, before);
        expect(backward.verdict.verdict).toBe(opposite[forward] ?? forward);
        const { paired } = compare(before, after);
        if (paired?.low === undefined || paired.difference === 0) return;
        expect(backward.paired?.high).toBeCloseTo(-paired.low, 9);
        expect(backward.paired?.low).toBeCloseTo(-(paired.high as number), 9);
      }),
      { numRuns: 60 },
    );
  });
});
