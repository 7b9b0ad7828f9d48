import { describe, expect, it } from 'vitest';
import { remarkOf } from './corrections.ts';
import { isSameRequest, sketchOf } from './request-sketch.ts';
import { reply, runOf, type Told, user } from './testing/tell.ts';

describe('a correction', () => {
  it.each([
    'No, I meant the other file.',
    "that's not what I asked for",
    'Wrong. Use the staging database',
    'undo that',
    'again: only the header',
    'Hmm, that doesn’t work',
    'still failing with the same message',
    "I didn't ask you to rename it",
    'you forgot the tests',
    'Wait, I wanted the refund on my card',
    'Actually, the trip is from Oslo, not from Bergen.',
    'Could you please check the list again?',
    'don’t touch the lock file',
    'why did you delete the config?',
    'Nein, ich meinte die andere Datei',
    'Das ist falsch, nimm die alte Fassung',
    "Non, ce n'est pas ce que j'ai demandé",
    'Ça ne marche toujours pas',
    'No, me refería al otro archivo',
    'Eso no es lo que te pedí',
    'Não, eu quis dizer o outro arquivo',
    'No, intendevo il secondo file',
    '不对，我说的是另一个文件',
    '这不是我要的',
    '違います、もう一つのファイルです',
    'Нет, я имел в виду другой файл',
    'это не то, что я просил',
  ])('%s', (text) => {
    expect(remarkOf(text, false)).toBe('correction');
  });

  it.each([
    'No problem, go ahead with the second one',
    "No, that's all. Thank you so much for everything today and have a nice evening, bye",
    'My bad, I meant order 12. Can you try that one?',
    'Oh sorry, I made a typo: the code is 4711',
    'I changed my mind, let us take the blue one',
    'Add a test for the wrong password case',
    'What is wrong with this test?\n```\nError: wrong result, undo that\n```',
    '> no, that is wrong\nshould we tell him?',
    'ERROR: that is not right\n2026-01-01T10:00:00 wrong\nany idea?',
    '<system-notice>wrong, undo that</system-notice>',
    'The reviewer wrote "that is not what I asked for", please answer him',
    'can you also fix the lint?',
    'Is it still running?',
    'It does not matter which one',
    'yes',
    '',
  ])('is not seen in: %s', (text) => {
    expect(remarkOf(text, false)).not.toBe('correction');
  });

  it('is not a plain no to a question', () => {
    expect(remarkOf('No, leave the comment in.', false)).toBe('correction');
    expect(remarkOf('No, leave the comment in.', true)).toBe('none');
    expect(remarkOf('No, that is not what I asked.', true)).toBe('correction');
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
  it('is a correction when the person then objects', () => {
    expect(
      runOf(user('go'), reply('I will stash first'), stop, user('do not stash, just read them')),
    ).toMatchObject({
      corrections: 1,
      interrupts: 1,
    });
    expect(runOf(user('go'), reply('Reading'), stop, user('why all of them? take the first'))).toMatchObject({
      corrections: 1,
      correctionLines: [3],
    });
  });

  it('is a second correction when the person stops it again right after redirecting it', () => {
    const twice = (...last: readonly Told[]) =>
      runOf(user('Tell me about foo'), reply('Foo is'), stop, user('Tell me about bar instead'), ...last);
    expect(twice(reply('Bar is'), stop, user('Only about baz'), reply('Baz is.'))).toMatchObject({
      corrections: 2,
      correctionLines: [3, 6],
    });
    expect(twice(reply('Bar is'), stop, user('continue'), reply('…')).corrections).toBe(1);
    expect(twice(reply('Bar is'), user('and now baz'), reply('Baz is.')).corrections).toBe(1);
  });

  it('is none when they let it go on, add something, or had only mended their own message', () => {
    const corrections = (...events: readonly Told[]) => runOf(...events).corrections;
    expect(corrections(user('go'), reply('so'), stop, user('sorry, continue'), reply('ok'))).toBe(0);
    expect(corrections(user('go'), reply('so'), stop, user('the file is in docs'), reply('ok'))).toBe(0);
    expect(corrections(user('go thre'), stop, user('no typo now: go there'), reply('ok'))).toBe(0);
  });
});

describe('acceptance', () => {
  it.each([
    'Perfect, thanks!',
    'lgtm',
    'ok, works. great',
    'merge it',
    'commit this and push',
    'danke, passt',
    '谢谢',
  ])('is seen in: %s', (text) => {
    expect(remarkOf(text, false)).toBe('acceptance');
  });

  it.each([
    'Thanks! Here is my order number: 12. Can you look it up?',
    'looks good, but the title is too long',
    'merge from main',
    'thanks for the details, please also remove the speaker',
    'the works council wants a report about the perfect storm and everything that was said about it in the last meeting of the committee, including the minutes and the names of those present, with a table of contents and an index of all people',
  ])('is not seen in: %s', (text) => {
    expect(remarkOf(text, false)).not.toBe('acceptance');
  });

  it('is lost with a later correction, and denied when that is the last word', () => {
    const accepted = [user('go'), reply('done'), user('perfect, thanks')];
    expect(runOf(...accepted).acceptance).toEqual({ value: 1, what: 'accepted by the person', line: 3 });
    expect(runOf(...accepted, reply('welcome'), user("that's wrong after all")).acceptance).toMatchObject({
      value: 0,
      line: 5,
    });
    expect(
      runOf(...accepted, reply('welcome'), user("that's wrong after all"), reply('mended')).acceptance,
    ).toBeUndefined();
  });
});
