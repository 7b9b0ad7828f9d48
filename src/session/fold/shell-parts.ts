/** A command line taken apart into its simple commands, with what becomes of the exit code of each. */
import { inlineWord, readsBody, withInnerCommands } from './inner-commands.ts';
import { withoutWrappers } from './shell-wrappers.ts';

const MAX_PARTS = 24;
const MAX_COMMAND = 100_000;
/** Without what here-documents hold. */
const MAX_BARE = 2_000;

export type ShellPart = {
  /** One simple command without assignments, wrappers and the folder of its program. */
  readonly text: string;
  /** Its exit code is not that of the whole line: a pipe, `;` or `||` comes after it. */
  readonly hidden: boolean;
  /** What its output goes through before anybody sees it. */
  readonly into?: string;
  /** An `echo` comes right after it, which may print its exit code. */
  readonly told?: true;
  readonly followed?: true;
};

/** The simple commands of a line, without here-documents, quoted words, assignments and wrappers. */
export function partsOf(command: string): ShellPart[] {
  const bare = bareOf(command);
  const pieces = bare.split(/(&&|\|\||\|&?|(?<![<>&\d])&(?![&>\d])|[;\n(){}])/);
  const piped = /\bset -\w*o pipefail\b/.test(bare);
  const found: { text: string; next: string }[] = [];
  for (let index = 0; index < pieces.length && found.length < MAX_PARTS; index += 2) {
    const text = wordsOf(pieces[index] ?? '');
    const next = pieces[index + 1] ?? '';
    const last = found[found.length - 1];
    if (text !== '' && !/^\d?[<>]\S*$/.test(text)) found.push({ text, next });
    // `(npm test) | tail`: what follows the bracket follows what is in it.
    else if (last !== undefined && /^[)}]$/.test(last.next)) last.next = next;
  }
  const lastHiding = found.slice(0, -1).findLastIndex(({ next }) => HIDES.has(next));
  return found.map(({ text, next }, at) => {
    const pipe = next.startsWith('|') && next !== '||';
    const later = at <= lastHiding;
    const into = pipe ? found[at + 1]?.text : undefined;
    const told = (next === ';' || next === '\n') && found[at + 1]?.text.startsWith('echo') === true;
    return {
      text,
      hidden: (pipe && !piped) || later,
      into,
      ...(told && { told }),
      ...(at < found.length - 1 && { followed: true as const }),
    };
  });
}

/** After these the line goes on whatever the command said. */
const HIDES: ReadonlySet<string> = new Set([';', '\n', '||', '&']);

function bareOf(command: string): string {
  const plain = withoutHereDocuments(command.length > MAX_COMMAND ? command.slice(0, MAX_COMMAND) : command)
    .slice(0, MAX_BARE)
    .replace(/\\\n/g, ' ');
  return withInnerCommands(plain)
    .replace(/'[^']*'|"(?:[^"\\]|\\.)*"/g, quoted)
    .replace(/(^|[\s;])#[^\n]*/g, '$1');
}

const HERE = /^<<-?[ \t]*(['"]?)(\w{1,40})\1/;

/**
 * What a here-document holds is no command, unless it is for a shell or an interpreter. Its end is searched for, not matched:
 * it may be long.
 */
function withoutHereDocuments(command: string): string {
  let bare = '';
  let at = 0;
  let left = MAX_PARTS;
  for (let from = command.indexOf('<<'); from >= 0 && left > 0; from = command.indexOf('<<', at)) {
    left -= 1;
    const here = HERE.exec(command.slice(from, from + 60));
    const line = command.indexOf('\n', from);
    if (here === null || line < 0) {
      bare += command.slice(at, from + 2);
      at = from + 2;
      continue;
    }
    const before = command.slice(command.lastIndexOf('\n', from) + 1, from);
    const end = command.indexOf(`\n${here[2]}`, line);
    const body = command.slice(line + 1, end < 0 ? command.length : end);
    bare += command.slice(at, from) + bodyWord(before, body) + command.slice(from + here[0].length, line);
    at = end < 0 ? command.length : end + 1 + (here[2]?.length ?? 0);
  }
  return bare + command.slice(at);
}

function bodyWord(before: string, body: string): string {
  const reader = readsBody(before);
  if (reader === 'shell') return ` ( ${body.slice(0, MAX_BARE)}\n)`;
  return reader === 'program' ? ` ${inlineWord(body)}` : '';
}

/** What a quoted pattern becomes that only lines about failures match. */
export const LOOKS_FOR_FAILURES = 'FAILURES';
const FAILURES = /error|fail|✗|✖|not ok|panic|cannot find/i;
const SUCCESSES = /pass|\bok\b|success|done|✓|---/i;

/** A quoted word keeps its place, and its content when that is a plain word such as a path. */
function quoted(text: string): string {
  const inside = text.slice(1, -1);
  if (/^[\w@./:~$-]{1,80}$/.test(inside)) return inside;
  return inside.length < 100 && FAILURES.test(inside) && !SUCCESSES.test(inside) ? LOOKS_FOR_FAILURES : 'Q';
}

function wordsOf(piece: string): string {
  return withoutWrappers(piece.trim().split(/\s+/)).join(' ');
}
