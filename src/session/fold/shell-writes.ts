/** Lines that a shell command writes into files, where the command itself shows them. */
import type { FileChange } from './read-patch.ts';
import { partsOf } from './shell-parts.ts';

const HERE = /<<-?\s*(?:'([^']+)'|"([^"]+)"|\\?([\w-]+))/;
const NAME = /(?:'([^']+)'|"([^"]+)"|([^\s;&|<>()'"]+))/.source;
const TARGET = new RegExp(`(>{1,2})\\s*${NAME}`);
const TEE = new RegExp(`\\btee\\s+(-a\\s+)?${NAME}`);
/** `echo '…' >> file`, without anything that a shell would put in. */
const ECHO = new RegExp(`(?:^|[;&])\\s*echo\\s+(?:'([^']*)'|"([^"$\`\\\\]*)")\\s*(>{1,2})\\s*${NAME}`);
/** `sed -i '3a\text' file`: lines put in or changed as a whole. A replacement within lines shows no line. */
const SED = new RegExp(
  `\\bsed\\s+-i\\S*\\s+(?:''\\s+|-e\\s+)?'[\\d$]*(?:/[^/']*/)?[aic]\\\\?\\s*([^\\s'][^']*)'\\s+${NAME}`,
);
const MAX_FOUND = 100;
/** A longer line of a command is data, not a command. */
const MAX_LINE = 2_000;

export function readShellWrites(command: string): FileChange[] {
  const written = readLines(command);
  if (!command.includes('rm ') && !command.includes('mv ')) return written;
  const parts = partsOf(command).map(({ text }) => text);
  const gone = parts.flatMap(removals).filter(({ path }) => isPlainPath(path));
  const first = (found: RegExp): number => parts.findIndex((text) => found.test(text));
  return first(TAKES_AWAY) < first(WRITES) ? [...gone, ...written] : [...written, ...gone];
}

const TAKES_AWAY = /^(?:git )?(rm|mv) (.+)$/;
const WRITES = />|^(?:sed|tee) /;
/** Git forgets the file, and it stays where it is. */
const INDEX_ONLY = /(?:^| )-{2}cached(?: |$)/;

/** `rm file` leaves nothing of it, `mv file other` all of it in another place. Of folders a command shows no file. */
function removals(text: string): FileChange[] {
  const [, program, rest = ''] = TAKES_AWAY.exec(text) ?? [];
  if (program === undefined || INDEX_ONLY.test(rest)) return [];
  const paths = rest.split(' ').filter((word) => !word.startsWith('-') && !/[<>]/.test(word));
  if (program === 'rm') return paths.map(goneFrom);
  const [from, to] = paths;
  if (paths.length !== 2 || from === undefined || to === undefined) return [];
  const path = /[\\/]$|^\.{1,2}$/.test(to) ? `${to}/${from.split(/[\\/]/).at(-1)}` : to;
  return [{ ...goneFrom(path), whole: false, from }];
}

const goneFrom = (path: string): FileChange => ({ path, added: [], removed: [], whole: true });

function readLines(command: string): FileChange[] {
  if (!command.includes('<<') && !command.includes('>') && !command.includes('sed ')) return [];
  const changes: FileChange[] = [];
  const lines = command.split('\n');
  for (let at = 0; at < lines.length && changes.length < MAX_FOUND; at += 1) {
    const line = lines[at] as string;
    if (line.length > MAX_LINE) continue;
    const [start, ...words] = (line.includes('<<') && HERE.exec(line)) || [];
    if (start === undefined) {
      changes.push(...lineWrites(line));
      continue;
    }
    const end = endOfBody(lines, at + 1, firstOf(words) ?? '');
    if (end < 0) break;
    const target = targetOf(line.replace(start, ' '));
    if (target !== undefined)
      changes.push({
        path: target.path,
        added: lines.slice(at + 1, end),
        removed: [],
        whole: !target.appends,
      });
    at = end;
  }
  return changes.filter(({ path }) => isPlainPath(path));
}

/** The line that is the closing word alone. */
function endOfBody(lines: readonly string[], from: number, word: string): number {
  return lines.findIndex((line, at) => at >= from && line.length < MAX_LINE && line.trim() === word);
}

function lineWrites(line: string): FileChange[] {
  if (line.includes('echo ') && line.includes('>')) {
    const [, single, double, how, ...names] = ECHO.exec(line) ?? [];
    const path = firstOf(names);
    if (path !== undefined)
      return [{ path, added: [single ?? double ?? ''], removed: [], whole: how === '>' }];
  }
  if (!line.includes('sed ')) return [];
  const [, text, ...names] = SED.exec(line) ?? [];
  const path = firstOf(names);
  return path === undefined || text === undefined ? [] : [{ path, added: [text], removed: [], whole: false }];
}

function targetOf(line: string): { path: string; appends: boolean } | undefined {
  const [, how, ...names] = TARGET.exec(line) ?? [];
  const path = firstOf(names);
  if (path !== undefined) return { path, appends: how === '>>' };
  const [, append, ...files] = TEE.exec(line) ?? [];
  const file = firstOf(files);
  return file === undefined ? undefined : { path: file, appends: append !== undefined };
}

const firstOf = (names: readonly (string | undefined)[]): string | undefined =>
  names.find((name) => name !== undefined);

/** What a shell would still have to work out is no name. */
function isPlainPath(path: string): boolean {
  return !/[$`*?]|^\/dev\/|^&/.test(path);
}
