import { describe, expect, it } from 'vitest';
import { type Before, remarkOf as remark } from './corrections.ts';
import { isSameRequest, sketchOf } from './requests.ts';
import { call, type EventInput, reply, result, runOf, user } from './testing/fold-events.ts';

const remarkOf = (text: string, before: Partial<Before> = {}) =>
  remark(text, { asked: false, declined: false, ...before });

describe('a correction', () => {
  it.each([
    'No, I meant the other file.',
    "that's not what I asked for",
    'Wrong. Use the staging database',
    'again: only the header',
    'Hmm, that doesn’t work',
    'you forgot the tests',
    'Actually, the trip is from Oslo, not from Bergen.',
    'I need the long form, not the short one',
    'put it back please',
    'That is more than I was told',
    'why did you delete the config?',
    'Nein, ich meinte die andere Datei',
    "Non, ce n'est pas ce que j'ai demandé",
    'No, me refería al otro archivo',
    'Não, eu quis dizer o outro arquivo',
    'No, intendevo il secondo file',
    '不对，我说的是另一个文件',
    '違います、もう一つのファイルです',
    'Нет, я имел в виду другой файл',
  ])('%s', (text) => {
    expect(remarkOf(text)).toBe('correction');
  });

  it.each([
    'No problem, go ahead with the second one',
    "No, that's all. Thank you so much for everything today and have a nice evening, bye",
    'My bad, I meant order 12. Can you try that one?',
    'Oh sorry, I made a typo: the code is 4711',
    'Add a test for the wrong password case',
    'What is wrong with this test?\n```\nError: wrong result, undo that\n```',
    '> no, that is wrong\nshould we tell him?',
    '<system-notice>wrong, undo that</system-notice>',
    'The reviewer wrote "that is not what I asked for", please answer him',
    'Is it still running?',
    'don’t push yet, I want to read it first',
    'Now rename it to reader.ts',
    'I took the card out and put it back in, and I still have no signal',
    'I got the code wrong, let me correct that: it is 12',
    'Are you sure? Please double-check.',
    'I need this by noon, not sure whether that is possible',
    '',
  ])('is not seen in: %s', (text) => {
    expect(remarkOf(text)).not.toBe('correction');
  });

  it('is not a plain no to a question', () => {
    expect(remarkOf('No, leave the comment in.')).toBe('correction');
    expect(remarkOf('No, leave the comment in.', { asked: true })).toBe('none');
    expect(remarkOf('No, that is not what I asked.', { asked: true })).toBe('correction');
  });

  it('is not insisting on what the agent rightly declined', () => {
    const no = 'No, I really need the money back.';
    expect(remarkOf(no)).toBe('correction');
    expect(remarkOf(no, { declined: true })).toBe('none');
    expect(remarkOf("No, that's wrong, I want my refund.", { declined: true })).toBe('none');
    expect(remarkOf("That's wrong.", { declined: true, delivered: true })).toBe('correction');
    expect(remarkOf('That is not what I asked for.', { declined: true })).toBe('correction');
    const insists = (answer: string, again = 'Please give me my money back for the cancelled trip') =>
      runOf(
        user('Please give me my money back for the cancelled trip'),
        reply(answer),
        user(again),
        reply('Still the same.'),
      ).corrections;
    expect(insists('I cannot refund it: under our policy such tickets are not refundable.')).toBe(0);
    expect(insists('Done, it is on its way.')).toBe(1);
    expect(insists('I cannot refund it.', 'No, I need it back. Can you check again?')).toBe(0);
  });

  it('needs an agent that has already answered', () => {
    expect(runOf(user('no, I meant the other one')).corrections).toBe(0);
    expect(runOf(user('go'), reply('done'), user('no, I meant the other one'), reply('ok'))).toMatchObject({
      corrections: 1,
      correctionLines: [3],
    });
  });
});

describe('asking the same again', () => {
  const request = 'Please rename the config loader in the server package to settings reader';
  it('is a correction when the agent answered in between', () => {
    expect(runOf(user(request), reply('Done.'), user(`${request}!`), reply('Done.')).corrections).toBe(1);
    expect(runOf(user(request), user(request), reply('Done.')).corrections).toBe(0);
  });

  it('counts in the same few words, whatever stands between them', () => {
    const heard = (again: string) =>
      runOf(
        user('Rename getUser to fetchUser in all of the files'),
        reply('I renamed it in one file.'),
        user(again),
        reply('Done.'),
      ).corrections;
    expect(heard('Please rename getUser to fetchUser in all files')).toBe(1);
    expect(heard('Please rename getUser to loadUser in all files')).toBe(0);
  });

  it('counts verbatim from three words on, said again at once', () => {
    const twice = (text: string, again = text) =>
      runOf(user(text), reply('Done.'), user(again), reply('Done.')).corrections;
    expect(twice('Fix the login test')).toBe(1);
    expect(twice('Fix the login test', 'fix the login test!')).toBe(1);
    expect(twice('run tests')).toBe(0);
    expect(twice('Fix the login test', 'Fix the logout test')).toBe(0);
    expect(twice('yes, do that')).toBe(0);
    const later = runOf(
      user('run the tests'),
      reply('Two fail.'),
      user('mend the parser'),
      reply('Done.'),
      user('run the tests'),
      reply('All pass.'),
    );
    expect(later.corrections).toBe(0);
  });

  it('may leave words out or add some at once, but not replace one', () => {
    const ask = 'Please change the title of the second chapter to Winter';
    const then = (again: string) =>
      runOf(user(ask), reply('Which book?'), user(again), reply('…')).corrections;
    expect(then('I just want the title of the second chapter changed: change the title to Winter')).toBe(1);
    expect(then('Please change the title of the third chapter to Winter')).toBe(0);
  });

  it('may put most words of a long request differently, unless work was delivered in between', () => {
    const first =
      'Please write unit tests for the parser module and cover the empty input and the nested lists';
    const next =
      'Please write unit tests for the lexer module and cover the empty input and the nested quotes';
    const write = [
      call('1', 'Write', { file_path: 'parser.test.ts', content: 'x' }),
      result('1', { ok: true }),
    ];
    expect(runOf(user(first), reply('Which one?'), user(next), reply('…')).corrections).toBe(1);
    expect(runOf(user(first), ...write, reply('Done.'), user(next), reply('…')).corrections).toBe(0);
  });

  it('is told by the words that matter', () => {
    const same = (a: string, b: string) => isSameRequest(sketchOf(a), sketchOf(b));
    expect(same(request, 'rename the Config Loader in the server package to settings reader')).toBe(true);
    expect(
      same(
        'run the nightly export skill with the manual mode',
        'run the nightly export skill with the automatic mode',
      ),
    ).toBe(false);
    expect(same('run the tests', 'run the tests')).toBe(false);
    expect(same('请把服务器配置加载器改名', '请把服务器配置加载器改名')).toBe(true);
  });
});

describe('an interruption', () => {
  const stop = { kind: 'interrupt' as const };
  const corrections = (...events: readonly EventInput[]) => runOf(...events).corrections;

  it('is a correction whatever is said next, at the line where it was stopped', () => {
    expect(
      runOf(user('go'), reply('I will stash first'), stop, user('do not stash, just read them')),
    ).toMatchObject({ corrections: 1, correctedBy: { interrupted: 1 }, interrupts: 1 });
    expect(runOf(user('go'), reply('Reading'), stop, user('the file is in docs'))).toMatchObject({
      corrections: 1,
      correctionLines: [3],
    });
  });

  it('is one correction each time', () => {
    const twice = (...last: readonly EventInput[]) =>
      runOf(user('Tell me about foo'), reply('Foo is'), stop, user('Tell me about bar instead'), ...last);
    expect(twice(reply('Bar is'), stop, user('Only about baz'), reply('Baz is.'))).toMatchObject({
      corrections: 2,
      correctionLines: [3, 6],
    });
    expect(twice(reply('Bar is'), stop, user('continue'), reply('…')).corrections).toBe(1);
    expect(twice(reply('Bar is'), user('and now baz'), reply('Baz is.')).corrections).toBe(1);
  });

  it.each(['sorry, continue', 'yes, do it', 'never mind', 'ok, continue where you left off'])(
    'is none before: %s',
    (text) => {
      expect(corrections(user('go'), reply('so'), stop, user(text), reply('ok'))).toBe(0);
    },
  );

  it('is none when the person mended their own message, took it upon themselves, or said nothing more', () => {
    expect(corrections(user('go thre'), stop, user('no typo now: go there'), reply('ok'))).toBe(0);
    expect(corrections(user('go'), reply('so'), stop, user('my mistake, wrong window'), reply('ok'))).toBe(0);
    expect(corrections(user('go'), reply('so'), stop)).toBe(0);
  });
});

describe('a call that a person forbids', () => {
  const edit = (id: string) => call(id, 'Edit', { file_path: 'a.ts', old_string: 'x', new_string: 'y' });
  const denied = (id: string, reason?: string) =>
    result(id, { denied: true, ...(reason === undefined ? {} : { reason }) });

  it('is a correction with a reason, whatever the reason is', () => {
    expect(runOf(user('go'), edit('1'), denied('1', 'make a branch first'), reply('ok'))).toMatchObject({
      corrections: 1,
      correctedBy: { denied: 1 },
      correctionLines: [3],
    });
    expect(runOf(user('go'), edit('1'), denied('1', 'is that file still used?')).corrections).toBe(1);
  });

  it('is none with words that let it go on', () => {
    expect(runOf(user('go'), edit('1'), denied('1', 'sorry, continue')).corrections).toBe(0);
  });

  it('is one objection when calls were sent together', () => {
    const both = [user('go'), edit('1'), edit('2'), denied('1', 'not these files'), denied('2')];
    expect(runOf(...both, reply('ok'), user('use the other ones')).corrections).toBe(1);
    expect(runOf(...both).corrections).toBe(1);
  });

  it('without a word is judged by what is said next, unless the agent goes on by itself', () => {
    const mute = [user('go'), edit('1'), denied('1')];
    expect(runOf(...mute, user('read the manual first'))).toMatchObject({
      corrections: 1,
      correctionLines: [3],
    });
    expect(runOf(...mute, user('go on')).corrections).toBe(0);
    expect(runOf(...mute, reply('Then I leave it.'), user('now the readme')).corrections).toBe(0);
  });

  it('is nobody correcting when a rule forbade it', () => {
    const rule = result('1', { denied: true, byRule: true, reason: 'not allowed' });
    expect(runOf(user('go'), edit('1'), rule, user('take another way')).corrections).toBe(0);
  });

  it('was neither attempted nor failed, and says nothing of the kind of work', () => {
    expect(runOf(user('go'), edit('1'), denied('1', 'no'))).toMatchObject({
      tools: { calls: 1, denied: 1, failed: 0, succeeded: 0 },
      toolKinds: { write: 0 },
      changesAttempted: 0,
      artifacts: [],
    });
  });
});

describe('a failure that the person brings back', () => {
  const delivered: readonly EventInput[] = [
    user('Write the parser'),
    call('1', 'Write', { file_path: 'parser.ts', content: 'x' }),
    result('1', { ok: true }),
    reply('The parser is written and ready to use.'),
  ];
  const broughtBack = (text: string, before = delivered) => runOf(...before, user(text), reply('I see.'));

  it.each([
    'Error: cannot read properties of undefined\n    at parse (parser.ts:12:4)',
    'we fail build',
    'I get this error on the server:\nsrc/parser.ts:3:7: unexpected token',
    'the app crashes at once',
  ])('after it delivered is a correction: %s', (text) => {
    expect(broughtBack(text)).toMatchObject({ corrections: 1, correctedBy: { failed: 1 } });
  });

  it.each([
    'what happens if it fails?',
    'make sure that it never crashes',
    'the tests pass, now add a readme',
  ])('is not seen in: %s', (text) => {
    expect(broughtBack(text).corrections).toBe(0);
  });

  it('is no correction when nothing was delivered, or when the agent asked to see it', () => {
    expect(
      broughtBack('the app crashes at once', [user('hi'), reply('Hello, what is it?')]).corrections,
    ).toBe(0);
    const asked = [...delivered.slice(0, 3), reply('Run it, and paste the full output here.')];
    expect(broughtBack('Error: no such column', asked).corrections).toBe(0);
  });
});

describe('work that is sent back', () => {
  const made = [
    user('write it'),
    call('1', 'Write', { file_path: 'a.ts', content: 'x' }),
    result('1', { ok: true }),
    reply('done'),
  ];

  it('was made before it was corrected', () => {
    expect(runOf(...made, user("that's wrong"), reply('mended')).sentBack).toEqual({ times: 1, line: 5 });
    expect(
      runOf(user('plan it'), reply('so'), user("that's wrong"), reply('so then')).sentBack,
    ).toBeUndefined();
    expect(runOf(...made, user('now the second one'), reply('done')).sentBack).toBeUndefined();
  });

  it('is no call that was forbidden: that had not been delivered', () => {
    const forbidden = [
      call('2', 'Write', { file_path: 'b.ts', content: 'y' }),
      result('2', { denied: true, reason: 'not there' }),
    ];
    expect(runOf(...made, user('now the next'), ...forbidden, reply('ok'))).toMatchObject({ corrections: 1 });
    expect(runOf(...made, user('now the next'), ...forbidden, reply('ok')).sentBack).toBeUndefined();
  });
});

describe('acceptance', () => {
  it.each(['Perfect, thanks!', 'lgtm', 'merge it', 'commit this and push', '谢谢'])(
    'is seen in: %s',
    (text) => {
      expect(remarkOf(text)).toBe('acceptance');
    },
  );

  it.each([
    'Thanks! Here is my order number: 12. Can you look it up?',
    'looks good, but the title is too long',
    'thanks for the details, please also remove the speaker',
    'the works council wants a report about the perfect storm and everything that was said about it in the last meeting of the committee, including the minutes and the names of those present, with a table of contents and an index of all people',
  ])('is not seen in: %s', (text) => {
    expect(remarkOf(text)).not.toBe('acceptance');
  });

  it('is lost with a later correction, and denied when that is the last word', () => {
    const accepted = [user('go'), reply('done'), user('perfect, thanks')];
    expect(runOf(...accepted).acceptance).toEqual({ value: 1, what: 'accepted by the user', line: 3 });
    expect(runOf(...accepted, reply('welcome'), user("that's wrong after all")).acceptance).toMatchObject({
      value: 0,
      line: 5,
    });
    expect(
      runOf(...accepted, reply('welcome'), user("that's wrong after all"), reply('mended')).acceptance,
    ).toBeUndefined();
  });
});

it('counts thanks apart from the turns that the work took', () => {
  expect(
    runOf(user('Fix the parser'), reply('Done.'), user('Perfect, thanks!'), reply('Bye.')),
  ).toMatchObject({
    turns: 2,
    requests: 1,
    thanks: 1,
  });
  expect(runOf(user('Fix the parser'), reply('Done.')).thanks).toBe(0);
});

it('hears the next request after thanks for the last', () => {
  const then = (text: string) => runOf(user('Fix the parser'), reply('Done.'), user(text), reply('Yes.'));
  expect(then('Perfect, thanks! Now also do the same in the lexer').requests).toBe(2);
  expect(then('Great, also add a test for it').requests).toBe(2);
  expect(then('Perfect, thanks!').requests).toBe(1);
  expect(then('ok thanks').requests).toBe(1);
});

it.each([
  ['correction', "undo that ¦ still failing with the same message ¦ I didn't ask you to rename it"],
  [
    'correction',
    'Wait, I wanted the refund on my card ¦ stop adding comments ¦ Das ist falsch, nimm die alte Fassung',
  ],
  [
    'correction',
    'Just to clarify, I do not want the whole table gone ¦ You are still writing to the old path',
  ],
  [
    'correction',
    'Ça ne marche toujours pas ¦ Eso no es lo que te pedí ¦ 这不是我要的 ¦ это не то, что я просил',
  ],
  ['acceptance', 'ok, works. great ¦ danke, passt'],
])('is a %s: %s', (remark, texts) => {
  for (const text of texts.split(' ¦ ')) expect(remarkOf(text), text).toBe(remark);
});

it.each([
  'I changed my mind, let us take the blue one ¦ can you also fix the lint? ¦ delete that file ¦ yes',
  'Check that again please ¦ Could you please check the list again? ¦ It does not matter which one',
])('corrects nothing: %s', (texts) => {
  for (const text of texts.split(' ¦ ')) expect(remarkOf(text), text).not.toBe('correction');
});
