/** Commands that people ran beside an agent, where the program tells the agent of them in words. */
import type { PersonCommandEvent } from '../../event.ts';
import { cutText } from '../json/json-fields.ts';

const FENCED =
  /^I ran the following shell command:\s*```\w*\n([\s\S]*?)\n```\s*This produced the following (?:result|output):\s*```\w*\n([\s\S]*?)(?:\n?```\s*)?$/;
const TAGGED = /<command>\n?([\s\S]*?)\n?<\/command>\s*<result>\n?([\s\S]*?)\n?<\/result>/;
const EXIT = /(?:^|\n)Exit [Cc]ode: (-?\d+)/;
const MAX_LOOK = 200_000;

/** A fenced command and its fenced result, in one sentence each. */
export function fencedCommand(text: string): PersonCommandEvent | undefined {
  return text.startsWith('I ran the following shell command:') ? toldBy(FENCED, text) : undefined;
}

/** `<command>` and `<result>` in a tag of their own. */
export function taggedCommand(text: string): PersonCommandEvent | undefined {
  return text.trimStart().startsWith('<user_shell_command>') ? toldBy(TAGGED, text) : undefined;
}

function toldBy(form: RegExp, whole: string): PersonCommandEvent | undefined {
  const [, command, text = ''] = form.exec(whole.slice(0, MAX_LOOK)) ?? [];
  if (command === undefined) return undefined;
  const code = EXIT.exec(text)?.[1];
  return {
    kind: 'person-command',
    command,
    text: cutText(text),
    ...(code !== undefined && { ok: code === '0' }),
  };
}
