import { describe, expect, it } from 'vitest';
import { handsOver, keepsForThemselves } from './hands-over.ts';
import { did, ran, reply, result, runOf, user } from './testing/tell.ts';

describe('last words that leave something to the person', () => {
  it.each([
    ['Please run the migration yourself.', 'work'],
    ["The schema is changed. You'll have to apply the migration manually.", 'work'],
    ["I've added the interface; I'll leave the rest to you.", 'work'],
    ['You will need to implement the two remaining handlers.', 'work'],
    ["You'll need to run the tests.", 'check'],
    ['I have not been able to run it; please test.', 'check'],
    ['I could not start the database here, so please verify that the query works.', 'check'],
    ['You should run `npm install` and then run the suite.', 'check'],
    ['This still needs to be tested.', 'check'],
  ])('%s', (text, what) => {
    expect(handsOver(text)).toBe(what);
  });

  it.each([
    'Done. You can run `npm start` to see it.',
    'All tests pass. Feel free to run them yourself.',
    'If you want to try it yourself, run `make demo`.',
    "You'll need to rebuild the CLI for the fix to take effect.",
    'Please run the migration before deploying.',
    'The flag must be set to run in debug mode.',
    'You should no longer run into the error.',
    'Would you like me to run the tests?',
    'Please review the diff.',
    'I ran the migration and verified the result.',
  ])('are not: %s', (text) => {
    expect(handsOver(text)).toBeUndefined();
  });
});

describe('what a person keeps for themselves', () => {
  it.each(["Fix it, I'll test it myself", 'write the migration but do not run it', 'let me run it'])(
    '%s',
    (text) => expect(keepsForThemselves(text)).toBe(true),
  );
  it.each(['fix it and run the tests', "it doesn't run"])('is not: %s', (text) =>
    expect(keepsForThemselves(text)).toBe(false),
  );
});

describe('a change that is handed over in words', () => {
  const edit = did('Edit', { file_path: 'a.ts' }, true);
  const asks = reply("You'll need to run the tests.");
  const half = { handsOver: true, stateChange: { value: 0, what: 'left half done' }, end: 'normal' };

  it('is half done, though the end is normal', () => {
    expect(runOf(user('fix it'), ...edit, asks)).toMatchObject(half);
  });

  it('is not, when a check of it passed, unless work itself is left', () => {
    const checked = [user('fix it'), ...edit, ...ran('npm test', true, '3 passed')];
    expect(runOf(...checked, asks).stateChange).toMatchObject({ value: 1 });
    expect(runOf(...checked, reply('Please run the migration yourself.'))).toMatchObject(half);
  });

  it('is not, when the person wants it so', () => {
    const kept = runOf(user("Fix it, I'll run the tests."), ...edit, asks);
    expect(kept.stateChange).toMatchObject({ value: 0.5 });
    const [start] = ran('npm test', true);
    const forbidden = runOf(
      user('fix it'),
      ...edit,
      start as (typeof edit)[number],
      result((start as { callId: string }).callId, { denied: true, ok: false }),
      asks,
    );
    expect(forbidden.handsOver).toBeUndefined();
  });

  it('is not by an answer to how it is run, nor once the person has spoken', () => {
    const told = runOf(user('fix it'), ...edit, reply('Done.'), user('How do I check it?'), asks);
    expect(told.handsOver).toBeUndefined();
    expect(runOf(user('fix it'), ...edit, asks, user('works, thanks')).handsOver).toBeUndefined();
  });

  it('needs something that was changed, and for a check code', () => {
    expect(runOf(user('why?'), asks).handsOver).toBeUndefined();
    expect(
      runOf(user('fix it'), ...did('Edit', { file_path: 'a.md' }, true), asks).handsOver,
    ).toBeUndefined();
  });
});
