import { describe, expect, it } from 'vitest';
import { factsWith, runWith } from './example-session.ts';
import type { WorkOutcome } from './outcomes/work-outcome.ts';
import { scoreSession } from './score-session.ts';

const work = { codeChanges: 1, lastChangeLine: 3, lastCodeLine: 3 };
const made = {
  artifacts: [{ artifact: 'file', made: 1, failed: 0, lines: [3] }],
  changesAttempted: 1,
  requestTraits: ['code-request'],
  toolKinds: { write: 2 },
  work,
} as const;
type Fields = Parameters<typeof runWith>[0];
const verified = (fields: Fields, more: Parameters<typeof scoreSession>[1] = {}) =>
  scoreSession(factsWith([runWith({ ...made, ...fields })]), more, 'key').verified;

const checked = (passed: boolean, kind: 'tests' | 'report' = 'tests'): Fields => ({
  work: { ...work, check: { kind, passed, what: `tests ${passed ? 'passed' : 'failed'}`, line: 5 } },
});
const thanked = (value: number, line: number) => ({ acceptance: { value, what: 'said', line } });
const outcome = (state: WorkOutcome['state'], reverted = false): WorkOutcome => ({
  sessionId: 'example',
  state,
  survival: { 1: { reason: '' }, 7: { reason: '' }, 30: { reason: '' } },
  commits: [],
  reverted,
});

describe('verified', () => {
  it('is its own column: the tier is what the lines of Q say', () => {
    const unchecked = scoreSession(factsWith([runWith({ ...made, work: undefined })]));
    expect(unchecked).toMatchObject({ tier: 'excellent', verified: 'no' });
  });

  it.each<[string, Fields, string]>([
    ['nothing checked it', {}, 'no'],
    ['its tests passed after the last change', checked(true), 'yes'],
    ['its tests failed', checked(false), 'failed'],
    ['a sub-agent says that they passed', checked(true, 'report'), 'no'],
    ['it opened a pull request', { stateChange: { value: 1, what: 'pull request opened', line: 8 } }, 'no'],
    [
      'its pull request was merged',
      { stateChange: { value: 1, what: 'pull request merged', line: 8 } },
      'yes',
    ],
    ['somebody accepted it', thanked(1, 9), 'yes'],
    ['thanks came before the last change', thanked(1, 2), 'no'],
    ['a correction was left unanswered', thanked(0, 9), 'failed'],
    ['its tests failed, and somebody accepted it', { ...checked(false), ...thanked(1, 9) }, 'failed'],
  ])('says what was seen: %s', (_, fields, expected) => {
    expect(verified(fields)).toBe(expected);
  });

  it('takes what happened later before what the transcript shows', () => {
    const inRepository = (one: WorkOutcome) => ({ work: new Map([['key', one]]) });
    expect(verified(checked(false), inRepository(outcome('on-default')))).toBe('yes');
    expect(verified(checked(true), inRepository(outcome('on-default', true)))).toBe('failed');
    expect(verified(checked(true), inRepository(outcome('not-committed')))).toBe('yes');
    expect(verified(checked(true), { outcomes: new Map([['key', 0]]) })).toBe('failed');
  });

  it('of several runs is failed where one failed, and yes where half were verified', () => {
    const session = (...fields: Fields[]) =>
      scoreSession(factsWith(fields.map((one) => runWith({ ...made, ...one })))).verified;
    expect(session(checked(true), {})).toBe('yes');
    expect(session(checked(true), {}, {})).toBe('no');
    expect(session(checked(true), checked(false))).toBe('failed');
  });
});
