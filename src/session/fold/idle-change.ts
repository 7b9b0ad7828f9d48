/** Calls by which a scheduled run only tells or notes that nothing happened. */
import type { ToolKind } from '../evidence.ts';
import { isNothingToReport } from './nothing-to-report.ts';
import { readShell } from './shell-command.ts';
import { readShellWrites } from './shell-writes.ts';

const WORDS = ['message', 'text', 'content', 'body'] as const;
const PATHS = ['file_path', 'path', 'filePath', 'filename', 'target_file', 'absolute_path'] as const;
/** Where agents keep what they have to remember of a run: state, the last check, a log. */
const NOTES =
  /(?:^|[\\/])(?:[\w.-]{0,60}(?:state|heartbeat|last[-_]?(?:run|check|seen))[\w.-]{0,60}\.(?:json|md|txt|ya?ml)|[\w.-]{1,100}\.log)$/i;

/** Where they also keep what matters: then the words tell. */
const JOURNAL =
  /(?:^|[\\/])(?:(?:memory|logs?|journal)[\\/](?:[\w.-]{1,60}[\\/]){0,4}[\w.-]{1,100}|[\w.-]{0,60}(?:log|journal)[\w.-]{0,60})\.(?:md|txt|jsonl?)$/i;

export function isIdleChange(kind: ToolKind, input: unknown): boolean {
  if (kind === 'message') return isNothingToReport(textOf(input, WORDS));
  if (kind === 'shell') return isIdleCommand(textOf(input, COMMANDS));
  return kind === 'write' && isNote(textOf(input, PATHS), textOf(input, WRITTEN));
}

const COMMANDS = ['command', 'cmd', 'script'] as const;
const WRITTEN = ['content', 'new_string', 'newText', 'new_str', 'text', 'file_text'] as const;

function isNote(path: string, text: string): boolean {
  return NOTES.test(path) || (JOURNAL.test(path) && isNothingToReport(text));
}

const TARGETS = /(?:^|[^0-9&>])>{1,2}\s*["']?([^\s"'&|;<>()]{1,300})/g;
const MAX_COMMAND = 2_000;

/** It writes notes by redirection, and changes nothing else. */
function isIdleCommand(command: string): boolean {
  if (command.length > MAX_COMMAND) return false;
  const targets = [...command.matchAll(TARGETS)].map(([, path = '']) => path);
  const text = readShellWrites(command)
    .flatMap(({ added }) => added)
    .join('\n');
  if (targets.length === 0 || !targets.every((path) => path === '/dev/null' || isNote(path, text)))
    return false;
  return (
    !CHANGES_FILES.test(command) &&
    readShell(command).effects.every(
      ({ does, ...effect }) => does === 'touch' || ('artifact' in effect && effect.artifact === 'file'),
    )
  );
}

const CHANGES_FILES = /\b(?:sed|perl|tee|touch|cp|mv|patch|rm|git)\b/;

function textOf(input: unknown, names: readonly string[]): string {
  if (typeof input !== 'object' || input === null) return '';
  for (const name of names) {
    const value = Object.hasOwn(input, name) ? (input as Record<string, unknown>)[name] : undefined;
    if (typeof value === 'string' && value !== '') return value;
  }
  return '';
}
