import { describe, expect, it } from 'vitest';
import { factsWith, runWith } from './example-session.ts';
import { SHIPPED_BASELINES } from './profiles/baselines.ts';
import { quoted, RECEIPT_KINDS, seenIn } from './receipts.ts';
import { scoreSession } from './score-session.ts';
import { modelWith } from './testing/model-with.ts';

const file = { artifact: 'file', made: 1, failed: 0, lines: [3] } as const;
const coding = { artifacts: [file], changesAttempted: 1, toolKinds: { write: 1 } } as const;
const passed = { kind: 'tests', passed: true, what: 'tests passed', line: 12 } as const;
const failed = { kind: 'tests', passed: false, what: 'tests failed', line: 12 } as const;
const work = { codeChanges: 1, lastChangeLine: 3, lastCodeLine: 3 } as const;

function seen(fields: Parameters<typeof runWith>[0]) {
  const facts = factsWith([runWith({ ...coding, ...fields })]);
  return seenIn(scoreSession(facts), facts);
}
const kindsIn = (fields: Parameters<typeof runWith>[0]) => seen(fields).statements.map(({ kind }) => kind);

describe('receipts', () => {
  it('say a claim with the check that does not support it, and where both are', () => {
    const claim = { about: 'tests', line: 20, check: { kind: 'tests', line: 12 } } as const;
    const { statements } = seen({ work: { ...work, check: failed }, claim });
    expect(statements).toHaveLength(1);
    const [first] = statements;
    expect(first).toMatchObject({ kind: 'claim not supported', line: 20, quote: 'tests' });
    expect(first.text).toContain('(line 12)');
    expect(quoted(first, 'All green')).toMatch(/“All green” \(line 20\).*\(line 12\)$/);
    expect(quoted(first, undefined)).toBe(first.text);
  });

  it('come in the order of their seriousness, whatever the order of their lines', () => {
    const all = seen({
      discarded: { line: 90 },
      unmet: { why: 'not acted on', line: 80 },
      work: { ...work, check: failed },
      risks: [{ kind: 'tests-removed', line: 60 }],
      corrections: 3,
      correctionLines: [50],
      tools: { calls: 9, denied: 2, deniedLines: [40, 41] },
      loops: { persistent: 1, persistentLine: 30 },
      end: 'cut-off',
    }).statements.map(({ kind }) => RECEIPT_KINDS.indexOf(kind as 'corrections'));
    expect(all).toEqual(all.toSorted((a, b) => a - b));
    expect(new Set(all).size).toBeGreaterThan(6);
  });

  it('are none where nothing speaks against a session: the headline then says what speaks for it', () => {
    const good = seen({
      work: { ...work, check: passed },
      stateChange: { value: 1, what: 'tests passed', line: 12 },
    });
    expect(good).toMatchObject({ attention: 0, statements: [{ kind: 'other', line: 12, quote: 'passed' }] });
  });

  it('say nothing of work that may still go on, nor of what is ambiguous', () => {
    const open = {
      work: { ...work, check: failed },
      unmet: { why: 'rejected', line: 9 },
      end: 'open',
    } as const;
    expect(kindsIn(open)).toEqual(['other']);
    // A sub-agent may have run the tests, a restored file may have been worthless, and a rule may forbid a request.
    expect(
      kindsIn({ claim: { about: 'tests', line: 9 }, spawned: 1, work: { ...work, check: passed } }),
    ).toEqual(['other']);
    const putBack = { kind: 'discarded-changes', line: 5 } as const;
    expect(kindsIn({ risks: [putBack], work: { ...work, check: passed } })).toEqual(['other']);
    expect(kindsIn({ risks: [{ ...putBack, all: true }], work: { ...work, check: passed } })).toEqual([
      'destroyed work',
    ]);
    const chat = { artifacts: [], changesAttempted: 0, toolKinds: {}, requestTraits: ['question'] } as const;
    expect(kindsIn({ ...chat, gaveUp: true })).not.toContain('unfinished request');
    // Users who say thanks afterwards have what they asked for.
    const thanks = { value: 1, what: 'accepted by the user', line: 30 };
    const unmet = { why: 'failed', line: 20 } as const;
    expect(kindsIn({ unmet, acceptance: thanks })).not.toContain('unfinished request');
    expect(kindsIn({ unmet })).toContain('unfinished request');
  });

  it('hedge a correction in words where nothing was delivered that it could be about', () => {
    const said = { corrections: 1, correctedBy: { said: 1 }, correctionLines: [7] } as const;
    const chat = { artifacts: [], changesAttempted: 0, toolKinds: {}, requestTraits: ['question'] } as const;
    const [headline, unsure] = seen({ ...chat, ...said }).statements;
    const [sure] = seen({ ...said, work: { ...work, check: passed } }).statements;
    expect([headline.kind, unsure?.kind, sure.kind]).toEqual(['other', 'corrections', 'corrections']);
    expect(unsure?.text).toContain('may have');
    expect(sure.text).not.toContain('may have');
    const [often] = seen({ ...chat, ...said, corrections: 3, correctedBy: { said: 3 } }).statements;
    expect(often.kind).toBe('corrections');
    expect(seen({ ...chat, ...said }).attention).toBe(0);
    expect(kindsIn({ ...chat, ...said, correctedBy: { admitted: 1 } })).not.toContain('corrections');
  });

  it('are a check that could not run, which is neither passed nor failed', () => {
    const [first] = seen({ work: { ...work, impossible: { kind: 'tests', line: 15 } } }).statements;
    expect(first).toMatchObject({ kind: 'unverified change', line: 15, quote: 'output' });
  });

  it('count a rejected call once, also where it was a correction', () => {
    const tools = { calls: 3, denied: 1, deniedLines: [7] };
    expect(kindsIn({ corrections: 1, correctedBy: { denied: 1 }, correctionLines: [7], tools })).toContain(
      'rejected actions',
    );
    expect(
      kindsIn({ corrections: 1, correctedBy: { denied: 1 }, correctionLines: [7], tools }),
    ).not.toContain('corrections');
  });

  it('are what its repository says of its work', () => {
    const facts = factsWith([runWith(coding)]);
    const young = { reason: 'not committed' };
    const outcome = (state: 'not-committed' | 'on-default', reverted: boolean) => {
      const survival = { 1: young, 7: young, 30: young };
      const found = { sessionId: facts.sessionId, state, survival, commits: [], reverted };
      return seenIn(scoreSession(facts, { work: new Map([['k', found]]) }, 'k'), facts).statements.map(
        ({ kind }) => kind,
      );
    };
    expect(outcome('not-committed', false)).toContain('unverified change');
    expect(outcome('on-default', true)).toContain('rejected actions');
    expect(outcome('on-default', false)).toEqual(['other']);
  });
});

describe('attention', () => {
  it('rises with what went wrong and with the cost, and small things alone need none', () => {
    const cost = (costUsd: number) => ({ models: [modelWith({}, { costUsd })] });
    const corrected = (n: number) => ({
      corrections: n,
      correctionLines: [5],
      work: { ...work, check: passed },
    });
    expect(seen(corrected(3)).attention).toBeGreaterThan(seen(corrected(1)).attention);
    expect(seen({ ...corrected(1), ...cost(9) }).attention).toBeGreaterThan(
      seen({ ...corrected(1), ...cost(0.1) }).attention,
    );
    expect(seen({ work }).attention).toBe(0);
  });

  it('goes to a scheduled run that burned money to find nothing, not to one that found nothing for little', () => {
    const idle = {
      trigger: 'cron',
      finalReply: 'nothing-to-report',
      artifacts: [],
      changesAttempted: 0,
      toolKinds: {},
    } as const;
    const baselines = { ...SHIPPED_BASELINES, idleCostByAgent: { tim: 0.02 } };
    const of = (costUsd: number) => {
      const facts = factsWith([runWith({ ...idle, models: [modelWith({}, { costUsd })] })], { agent: 'tim' });
      return seenIn(scoreSession(facts, { baselines }), facts);
    };
    expect(of(1.5).statements[0].kind).toBe('wasted cost');
    expect(of(1.5).attention).toBeGreaterThan(0);
    expect(of(0.001).attention).toBe(0);
  });
});
