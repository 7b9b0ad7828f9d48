import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { titleOf } from './title.ts';

describe('the title of a message', () => {
  it.each([
    ['Fix the flaky login test\n\nIt fails on CI.', 'Fix the flaky login test'],
    ['## Fix *everything*', 'Fix *everything*'],
    ['<system-reminder>Read the rules.</system-reminder>\nFix the build', 'Fix the build'],
    ['<environment_context>\n<cwd>/x</cwd>\n</environment_context>', undefined],
    ['Hi!\nwhy is the cache cold?', 'Hi! why is the cache cold?'],
    ['Look at this:\n```\nTypeError: x\n```\nand mend it', 'Look at this: and mend it'],
    ['Implement the following plan:\n\n# Use the new parser', 'Use the new parser'],
    ['[Image #1] what is wrong here?', 'what is wrong here?'],
    ['❯ /deploy staging', '/deploy staging'],
    ['MIT License\n\nCopyright (c) 2024 Ann\n\nAdd this to every file', 'Add this to every file'],
    [
      `GNU GENERAL PUBLIC LICENSE\n${'Everyone may copy it. '.repeat(300)}\n\ncheck our code against it`,
      'check our code against it',
    ],
    ['TypeError: x is not a function\n    at run (a.ts:1:2)\n\nfix this', 'fix this'],
    ['> we need a table of contents\n\nadd what she asks for', 'add what she asks for'],
    ['', undefined],
    ['---\n***', undefined],
  ])('of %j is %j', (text, title) => {
    expect(titleOf(text, {})).toBe(title);
  });

  it('shows no key, also where the cut would leave half of one', () => {
    const key = 'sk-abcdefghijklmnop1234567890';
    expect(titleOf(`use ${key} for it`, {})).toBe('use [key] for it');
    expect(titleOf(`${'a '.repeat(42)}${key}`, {})).not.toContain('sk-');
    expect(titleOf('the password is hunter2hunter2', { DB_PASSWORD: 'hunter2hunter2' })).not.toContain(
      'hunter2',
    );
  });

  it('is one line without anything that drives a terminal, whatever the text', () => {
    const nasty = fc.string({
      unit: fc.constantFrom(
        'a',
        ' ',
        '\u001b[2J',
        '\u001b]0;x\u0007',
        '\n',
        '\u202e',
        '<',
        '>',
        '/',
        '`',
        '\u0000',
        '語',
      ),
      maxLength: 300,
    });
    fc.assert(
      fc.property(nasty, (text) => {
        const title = titleOf(text, {});
        if (title === undefined) return;
        expect(title).toMatch(/^[^\p{Cc}\p{Cf}]+$/u);
        expect(Array.from(title).length).toBeLessThanOrEqual(100);
      }),
    );
  });
});
