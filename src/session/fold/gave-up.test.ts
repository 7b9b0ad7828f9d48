import { describe, expect, it } from 'vitest';
import { saysItFailed } from './gave-up.ts';
import { did, reply, runOf, user } from './testing/tell.ts';

describe('last words that say it did not succeed', () => {
  it.each([
    'I was not able to apply the change.',
    'I could not fix it, it still fails.',
    "Unfortunately I couldn't resolve the type error in time.",
    'I tried three approaches. The tests still fail with the same error.',
    'I was unable to get the build to pass.',
    'The bug remains unresolved; you may want to look at the lexer.',
    "I haven't been able to find a fix for this.",
    'I give up here.',
    'I ran out of ideas and the crash is still there.',
  ])('%s', (text) => {
    expect(saysItFailed(text)).toBe(true);
  });

  it.each([
    'Done. All tests pass.',
    'Fixed: the parser could not resolve nested names before, now it works.',
    'One test still fails, but that is a pre-existing failure on main.',
    'The integration suite still fails for reasons unrelated to this change.',
    "I couldn't reproduce the crash, so I added a regression test.",
    'The function returns an error when it cannot resolve the host.',
    'Should I fix it, or is it still failing for you?',
    'I was unable to find any other callers.',
  ])('is not: %s', (text) => {
    expect(saysItFailed(text)).toBe(false);
  });

  it('are those of the run only when nothing comes after them', () => {
    const edit = did('Edit', { file_path: 'a.ts' }, true);
    const failed = runOf(user('fix'), ...edit, reply('I could not fix it, it still fails.'));
    expect(failed).toMatchObject({ gaveUp: true, stateChange: { value: 0, what: 'left half done' } });
    const mended = runOf(user('fix'), reply('I could not fix it yet.'), ...edit, reply('Now it works.'));
    expect(mended.gaveUp).toBeUndefined();
  });
});
