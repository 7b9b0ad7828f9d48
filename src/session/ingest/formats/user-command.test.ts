import { expect, it } from 'vitest';
import { fencedCommand, taggedCommand } from './user-command.ts';

it('is a command and what it printed, in fences', () => {
  const text =
    'I ran the following shell command:\n```sh\nnpm test\n```\n\nThis produced the following result:\n```\n12 passed\n```';
  expect(fencedCommand(text)).toEqual({ kind: 'person-command', command: 'npm test', text: '12 passed' });
  expect(fencedCommand('I ran the following shell command: npm test, and it failed')).toBeUndefined();
});

it('is a command with its exit code, in tags', () => {
  const text =
    '<user_shell_command>\n<command>\npython -m unittest\n</command>\n<result>\nExit code: 1\nDuration: 0.02 seconds\nOutput:\nFAILED (failures=1)\n</result>\n</user_shell_command>';
  expect(taggedCommand(text)).toMatchObject({ command: 'python -m unittest', ok: false });
  expect(taggedCommand('<environment_context>x</environment_context>')).toBeUndefined();
});
