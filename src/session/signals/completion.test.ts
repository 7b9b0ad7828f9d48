import { describe, expect, it } from 'vitest';
import type { EndReason } from '../event.ts';
import { runWith } from '../example-session.ts';
import { type EventInput, ran, reply, runOf, user } from '../fold/testing/fold-events.ts';
import { modelWith } from '../testing/model-with.ts';
import { artifactProduced } from './artifact-produced.ts';
import { endedNormally } from './ended-normally.ts';
import { substantiveOutput } from './substantive-output.ts';
import { contextWith, readValue } from './testing/context.ts';
import { userCorrections } from './user-corrections.ts';

const context = contextWith({ taskType: 'chat' });

describe('ended-normally', () => {
  it.each<[EndReason, number | undefined]>([
    ['normal', 1],
    ['handoff', 1],
    ['error', 0],
    ['aborted', 0],
    ['timeout', 0],
    ['limit', 0],
    ['cut-off', 0],
    ['open', undefined],
    ['unknown', undefined],
  ])('reads %s as %s', (end, value) => {
    const reading = endedNormally.read(runWith({ end, endLine: 9 }), context);
    expect(readValue(reading)).toBe(value);
    if (reading.measured) expect(reading.lines).toEqual([9]);
  });
});

describe('last words that say it did not succeed', () => {
  it('are a failed end', () => {
    const failed = endedNormally.read(runWith({ gaveUp: true, finalReplyLine: 7 }), context);
    expect(failed).toMatchObject({ measured: true, value: 0, lines: [7] });
  });
});

describe('nothing but the promise to begin', () => {
  const read = (...events: readonly EventInput[]) => readValue(endedNormally.read(runOf(...events), context));
  const ask = user('Please fix the login page.');

  it('is no normal end', () => {
    expect(read(ask, reply('Sure, let me look into that for you!', { stop: 'end' }))).toBe(0);
  });

  it('is one when something was done or said beside it', () => {
    expect(
      read(ask, ...ran('ls', true), reply('Sure, let me look into that for you!', { stop: 'end' })),
    ).toBe(1);
    expect(read(ask, reply('Let me look.'), ...ran('ls', true), reply('The form has no action.'))).toBe(1);
    expect(
      read(ask, reply('It has no action.'), user('thanks'), reply("You're welcome, I'll be here.")),
    ).toBe(1);
    expect(read(user('I am away tomorrow.'), reply("Noted, I'll keep that in mind."))).toBe(1);
  });
});

describe('substantive-output', () => {
  const read = (fields: Parameters<typeof runWith>[0]) =>
    readValue(substantiveOutput.read(runWith(fields), context));

  it('is full for an answer of 400 characters', () => {
    expect(read({ outputChars: 400, finalReplyChars: 400 })).toBe(1);
  });

  it('gives a short answer half, and the rest by length: 0.5 + 0.5 × 100 / 400', () => {
    expect(read({ outputChars: 100, finalReplyChars: 100 })).toBe(0.625);
  });

  it('counts successful calls towards the same whole: 0.5 + 0.5 × (100 / 400 + 1 / 4)', () => {
    expect(read({ outputChars: 100, finalReplyChars: 100, tools: { calls: 1, succeeded: 1 } })).toBe(0.75);
  });

  it('gives work without closing words at most half', () => {
    expect(
      read({
        finalReply: 'empty',
        finalReplyChars: 0,
        outputChars: 0,
        tools: { calls: 10, succeeded: 10 },
      }),
    ).toBe(0.5);
  });

  it('is 0 for a bare HEARTBEAT_OK or NO_REPLY', () => {
    expect(read({ finalReply: 'heartbeat-ok', outputChars: 12, finalReplyChars: 12 })).toBe(0);
    expect(read({ finalReply: 'no-reply', outputChars: 8, finalReplyChars: 8 })).toBe(0);
  });

  it('is unmeasured while an answer may still come', () => {
    expect(read({ end: 'open', finalReply: 'empty', outputChars: 0, finalReplyChars: 0 })).toBeUndefined();
  });
});

describe('a short answer', () => {
  const answer = (chars: number, more: Parameters<typeof runWith>[0] = {}) =>
    readValue(
      substantiveOutput.read(runWith({ outputChars: chars, finalReplyChars: chars, ...more }), context),
    );

  it('is whole to a short question, whatever its length', () => {
    const requestTraits = ['question', 'short'] as const;
    expect(answer(4, { requestTraits })).toBe(1);
    expect(answer(4, { requestTraits: ['long'] })).toBeCloseTo(0.505, 12);
  });

  it('is nothing when it is filler', () => {
    expect(answer(30, { requestTraits: ['question', 'short'], fillerChars: 30 })).toBe(0);
    expect(substantiveOutput.read(runWith({ outputChars: 30, fillerChars: 30 }), context)).toMatchObject({
      because: 'it said nothing but filler; 0 characters and 0 successful calls in all',
    });
    // A friendly last message does not devalue earlier output.
    expect(answer(430, { fillerChars: 30, finalReplyChars: 30 })).toBe(1);
  });
});

describe('user-corrections', () => {
  it.each([
    [0, 1],
    [1, 0.5],
    [2, 0.2],
    [7, 0.2],
  ])('reads %i corrections as %d', (corrections, value) => {
    expect(readValue(userCorrections.read(runWith({ corrections }), context))).toBe(value);
  });

  it('points at the lines', () => {
    const reading = userCorrections.read(runWith({ corrections: 1, correctionLines: [4] }), context);
    expect(reading).toMatchObject({ because: 'the user corrected it once', lines: [4] });
  });
});

describe('a source that records no text', () => {
  const unsaid = { finalReply: 'empty', outputChars: 0, finalReplyChars: 0, repliesWithoutText: 1 } as const;

  it('leaves the words unmeasured, not 0', () => {
    const reason = 'the source records no text';
    expect(substantiveOutput.read(runWith(unsaid), context)).toEqual({ measured: false, reason });
    const called = runWith({ ...unsaid, tools: { calls: 1, succeeded: 1 } });
    expect(substantiveOutput.read(called, context)).toEqual({ measured: false, reason });
    expect(artifactProduced.read(runWith(unsaid), { ...context, taskType: 'research' })).toEqual({
      measured: false,
      reason,
    });
    expect(userCorrections.read(runWith({ ...unsaid, turns: 0 }), context)).toEqual({
      measured: false,
      reason,
    });
    // The user's messages are recorded.
    expect(readValue(userCorrections.read(runWith({ ...unsaid, turns: 1 }), context))).toBe(1);
  });

  it('is not taken for one that shows silence: calls and no words are 0.5 × 1/4', () => {
    const silent = runWith({
      ...unsaid,
      repliesWithoutText: 0,
      tools: { calls: 1, succeeded: 1 },
      models: [modelWith({ output: 9 })],
    });
    expect(readValue(substantiveOutput.read(silent, context))).toBe(0.125);
  });
});
