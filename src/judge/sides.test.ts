import { describe, expect, it } from 'vitest';
import { judgeSides, type SidesTests } from './sides.ts';

/** Ten points better, by errors and by runs. */
const BETTER: SidesTests = {
  incomparable: [],
  tooFewRuns: undefined,
  unmeasured: undefined,
  difference: 10,
  paired: { significant: true, units: 12, unitsNeeded: 6 },
  moved: 8,
  runsDiffer: true,
  exact: undefined,
  losesCritical: undefined,
  moreFalseAlarms: undefined,
  unseen: [],
  unitName: 'errors',
  documentedRule: undefined,
  byTask: 9,
};

describe('the verdict of two sides', () => {
  it.each([
    ['improved', {}, 0],
    ['worse', { difference: -10, byTask: -9 }, 1],
    ['mixed: loses critical errors', { losesCritical: ['E1'] }, 1],
    ['mixed: more false alarms', { moreFalseAlarms: 'precision falls' }, 1],
    ['too few to tell', { unseen: ['T2'] }, 2],
    ['too few to tell', { byTask: -1 }, 2],
    ['too few to tell', { tooFewRuns: 'three are needed' }, 2],
    ['too few to tell', { runsDiffer: false }, 2],
    ['improved on this error set only', { paired: { ...BETTER.paired, significant: false } }, 2],
    ['within run noise', { documentedRule: { significant: false, falseAlarm: 0.07 } }, 0],
    ['improved', { runsDiffer: false, documentedRule: { significant: true, falseAlarm: 0.07 } }, 0],
    [
      'within run noise',
      { runsDiffer: false, moved: 0, paired: { ...BETTER.paired, significant: false } },
      0,
    ],
    ['not comparable', { incomparable: ['another ground truth'] }, 2],
    ['not comparable', { difference: undefined, unmeasured: 'no task in common' }, 2],
  ] as const)('is "%s" for %j, with its exit code under a gate', (verdict, other, exitCode) => {
    const judged = judgeSides({ ...BETTER, ...other } as SidesTests, { gated: true });
    expect(judged).toMatchObject({ verdict, gate: { exitCode } });
    expect(judged.gate.checks[0]?.reason).toBe(`${verdict}: ${judged.because}`);
  });

  it('blocks nothing without a gate; what cannot be compared is inconclusive all the same', () => {
    const exit = (other: Partial<SidesTests>) =>
      judgeSides({ ...BETTER, ...other }, { gated: false }).gate.exitCode;
    expect([exit({ difference: -10, byTask: -9 }), exit({ losesCritical: ['E1'] })]).toEqual([0, 0]);
    expect(exit({ tooFewRuns: 'three are needed' })).toBe(0);
    expect(exit({ incomparable: ['another ground truth'] })).toBe(2);
  });

  it('may be insisted on only where there are numbers on both sides', () => {
    expect(judgeSides({ ...BETTER, incomparable: ['x'] }, { gated: false }).insistable).toBe(true);
    expect(judgeSides({ ...BETTER, difference: undefined }, { gated: false })).not.toHaveProperty(
      'insistable',
    );
  });
});
