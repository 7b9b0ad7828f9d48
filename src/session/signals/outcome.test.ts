import { describe, expect, it } from 'vitest';
import { runWith } from '../example-session.ts';
import type { TaskType } from '../profiles/task-type.ts';
import { artifactProduced } from './artifact-produced.ts';
import { downstreamAcceptance } from './downstream-acceptance.ts';
import { stateChanged } from './state-changed.ts';
import { contextWith, readValue } from './testing/context.ts';

const context = (taskType: TaskType, outcome?: number) => contextWith({ taskType, outcome });
const file = { artifact: 'file', made: 1, failed: 0, lines: [7] } as const;
const wrote = { artifacts: [file], changesAttempted: 1 } as const;

describe('artifact-produced', () => {
  const read = (fields: Parameters<typeof runWith>[0], taskType: TaskType) =>
    readValue(artifactProduced.read(runWith(fields), context(taskType)));

  it('is 1 when something was made, with its lines', () => {
    expect(artifactProduced.read(runWith(wrote), context('coding'))).toEqual({
      measured: true,
      value: 1,
      because: 'it made 1 × file',
      lines: [7],
    });
  });

  it('is 0 when every attempt failed, whatever the type', () => {
    expect(read({ changesAttempted: 2, changesFailed: 2 }, 'chat')).toBe(0);
    expect(read({ artifacts: [{ ...file, made: 0, failed: 1 }] }, 'operations')).toBe(0);
  });

  it('is 0 for coding and discovery that made nothing', () => {
    expect(read({}, 'coding')).toBe(0);
    expect(read({}, 'discovery')).toBe(0);
  });

  it('is unmeasured where its changes were rejected or stopped', () => {
    expect(read({ changesDenied: 1 }, 'coding')).toBeUndefined();
    expect(read({ end: 'aborted', interrupts: 1 }, 'coding')).toBeUndefined();
    expect(read({ end: 'aborted' }, 'coding')).toBe(0);
    expect(read({ changesDenied: 1, changesAttempted: 1, changesFailed: 1 }, 'coding')).toBe(0);
    const forbidden = {
      changesDenied: 1,
      acceptance: { value: 0, what: 'correction left unanswered', line: 4 },
    };
    for (const signal of [stateChanged, downstreamAcceptance])
      expect(readValue(signal.read(runWith(forbidden), context('coding')))).toBeUndefined();
  });

  it('is unmeasured while it may go on', () => {
    expect(read({ end: 'open' }, 'coding')).toBeUndefined();
  });

  it('takes short words for an answer only of a run that did not break off', () => {
    const short = { requestTraits: ['question'], outputChars: 30, finalReplyChars: 30 } as const;
    expect(read({ ...short, end: 'normal' }, 'research')).toBe(1);
    expect(read({ ...short, end: 'normal', finalReply: 'nothing-to-report' }, 'research')).toBe(1);
    expect(read({ ...short, end: 'error' }, 'research')).toBe(0);
    expect(read({ ...short, end: 'open' }, 'research')).toBeUndefined();
  });

  it('takes the answer of who was to find something out, however short', () => {
    const found = {
      requestTraits: ['research-words', 'explain-request'],
      finalReplyChars: 78,
      outputChars: 78,
    } as const;
    expect(read({ ...found, end: 'normal' }, 'research')).toBe(1);
    expect(read({ ...found, end: 'normal', fillerChars: 78 }, 'research')).toBe(0);
    expect(read({ ...found, end: 'normal', finalReply: 'refusal' }, 'research')).toBe(0);
  });

  it('counts a substantive final answer of research', () => {
    expect(read({ finalReplyChars: 400 }, 'research')).toBe(1);
    expect(read({ finalReplyChars: 399 }, 'research')).toBe(0);
    expect(read({ finalReply: 'refusal', finalReplyChars: 900 }, 'research')).toBe(0);
  });

  it.each<TaskType>(['chat', 'operations', 'heartbeat'])(
    'is unmeasured for %s that attempted nothing',
    (type) => {
      expect(read({}, type)).toBeUndefined();
      expect(read({ artifacts: [{ ...file, artifact: 'answer' }] }, type)).toBeUndefined();
    },
  );
});

describe('state-changed', () => {
  const evidence = { value: 1, what: 'pull request merged', line: 30 };
  const read = (fields: Parameters<typeof runWith>[0], taskType: TaskType, outcome?: number) =>
    readValue(stateChanged.read(runWith(fields), context(taskType, outcome)));

  it('is what the transcript shows', () => {
    expect(stateChanged.read(runWith({ ...wrote, stateChange: evidence }), context('coding'))).toEqual({
      measured: true,
      value: 1,
      because: 'the transcript shows: pull request merged',
      lines: [30],
    });
  });

  it.each(['handoff', 'error', 'timeout', 'limit', 'cut-off'] as const)(
    'is 0 when something was changed and the run then ended by %s: half done',
    (end) => {
      expect(read({ ...wrote, stateChange: evidence, end }, 'chat')).toBe(0);
    },
  );

  it('is not half done when a person stopped it, or while it may go on', () => {
    expect(read({ ...wrote, stateChange: evidence, end: 'aborted' }, 'coding')).toBe(1);
    expect(read({ ...wrote, end: 'open' }, 'coding')).toBeUndefined();
    expect(read({ end: 'open' }, 'coding')).toBeUndefined();
  });

  it('is 0 when it changed something and says itself that it did not succeed', () => {
    expect(read({ ...wrote, gaveUp: true }, 'coding')).toBe(0);
    expect(read({ gaveUp: true }, 'chat')).toBeUndefined();
  });

  it('gives way to the joined outcome where the transcript only shows that nothing was checked', () => {
    const unchecked = { value: 0.5, what: 'nothing checked the last change', line: 9 };
    expect(read({ ...wrote, stateChange: unchecked }, 'coding')).toBe(0.5);
    expect(read({ ...wrote, stateChange: unchecked }, 'coding', 1)).toBe(1);
  });

  it('is 0 when it changed something and then refused', () => {
    expect(read({ ...wrote, finalReply: 'refusal' }, 'chat')).toBe(0);
  });

  it('does not blame a hand-off that changed nothing', () => {
    expect(read({ end: 'handoff' }, 'chat')).toBeUndefined();
  });

  it('never guesses: a change of which nothing more is known is unmeasured', () => {
    expect(read(wrote, 'coding')).toBeUndefined();
  });

  it('takes the joined outcome where the transcript shows nothing', () => {
    expect(read(wrote, 'coding', 0.5)).toBe(0.5);
    expect(read({ ...wrote, stateChange: evidence }, 'coding', 0)).toBe(1);
  });

  it('is 0 when all attempts failed or coding changed nothing', () => {
    expect(read({ changesAttempted: 1, changesFailed: 1 }, 'operations')).toBe(0);
    expect(read({}, 'coding')).toBe(0);
    expect(read({}, 'research')).toBeUndefined();
  });
});

describe('downstream-acceptance', () => {
  const acceptance = { value: 1, what: 'approved', line: 50 };

  it('comes from the join file first, then from the transcript, never from a guess', () => {
    const run = runWith({ acceptance });
    expect(readValue(downstreamAcceptance.read(run, context('coding', 0)))).toBe(0);
    expect(readValue(downstreamAcceptance.read(run, context('coding')))).toBe(1);
    expect(downstreamAcceptance.read(runWith(), context('coding')).measured).toBe(false);
  });

  it('does not take thanks for work that came after them', () => {
    const madeAt = (artifact: 'file' | 'record' | 'commit', line: number) => ({
      acceptance,
      changesAttempted: 1,
      artifacts: [{ artifact, made: 1, failed: 0, lines: [line] }],
    });
    const read = (fields: Parameters<typeof runWith>[0]) =>
      readValue(downstreamAcceptance.read(runWith(fields), context('chat')));
    expect(read(madeAt('record', 40))).toBe(1);
    expect(read(madeAt('record', 60))).toBeUndefined();
    expect(read(madeAt('file', 60))).toBeUndefined();
    // "Commit it" is the acceptance; the commit follows.
    expect(read(madeAt('commit', 60))).toBe(1);
    expect(read({ ...madeAt('record', 60), acceptance: { ...acceptance, value: 0 } })).toBe(0);
  });

  it('does not take thanks before the last change, however late that came', () => {
    const work = { codeChanges: 30, lastChangeLine: 900 };
    const artifacts = [{ artifact: 'file', made: 30, failed: 0, lines: [1, 2, 3] }] as const;
    const run = runWith({ acceptance, artifacts, work, changesAttempted: 30 });
    expect(downstreamAcceptance.read(run, context('coding')).measured).toBe(false);
  });

  it('is half when the work was sent back once, less when again, and a last word of thanks accepts the end only', () => {
    const back = (times: number, fields: Parameters<typeof runWith>[0] = {}) =>
      readValue(
        downstreamAcceptance.read(runWith({ sentBack: { times, line: 40 }, ...fields }), context('coding')),
      );
    expect([back(1), back(2), back(9)]).toEqual([0.5, 0.2, 0.2]);
    expect([back(1, { acceptance }), back(3, { acceptance })]).toEqual([0.75, 0.6]);
    const work = { codeChanges: 30, lastChangeLine: 900 };
    expect(back(1, { acceptance, work, changesAttempted: 3 })).toBe(0.5);
  });

  it('is no outcome of a talk in which nothing was to be changed', () => {
    expect(downstreamAcceptance.read(runWith({ acceptance }), context('chat')).measured).toBe(false);
    expect(readValue(downstreamAcceptance.read(runWith({ acceptance }), context('research')))).toBe(1);
    const refused = runWith({ acceptance: { ...acceptance, value: 0 } });
    expect(readValue(downstreamAcceptance.read(refused, context('chat')))).toBe(0);
  });

  it('keeps a joined outcome within 0 and 1', () => {
    expect(readValue(downstreamAcceptance.read(runWith(), context('chat', 7)))).toBe(1);
  });
});
