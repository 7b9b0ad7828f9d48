/** Commands that users ran themselves, where the program reports them to the agent as text. */
import type { UserCommandEvent } from '../../event.ts';
import { cutText } from '../json/json-fields.ts';

const FENCED =
  /^I ran the following shell command:\s*```\w*\n([\s\S]*?)\n```\s*This produced the following (?:result|output):\s*```\w*\n([\s\S]*?)(?:\n?```\s*)?$/;
const EXIT = /(?:^|\n)Exit [Cc]ode: (-?\d+)/;
const MAX_LOOK = 200_000;

/** A fenced command and its fenced result, in one sentence each. */
export function fencedCommand(text: string): UserCommandEvent | undefined {
  if (!text.startsWith('I ran the following shell command:')) return undefined;
  const [, command, result] = FENCED.exec(text.slice(0, MAX_LOOK)) ?? [];
  return eventOf(command, result);
}

/** `<command>` and `<result>` in a tag of their own. */
export function taggedCommand(text: string): UserCommandEvent | undefined {
  if (!text.trimStart().startsWith('<user_shell_command>')) return undefined;
  // A command may contain the first closing tag; the result's tag shows which one ends it.
  const look = text.slice(0, MAX_LOOK);
  const from = look.indexOf(COMMAND);
  const turn = /<\/command>\s*<result>/.exec(look);
  if (from < 0 || turn === null || turn.index < from) return undefined;
  const result = turn.index + turn[0].length;
  const to = look.indexOf('</result>', result);
  if (to < 0) return undefined;
  const command = look.slice(from + COMMAND.length, turn.index);
  return eventOf(command.replace(EDGES, ''), look.slice(result, to).replace(EDGES, ''));
}

const COMMAND = '<command>';
const EDGES = /^\n|\n$/g;

function eventOf(command: string | undefined, text = ''): UserCommandEvent | undefined {
  if (command === undefined) return undefined;
  const code = EXIT.exec(text)?.[1];
  return {
    kind: 'person-command',
    command,
    text: cutText(text),
    ...(code !== undefined && { ok: code === '0' }),
  };
}
