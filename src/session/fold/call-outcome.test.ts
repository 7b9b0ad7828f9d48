import { describe, expect, it } from 'vitest';
import { outcomeOf } from './call-outcome.ts';

const said = (text: string, kind: Parameters<typeof outcomeOf>[1] = 'shell') => outcomeOf({ text }, kind);

describe('the outcome of a call', () => {
  it('is what the format says', () => {
    expect(outcomeOf({ ok: true, text: 'Error: x' }, 'read')).toBe('succeeded');
    expect(outcomeOf({ ok: false, text: 'fine' }, 'read')).toBe('failed');
    expect(outcomeOf({ denied: true }, 'write')).toBe('denied');
    expect(outcomeOf({}, 'write')).toBe('unknown');
  });

  it.each(['out\nExit Code: 1', 'oops\n\n(Command exited with code 1)', 'Command exited with code 2'])(
    'is a failure when a delivered shell result hides one: %j',
    (text) => {
      expect(outcomeOf({ ok: true, text }, 'shell')).toBe('failed');
    },
  );

  it('is not read from what a program prints about something else', () => {
    expect(outcomeOf({ ok: true, text: '##[error]Process completed with exit code 1.' }, 'shell')).toBe(
      'succeeded',
    );
    expect(outcomeOf({ ok: true, text: 'Command exited with code 0' }, 'shell')).toBe('succeeded');
  });

  it.each([
    'Exit code 127\nx',
    'bash: foo: command not found',
    'cat: a.txt: No such file or directory',
    'Traceback (most recent call last):\n  File "x"\nValueError: bad',
    'building\nnpm ERR! code 1',
    'fatal: not a git repository',
    'lots of output\nmake: *** [all] Error 2',
  ])('of a shell is a failure by its text: %j', (text) => {
    expect(said(text)).toBe('failed');
  });

  it.each([
    '',
    'all good',
    'grep: found "No such file" 3 times\nsrc/a.ts: throw new Error("No such file or directory")\nend',
  ])('of a shell is a success by its text: %j', (text) => {
    expect(said(text)).toBe('succeeded');
  });

  it.each([
    'Error: order not found',
    '<tool_use_error>File has not been read yet.</tool_use_error>',
    '{"error": "no seat"}',
    '{"status":"error"}',
  ])('of a tool is a failure when it begins so: %j', (text) => {
    expect(said(text, 'record')).toBe('failed');
  });

  it.each([
    '1\t# errors\n2\tTraceback (most recent call last):',
    '{"error": null, "id": 3}',
    '{"status":"completed"}',
  ])('of a tool is a success: %j', (text) => {
    expect(said(text, 'read')).toBe('succeeded');
  });

  it.each([
    "The user doesn't want to proceed with this tool use.",
    'Permission to use Bash with command x has been denied.',
  ])('is a refusal by a person: %j', (text) => {
    expect(outcomeOf({ ok: false, text }, 'shell')).toBe('denied');
  });
});
