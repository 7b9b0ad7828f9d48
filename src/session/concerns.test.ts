import { describe, expect, it } from 'vitest';
import { concernsOf } from './concerns.ts';
import { factsWith, runWith } from './example-session.ts';
import { SHIPPED_BASELINES } from './profiles/baselines.ts';
import { scoreSession } from './score-session.ts';
import { modelWith } from './testing/model-with.ts';

const file = { artifact: 'file', made: 1, failed: 0, lines: [3] } as const;
const coding = { artifacts: [file], changesAttempted: 1, toolKinds: { write: 1 } } as const;

function seen(fields: Parameters<typeof runWith>[0]) {
  const facts = factsWith([runWith({ ...coding, ...fields })]);
  return concernsOf(scoreSession(facts), facts);
}

describe('what a person would want to look at', () => {
  it('is said in their words', () => {
    expect(seen({ corrections: 3, correctionLines: [40] }).why).toContain(
      'you corrected it 3 times (line 40)',
    );
    expect(seen({ tools: { calls: 9, denied: 4 } }).why).toContain('you said no to 4 of its calls');
    expect(seen({ gaveUp: true }).why).toContain('it says itself that it did not succeed');
    const check = { kind: 'tests', passed: false, what: 'tests failed', line: 12 } as const;
    expect(seen({ work: { codeChanges: 1, lastChangeLine: 3, check } }).why).toContain(
      'tests failed (line 12)',
    );
  });

  it('is an answer of nothing but courtesies, where something was asked', () => {
    const polite = { outputChars: 40, fillerChars: 40, artifacts: [], changesAttempted: 0, toolKinds: {} };
    expect(seen({ ...polite, requestTraits: ['question'] }).why).toContain('nothing but courtesies');
    expect(seen({ ...polite, requestTraits: [] }).why).not.toContain('courtesies');
  });

  it('is a scheduled run that burned money to find nothing, and a run without any output', () => {
    const idle = {
      trigger: 'cron',
      finalReply: 'nothing-to-report',
      artifacts: [],
      changesAttempted: 0,
    } as const;
    const cost = (costUsd: number) => ({ models: [modelWith({}, { costUsd })] });
    const baselines = { ...SHIPPED_BASELINES, idleCostByAgent: { tim: 0.02 } };
    const facts = factsWith([runWith({ ...idle, ...cost(1.5) })], { agent: 'tim' });
    const burned = concernsOf(scoreSession(facts, { baselines }), facts);
    expect(burned.why).toContain('it cost $1.5 to find nothing to do');
    expect(burned.weight).toBeGreaterThan(3);
    expect(seen({ ...idle, ...cost(0.001) }).weight).toBe(0);
    const silent = { finalReply: 'empty', outputChars: 0, artifacts: [], changesAttempted: 0 } as const;
    expect(seen({ ...silent, end: 'error' }).why).toContain('no output at all');
  });

  it('is nothing where nothing was seen', () => {
    const passed = { value: 1, what: 'tests passed', line: 5 };
    expect(seen({ stateChange: passed })).toEqual({ weight: 0, why: '' });
  });

  it('does not count a denied call twice that was a correction', () => {
    const once = seen({ corrections: 1, correctedBy: { denied: 1 }, tools: { calls: 3, denied: 1 } });
    expect(once.why).not.toContain('you said no');
  });

  it('weighs what was forbidden in time less than what had to be put right', () => {
    const forbidden = seen({ corrections: 2, correctedBy: { denied: 2 }, tools: { calls: 3, denied: 2 } });
    const corrected = seen({ corrections: 2, correctedBy: { said: 1, failed: 1 } });
    expect(corrected.weight).toBe(forbidden.weight + 2);
  });

  it('says once that nothing was committed', () => {
    const facts = factsWith([runWith(coding)]);
    const young = { reason: 'not committed' };
    const work = {
      sessionId: facts.sessionId,
      state: 'not-committed' as const,
      survival: { 1: young, 7: young, 30: young },
      commits: [],
      reverted: false,
    };
    const { why, weight } = concernsOf(scoreSession(facts, { work: new Map([['k', work]]) }, 'k'), facts);
    expect(why.match(/nothing of its work was committed/g)).toHaveLength(1);
    expect(weight).toBe(2);
  });

  it('is work of which most was thrown out', () => {
    const facts = factsWith([runWith(coding)]);
    const thrown = (share: number) => {
      const shares = { committed: share, onDefault: share };
      const young = { reason: 'too young' };
      const work = {
        sessionId: facts.sessionId,
        state: 'on-default' as const,
        shares,
        survival: { 1: young, 7: young, 30: young },
        commits: [],
        reverted: false,
      };
      return concernsOf(scoreSession(facts, { work: new Map([['k', work]]) }, 'k'), facts);
    };
    expect(thrown(0.25).why).toContain('25% of its lines came into');
    expect(thrown(0.9).weight).toBe(0);
  });
});
