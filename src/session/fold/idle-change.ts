/** Calls by which a scheduled run only tells or notes that nothing happened. */
import type { ToolKind } from '../evidence.ts';
import { isNothingToReport } from './nothing-to-report.ts';

const WORDS = ['message', 'text', 'content', 'body'] as const;
const PATHS = ['file_path', 'path', 'filePath', 'filename', 'target_file', 'absolute_path'] as const;
/** Where agents keep what they have to remember of a run: state, the last check, a log. */
const NOTES =
  /(?:^|[\\/])(?:[\w.-]{0,60}(?:state|heartbeat|last[-_]?(?:run|check|seen))[\w.-]{0,60}\.(?:json|md|txt|ya?ml)|[\w.-]{1,100}\.log)$/i;

export function isIdleChange(kind: ToolKind, input: unknown): boolean {
  if (kind === 'message') return isNothingToReport(textOf(input, WORDS));
  return kind === 'write' && NOTES.test(textOf(input, PATHS));
}

function textOf(input: unknown, names: readonly string[]): string {
  if (typeof input !== 'object' || input === null) return '';
  for (const name of names) {
    const value = Object.hasOwn(input, name) ? (input as Record<string, unknown>)[name] : undefined;
    if (typeof value === 'string' && value !== '') return value;
  }
  return '';
}
