/**
 * A short title of a message: the user's request on one line, for display only. The text is hostile: secrets are masked
 * before anything is cut, so that no half of one is shown.
 */
import { maskText } from '../../../secrets.ts';
import { asksForSomething } from '../../fold/faults.ts';
import type { Environment } from '../formats/format.ts';

/** A request states its goal at the beginning; what is pasted below may be megabytes. */
const MAX_LOOK = 4_000;
const MAX_TITLE = 100;
/** A greeting alone is no title: the next line is added. */
const SAYS_LITTLE = 12;

/** Blocks that programs put around the user's text. */
const WRAPPERS = [
  'system-reminder',
  'command-message',
  'command-name',
  'local-command-stdout',
  'local-command-stderr',
  'local-command-caveat',
  'environment_context',
  'environment_details',
  'user_instructions',
  'user_info',
  'INSTRUCTIONS',
  'ide_opened_file',
  'ide_selection',
  'attached_files',
  'additional_data',
  'open_and_recently_viewed_files',
  'project_layout',
  'bash-input',
  'bash-stdout',
  'bash-stderr',
  'task-notification',
  'user-prompt-submit-hook',
  'context',
  'rules',
].map((name) => new RegExp(`<${name}\\b[^>]{0,200}>[\\s\\S]*?(?:</${name}>|$)`, 'gi'));

// biome-ignore lint/suspicious/noControlCharactersInRegex: what drives a terminal is taken out.
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|.)/g;
const CONTROL = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/gu;
/** Headings, quotations, lists and emphasis; their content stays. */
const MARKUP = /^[\s>❯#*+\-–•|=~_]+|^\s*\d{1,3}[.)]\s+/;
const IMAGE = /!?\[(?:image|pasted text)[^\]]{0,80}\](?:\([^)]{0,200}\))?/gi;

/** Undefined: the message contains no request. */
export function titleOf(text: string, environment: Environment): string | undefined {
  const bare = WRAPPERS.reduce((rest, wrapper) => rest.replace(wrapper, '\n'), text.slice(0, MAX_LOOK * 4));
  const shown = maskText(bare.slice(0, MAX_LOOK), environment);
  const lines = linesOf(shown);
  const own = lines.filter(({ quoted }) => !quoted);
  const [first, second] = (own.length === 0 ? lines : own).map(({ line }) => line);
  if (first === undefined) return undefined;
  if (PASTED.test(first)) {
    // Who pastes a text says before or after it what to do with it.
    const end = bare.length > MAX_LOOK ? linesOf(maskText(bare.slice(-MAX_LOOK), environment)) : lines;
    const asked = end.findLast(({ line }) => asksForSomething(line));
    if (asked !== undefined) return cut(asked.line);
  }
  if (second === undefined || !isOpening(first)) return cut(first);
  return cut(SAID_BY_ALL.test(first) ? second : `${first} ${second}`);
}

/** How licences, patches, logs, stack traces and notices begin. */
const PASTED =
  /^(?:the )?(?:(?:MIT|ISC|BSD|Apache|Mozilla|Eclipse|Unlicense|GNU|Creative Commons|Boost|zlib)\b.{0,60}\blicen[cs]e|.{0,20}\bcopyright\b|©|permission is hereby|SPDX-|diff --git|index [0-9a-f]{7}|@@ |Traceback|\w{0,60}(?:Error|Exception)\b:|at \S+ ?\(|\d{4}-\d\d-\d\d[T ]|caveat:|you are (?:a|an|the) )/i;

type Line = { readonly line: string; readonly quoted: boolean };

function linesOf(text: string): Line[] {
  return text
    .replace(ESCAPES, '')
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .replace(/<\/?[a-z][\w:-]{0,40}(?:\s[^<>]{0,200})?>/gi, ' ')
    .replace(IMAGE, ' ')
    .split(/[\r\n]+/)
    .map((line) => ({ line: cleanLine(line), quoted: /^\s{0,8}>/.test(line) }))
    .filter(({ line }) => /[\p{L}\p{N}]/u.test(line));
}

/** The next line has the subject. */
function isOpening(line: string): boolean {
  return line.length < SAYS_LITTLE || line.endsWith(':');
}

/** The prefix that agents put before a plan that the user accepted. */
const SAID_BY_ALL = /^(?:please )?(?:implement|execute) (?:the|this) (?:following )?(?:approved )?plan:?$/i;

function cleanLine(line: string): string {
  return line.replace(/\t/g, ' ').replace(CONTROL, '').replace(MARKUP, '').replace(/\s+/g, ' ').trim();
}

/** At the end of a word, where one is near. */
function cut(line: string): string {
  const characters = Array.from(line);
  if (characters.length <= MAX_TITLE) return line;
  const start = characters.slice(0, MAX_TITLE - 1).join('');
  const space = start.lastIndexOf(' ');
  return `${space > MAX_TITLE / 2 ? start.slice(0, space) : start}…`;
}
