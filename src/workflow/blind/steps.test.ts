import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Answer, AnswerStep, Assessment } from './answers.ts';
import { headOf, nextEntry } from './chain.ts';
import * as folders from './folder.ts';
import { progressOf, verifySession } from './folder.ts';
import { pack } from './material.ts';
import { evaluatorOf, type Scope } from './protocol.ts';
import * as steps from './steps.ts';
import { ASSESSMENTS, blindId, MATCHES, MATERIAL, PREDICTIONS } from './testing/sample.ts';

const { readSession } = folders;

/** A clock that stands still: the record is dated by what it is handed. */
const by = (who: string): folders.Writer => ({ who, now: () => new Date('2026-11-02T09:30:00Z') });
const startSession = (place: string, material: typeof MATERIAL, who: string, evaluators?: string[]) =>
  folders.startSession(place, material, by(who), evaluators);
const submit = <Step extends AnswerStep>(
  place: string,
  who: string,
  step: Step,
  answers: readonly Answer[Step][],
  scope?: Scope,
) => steps.submit(place, by(who), step, answers, scope && { scope });
const showTruth = (place: string, who: string) => steps.showTruth(place, by(who));
const reviseAssessments = (place: string, who: string, answers: readonly Assessment[]) =>
  steps.reviseAssessments(place, by(who), answers);
const openResults = (place: string, who: string, options: steps.OpenOptions) =>
  steps.openResults(place, by(who), options);

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'assay-blind-')), 'blind');
  startSession(folder, MATERIAL, 'coordinator');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

const chainFile = () => join(folder, 'blind.jsonl');
const bytes = () =>
  ['blind.jsonl', 'head.json', 'material.sealed'].map((name) => readFileSync(join(folder, name), 'utf8'));
const order = expect.objectContaining({ code: 'BLIND_ORDER' });
const tampered = expect.objectContaining({ code: 'BLIND_TAMPERED' });

function assess(who: string) {
  return submit(folder, who, 'assess', ASSESSMENTS);
}
function predict(who: string) {
  showTruth(folder, who);
  return submit(folder, who, 'predict', PREDICTIONS);
}
function finish(who: string, matches = MATCHES) {
  assess(who);
  predict(who);
  return submit(folder, who, 'match', matches);
}

describe('an answer from a second window', () => {
  const [first, ...rest] = ASSESSMENTS;
  const changed = { ...(first as Assessment), evidence: 'something else' };
  const send = (answers: readonly Assessment[]) =>
    steps.submit(folder, by('ann'), 'assess', answers, { onlyFirst: true });

  it('does not take the place of another one, and adds nothing when it says the same', () => {
    send([first as Assessment]);
    const before = bytes();
    expect(() => send([changed])).toThrow(order);
    expect(bytes()).toEqual(before);
    expect(send([first as Assessment]).missing).toHaveLength(rest.length);
    expect(bytes()).toEqual(before);
    expect(send(rest).receipt).toBeDefined();
    expect(() => send([first as Assessment])).toThrow(order);
    expect(evaluatorOf(readSession(folder).state, 'ann').assess.get((first as Assessment).finding)).toEqual(
      first,
    );
  });
});

describe('an attempt to', () => {
  it.each([
    ['see the ground truth before step 1', () => {}, () => showTruth(folder, 'ada')],
    [
      'see the ground truth with one finding left',
      () => submit(folder, 'ada', 'assess', ASSESSMENTS.slice(1)),
      () => showTruth(folder, 'ada'),
    ],
    ['predict before step 1 is sealed', () => {}, () => submit(folder, 'ada', 'predict', PREDICTIONS)],
    [
      'predict what was never shown',
      () => assess('ada'),
      () => submit(folder, 'ada', 'predict', PREDICTIONS),
    ],
    ['predict after somebody else sealed step 1', () => assess('bob'), () => predict('ada')],
    ['match before step 2 is sealed', () => assess('ada'), () => submit(folder, 'ada', 'match', MATCHES)],
    [
      'match with one prediction left',
      () => {
        assess('ada');
        showTruth(folder, 'ada');
        submit(folder, 'ada', 'predict', PREDICTIONS.slice(1));
      },
      () => submit(folder, 'ada', 'match', MATCHES),
    ],
    ['change a sealed assessment without saying so', () => assess('ada'), () => assess('ada')],
    ['revise before sealing', () => {}, () => reviseAssessments(folder, 'ada', ASSESSMENTS.slice(0, 1))],
    ['change sealed predictions', () => finish('ada'), () => submit(folder, 'ada', 'predict', PREDICTIONS)],
    ['change sealed labels', () => finish('ada'), () => submit(folder, 'ada', 'match', MATCHES)],
    ['open the results before anybody is done', () => {}, () => openResults(folder, 'eve', {})],
    [
      'open the results while somebody is at work',
      () => {
        finish('ada');
        assess('bob');
      },
      () => openResults(folder, 'ada', {}),
    ],
    [
      'open the results with disputes that lack a third label',
      () => {
        finish('ada');
        finish('bob', MATCHES.with(0, { finding: blindId('a'), match: 'FALSE', reason: 'no' }));
      },
      () => openResults(folder, 'ada', {}),
    ],
    [
      'begin after the results were opened',
      () => {
        finish('ada');
        openResults(folder, 'ada', {});
      },
      () => assess('bob'),
    ],
  ])('%s is refused and leaves everything as it was', (_, prepare, attempt) => {
    prepare();
    const before = bytes();
    expect(attempt).toThrow(order);
    expect(bytes()).toEqual(before);
    expect(verifySession(folder).intact).toBe(true);
  });

  it('answer about what does not exist is refused whole', () => {
    const before = bytes();
    const ghost: Assessment = { finding: 'F99', judgement: 'CANNOT_TELL' };
    expect(() => submit(folder, 'ada', 'assess', [...ASSESSMENTS, ghost])).toThrow(
      'there is no finding "F99"',
    );
    assess('ada');
    predict('ada');
    expect(() =>
      submit(folder, 'ada', 'match', [{ finding: 'F01', match: 'Y', error: 'E9', reason: 'x' }]),
    ).toThrow('there is no error "E9"');
    expect(bytes()[0]?.startsWith(before[0] ?? '')).toBe(true);
  });

  it('start a second evaluation in the same folder is refused', () => {
    const before = bytes();
    expect(() => startSession(folder, MATERIAL, 'coordinator')).toThrow('already holds a blind evaluation');
    expect(bytes()).toEqual(before);
  });
});

describe('a step', () => {
  it('is kept answer by answer, and sealed with a receipt when nothing is left', () => {
    expect(submit(folder, 'ada', 'assess', ASSESSMENTS.slice(0, 3))).toEqual({ missing: ['F04'] });
    const { missing, receipt } = submit(folder, 'ada', 'assess', ASSESSMENTS.slice(3));
    expect(missing).toEqual([]);
    expect(receipt).toMatch(/^4:[0-9a-f]{64}$/);
    expect(verifySession(folder, { receipt: receipt ?? '' }).intact).toBe(true);
  });

  it('takes corrections until it is sealed', () => {
    submit(folder, 'ada', 'assess', ASSESSMENTS.slice(0, 1));
    submit(folder, 'ada', 'assess', [{ finding: 'F01', judgement: 'CANNOT_TELL' }]);
    expect(readSession(folder).state.evaluators.get('ada')?.assess.get('F01')?.judgement).toBe('CANNOT_TELL');
    expect(readSession(folder).state.evaluators.get('ada')?.revisions).toEqual([]);
  });

  it('records a changed assessment, and whether the ground truth had been shown', () => {
    assess('ada');
    const change: Assessment = { finding: 'F01', judgement: 'CANNOT_TELL' };
    expect(reviseAssessments(folder, 'ada', [change])).toBe(1);
    // The same again is no change.
    expect(reviseAssessments(folder, 'ada', [change])).toBe(0);
    showTruth(folder, 'ada');
    expect(reviseAssessments(folder, 'ada', [{ finding: 'F02', judgement: 'CANNOT_TELL' }])).toBe(1);
    const ada = readSession(folder).state.evaluators.get('ada');
    expect(ada?.revisions.map(({ to, seen }) => [to.finding, seen])).toEqual([
      ['F01', false],
      ['F02', true],
    ]);
    // The blind assessment itself stays what it was.
    expect(ada?.assess.get('F01')).toEqual(ASSESSMENTS[0]);
  });
});

describe('a third evaluator', () => {
  const dissent = MATCHES.with(0, { finding: blindId('a'), match: 'FALSE', reason: 'no' } as const);

  it('labels only what two others dispute, and all three labels are kept', () => {
    finish('ada');
    finish('bob', dissent);
    expect(progressOf(readSession(folder)).disputed).toEqual([blindId('a')]);
    assess('cay');
    predict('cay');
    expect(submit(folder, 'cay', 'match', MATCHES.slice(0, 1), 'disputes').receipt).toBeDefined();
    expect(progressOf(readSession(folder)).disputed).toEqual([]);
    const { state } = openResults(folder, 'ada', {});
    expect(state.opened?.seq).toBeGreaterThan(0);
  });

  it('does not pass as one when two others are not done', () => {
    finish('ada');
    assess('cay');
    predict('cay');
    // Nothing is disputed yet, so an empty answer would cover all disputes; the chain must still not accept it.
    expect(() => submit(folder, 'cay', 'match', [], 'disputes')).toThrow(order);
  });
});

describe('evaluators named at the start', () => {
  it('are waited for even before they have begun', () => {
    const other = `${folder}-named`;
    startSession(other, MATERIAL, 'coordinator', ['ada', 'bob']);
    folder = other;
    finish('ada');
    expect(() => openResults(folder, 'ada', {})).toThrow('bob has not sealed step 3');
    expect(progressOf(readSession(folder)).evaluators).toMatchObject([
      { name: 'ada' },
      { name: 'bob', assess: { done: 0, of: 4 } },
    ]);
    expect(openResults(folder, 'ada', { without: ['bob'] }).state.opened).toBeDefined();
  });
});

describe('status', () => {
  it('counts, and shows nothing that was answered or sealed', () => {
    finish('ada');
    submit(folder, 'bob', 'assess', ASSESSMENTS.slice(0, 1));
    const progress = progressOf(readSession(folder));
    expect(progress.evaluators).toMatchObject([
      { name: 'ada', next: undefined },
      { name: 'bob', next: 'assess', assess: { done: 1, of: 4 }, truthShown: false },
    ]);
    const text = JSON.stringify(progress);
    for (const secret of ['statement', 'means', 'line 1', 'YES', 'BONUS', 'E1', 'section'])
      expect(text).not.toContain(secret);
  });
});

describe('the folder', () => {
  it('shows no statement, label or answer to who looks into it', () => {
    finish('ada');
    for (const text of bytes())
      for (const secret of ['statement of', 'finding a', 'plain to see', 'what a means', 'secret-version'])
        expect(text).not.toContain(secret);
  });

  it('refuses every step when the sealed material was edited', () => {
    const other = { ...MATERIAL, truth: { ...MATERIAL.truth, errors: MATERIAL.truth.errors.slice(1) } };
    writeFileSync(join(folder, 'material.sealed'), `${pack(other)}\n`);
    const before = bytes();
    expect(() => assess('ada')).toThrow('ground truth or findings are not those the evaluation began with');
    expect(bytes()).toEqual(before);
    expect(verifySession(folder)).toMatchObject({
      intact: false,
      fault: expect.stringContaining('was altered'),
    });
  });

  it('refuses every step when an entry was edited, and names it', () => {
    finish('ada');
    const lines = readFileSync(chainFile(), 'utf8').split('\n');
    writeFileSync(chainFile(), lines.with(1, (lines[1] ?? '').replace('"ada"', '"eve"')).join('\n'));
    const before = bytes();
    expect(() => assess('bob')).toThrow(tampered);
    expect(bytes()).toEqual(before);
    expect(verifySession(folder)).toMatchObject({
      intact: false,
      entries: 1,
      fault: 'line 2: entry 2 (assess of eve) was altered',
    });
  });

  it('refuses a well-formed entry that skips a step', () => {
    const { entries } = readSession(folder);
    const forged = nextEntry(headOf(entries), {
      at: 'now',
      who: 'eve',
      step: 'match',
      payload: pack(MATCHES),
    });
    appendFileSync(chainFile(), `${JSON.stringify(forged)}\n`);
    expect(verifySession(folder)).toMatchObject({
      intact: false,
      fault: expect.stringContaining('entry 2 breaks the protocol'),
    });
  });

  it('sees a cut tail, a missing head, and a chain and head rewritten together by a receipt', () => {
    const { receipt = '' } = assess('ada');
    const [chain = '', head = ''] = bytes();
    const first = `${chain.split('\n')[0]}\n`;
    writeFileSync(chainFile(), first);
    expect(verifySession(folder).fault).toContain('the last 2 entries are missing');
    const { hash } = JSON.parse(first) as { hash: string };
    writeFileSync(join(folder, 'head.json'), `${JSON.stringify({ count: 1, hash })}\n`);
    expect(verifySession(folder).intact).toBe(true);
    expect(verifySession(folder, { receipt }).fault).toBe(
      'the receipt is of entry 3, the chain has 1: its tail was cut',
    );
    submit(folder, 'ada', 'assess', [{ finding: 'F01', judgement: 'CANNOT_TELL' }]);
    submit(folder, 'ada', 'assess', [{ finding: 'F02', judgement: 'CANNOT_TELL' }]);
    expect(verifySession(folder, { receipt }).fault).toBe(
      'entry 3 is not the one of the receipt: the chain was rewritten',
    );
    writeFileSync(chainFile(), chain);
    writeFileSync(join(folder, 'head.json'), head);
    expect(verifySession(folder, { receipt }).intact).toBe(true);
    rmSync(join(folder, 'head.json'));
    expect(verifySession(folder).fault).toContain('head.json is missing');
    writeFileSync(join(folder, 'head.json'), `${JSON.stringify({ count: 0, hash: '0'.repeat(64) })}\n`);
    expect(verifySession(folder).fault).toContain('head.json is not as it was written');
  });

  it('tells whether a ground truth is the sealed one', () => {
    expect(verifySession(folder, { truthHash: MATERIAL.truth.hash }).intact).toBe(true);
    expect(verifySession(folder, { truthHash: 'b'.repeat(64) }).fault).toContain('changed since');
  });

  it('goes on after a write that never ended, and after a crash before the head was written', () => {
    const [, oldHead = ''] = bytes();
    submit(folder, 'ada', 'assess', ASSESSMENTS.slice(0, 1));
    writeFileSync(join(folder, 'head.json'), oldHead);
    appendFileSync(chainFile(), '{"seq":3,"at":');
    expect(verifySession(folder)).toMatchObject({ intact: true, entries: 2 });
    expect(verifySession(folder).notes).toHaveLength(2);
    submit(folder, 'ada', 'assess', ASSESSMENTS.slice(1));
    expect(verifySession(folder)).toMatchObject({ intact: true, entries: 4, notes: [] });
  });
});
