import { describe, expect, it } from 'vitest';
import { regexWork } from '../../testing/regex-work.ts';
import { bringsFailure } from './corrections.ts';
import {
  admitsFailure,
  asksForReport,
  asksSomething,
  declinesSomething,
  handsOver,
  isFiller,
  isPromise,
  kindOfReply,
  userTakesOver,
} from './last-message.ts';
import { did, ran, reply, result, runOf, user } from './testing/fold-events.ts';

it.each([
  ['HEARTBEAT_OK', 'heartbeat-ok'],
  ['**HEARTBEAT_OK**', 'heartbeat-ok'],
  ['All quiet. HEARTBEAT_OK', 'heartbeat-ok'],
  [`HEARTBEAT_OK ${'x'.repeat(301)}`, 'text'],
  ['I saw HEARTBEAT_OK in the log', 'text'],
  ['NO_REPLY', 'no-reply'],
  [' no_reply\n', 'no-reply'],
  ['NO_REPLY because nothing happened', 'text'],
  ['Nothing to report.', 'nothing-to-report'],
  ['Checked the inbox: no new messages.', 'nothing-to-report'],
  [`No new messages. ${'But here is a lot of work. '.repeat(30)}`, 'text'],
  ["I'm sorry, but I can't help with that.", 'refusal'],
  ['I cannot process this request because the ticket is non-refundable.', 'refusal'],
  ["I can't reproduce it yet, looking further.", 'text'],
  ['Done: three files changed.', 'text'],
  ['  \n', 'empty'],
] as const)('%j is %s', (text, kind) => {
  expect(kindOfReply(text)).toBe(kind);
});

it('takes a long report for an all-clear only where a clock set the run going', () => {
  const long = `All quiet. ${'I checked the queue, it is empty. '.repeat(20)}`;
  expect(kindOfReply(long, true)).toBe('nothing-to-report');
  expect(kindOfReply(long)).toBe('text');
});

describe('the last words of an agent', () => {
  it('ask something', () => {
    expect(asksSomething('It is done. Shall I commit it')).toBe(true);
    expect(asksSomething('It is done.')).toBe(false);
  });

  it.each(['Please run it and paste the full output here.', 'What does it print on your machine?'])(
    'ask for a report: %s',
    (text) => {
      expect(asksForReport(text)).toBe(true);
    },
  );

  it.each(['Let me know what you think of the plan.', 'Done, all tests pass.'])('do not: %s', (text) => {
    expect(asksForReport(text)).toBe(false);
  });

  it.each([
    'I’m sorry, but I cannot refund this ticket.',
    'Under our policy the fare cannot be changed.',
    'You are not eligible for compensation.',
  ])('decline something: %s', (text) => {
    expect(declinesSomething(text)).toBe(true);
  });

  it.each([
    "I can't find the file you mean.",
    'I cannot reproduce it, the tests pass here.',
    'Done: the value is not changed any more.',
  ])('decline nothing: %s', (text) => {
    expect(declinesSomething(text)).toBe(false);
  });

  it('are looked at in bounded parts', () => {
    for (const unit of ['a', 'paste the ', 'i cannot ', '\n ', 'it fails ']) {
      const text = unit.repeat(500_000 / unit.length);
      const looks = [asksSomething, asksForReport, declinesSomething, bringsFailure];
      const { calls, longest } = regexWork(() => looks.forEach((look) => void look(text)));
      expect(longest, unit).toBeLessThanOrEqual(6_000);
      expect(calls, unit).toBeLessThanOrEqual(2_500);
    }
  });
});

describe('last words that say it did not succeed', () => {
  it.each([
    'I was not able to apply the change.',
    'I could not fix it, it still fails.',
    "Unfortunately I couldn't resolve the type error in time.",
    'The bug remains unresolved; you may want to look at the lexer.',
    "I haven't been able to find a fix for this.",
    'I ran out of ideas and the crash is still there.',
  ])('%s', (text) => {
    expect(admitsFailure(text)).toBe(true);
  });

  it.each([
    'Done. All tests pass.',
    'Fixed: the parser could not resolve nested names before, now it works.',
    'The integration suite still fails for reasons unrelated to this change.',
    "I couldn't reproduce the crash, so I added a regression test.",
    'The function returns an error when it cannot resolve the host.',
    'I was unable to find any other callers.',
  ])('is not: %s', (text) => {
    expect(admitsFailure(text)).toBe(false);
  });

  it('are those of the run only when nothing comes after them', () => {
    const edit = did('Edit', { file_path: 'a.ts' }, true);
    const failed = runOf(user('fix'), ...edit, reply('I could not fix it, it still fails.'));
    expect(failed).toMatchObject({ gaveUp: true, stateChange: { value: 0, what: 'left half done' } });
    const mended = runOf(user('fix'), reply('I could not fix it yet.'), ...edit, reply('Now it works.'));
    expect(mended.gaveUp).toBeUndefined();
  });
});

describe('last words that leave something to the person', () => {
  it.each([
    ['Please run the migration yourself.', 'work'],
    ["The schema is changed. You'll have to apply the migration manually.", 'work'],
    ['You will need to implement the two remaining handlers.', 'work'],
    ["You'll need to run the tests.", 'check'],
    ['I have not been able to run it; please test.', 'check'],
    ['You should run `npm install` and then run the suite.', 'check'],
  ])('%s', (text, what) => {
    expect(handsOver(text)).toBe(what);
  });

  it.each([
    'Done. You can run `npm start` to see it.',
    'If you want to try it yourself, run `make demo`.',
    "You'll need to rebuild the CLI for the fix to take effect.",
    'Please run the migration before deploying.',
    'You should no longer run into the error.',
    'Would you like me to run the tests?',
    'I ran the migration and verified the result.',
  ])('are not: %s', (text) => {
    expect(handsOver(text)).toBeUndefined();
  });
});

describe('what a person keeps for themselves', () => {
  it.each(["Fix it, I'll test it myself", 'write the migration but do not run it', 'let me run it'])(
    '%s',
    (text) => expect(userTakesOver(text)).toBe(true),
  );
  it.each(['fix it and run the tests', "it doesn't run"])('is not: %s', (text) =>
    expect(userTakesOver(text)).toBe(false),
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

describe('filler', () => {
  it.each([
    'Sure! Let me take a look.',
    'Great question! One moment, please.',
    'Hello! How can I help you today?',
    'Let me know if you need anything else.',
    '👍 Got it.',
    'Great question! I would be happy to help you with this and with anything else that you need. Just say the word.',
    "I'll start by looking at the code. One moment please.",
    '...',
    "Thanks for reaching out! I'll be right with you.",
    'I have received your message and am processing it.',
    "That's a really interesting topic and I'm so glad you asked. There are many aspects to consider here and it depends on a variety of factors. It's important to think carefully about it. I hope this gives you a good starting point. Let me know if you'd like me to elaborate on anything!",
  ])('is: %s', (text) => {
    expect(isFiller(text)).toBe(true);
  });

  it.each([
    '1889',
    'Yes.',
    'Done.',
    'Of course!',
    '👍',
    'Sure, it was 1889.',
    'Let me check the second file: it has the old name.',
    'Happy to help: it was finished in 1889.',
    'Happy to help! The tower was finished before the fair opened.',
    'Let me see your configuration file.',
    'I will use Postgres.',
    'I need your key first.',
    'It depends on the size of the window.',
    'There are many ways to sort a list in place.',
    '',
  ])('is not: %j', (text) => {
    expect(isFiller(text)).toBe(false);
  });
});

describe('a promise', () => {
  it.each(["I'll get right on that!", 'Sure, let me look into that for you!', 'One moment please.'])(
    'is: %s',
    (text) => {
      expect(isPromise(text)).toBe(true);
    },
  );

  it.each([
    'Hello! How can I help you today?',
    'Great question! I would be happy to help. Let me know if you need anything else.',
    'I will run it again tomorrow at 9.',
  ])('is not: %s', (text) => {
    expect(isPromise(text)).toBe(false);
  });
});

it.each<[string, (text: string) => unknown, unknown, string]>([
  ['declines', declinesSomething, true, 'I am unable to make an exception here.'],
  ['declines nothing', declinesSomething, false, 'The policy file is in the docs folder.'],
  ['asks for a report', asksForReport, true, 'Send me the log and I will look at it.'],
  [
    'says it failed',
    admitsFailure,
    true,
    'I tried three approaches. The tests still fail with the same error.',
  ],
  ['says it failed', admitsFailure, true, 'I was unable to get the build to pass. ¦ I give up here.'],
  ['did not fail', admitsFailure, false, 'One test still fails, but that is a pre-existing failure on main.'],
  ['did not fail', admitsFailure, false, 'Should I fix it, or is it still failing for you?'],
  ['leaves work', handsOver, 'work', "I've added the interface; I'll leave the rest to you."],
  [
    'leaves a check',
    handsOver,
    'check',
    'I could not start the database, so please verify that the query works.',
  ],
  ['leaves a check', handsOver, 'check', 'This still needs to be tested.'],
  [
    'leaves nothing',
    handsOver,
    undefined,
    'All tests pass. Feel free to run them yourself. ¦ Please review the diff.',
  ],
  ['leaves nothing', handsOver, undefined, 'The flag must be set to run in debug mode.'],
  [
    'is filler',
    isFiller,
    true,
    "You're welcome! Have a great day! ¦ Gerne! Einen Moment bitte. ¦ Hmm, interesting.",
  ],
  [
    'is filler',
    isFiller,
    true,
    "As an AI language model, I'm here to assist you with any questions you may have.",
  ],
  ['is filler', isFiller, true, "Of course, I'd be happy to help you with that."],
  ['is filler', isFiller, true, "Excellent! I'm excited to work on this with you."],
  [
    'is no filler',
    isFiller,
    false,
    'No ¦ Sure. ¦ Ok, the port is 8080. ¦ 42 km ¦ I think so. ¦ The second one',
  ],
  ['is no filler', isFiller, false, 'Great, the tests pass now. ¦ You should take the train.'],
  ['promises nothing', isPromise, false, 'I checked it. Let me know if you want me to fix it.'],
])('%s', (_, look, expected, texts) => {
  for (const text of texts.split(' ¦ ')) expect(look(text), text).toBe(expected);
});
