import { isRecord, notationOf } from './source.ts';
import type { Source } from './validate.ts';

/** What a file holds. */
export type Kind = 'truth' | 'run' | 'experiment' | 'sarif' | 'rdjson' | 'code climate';

/** Told by the keys of the content, never by the name of the file. */
export function kindOf({ value }: Source): Kind | undefined {
  // A clean Code Climate report is an empty list; a list of no runs would be no file at all.
  if (Array.isArray(value)) return value.length === 0 ? 'code climate' : kindOfItem(value[0]);
  if (!isRecord(value)) return undefined;
  if (Object.hasOwn(value, 'version') && Array.isArray(value.runs)) return 'sarif';
  if (Array.isArray(value.diagnostics)) return 'rdjson';
  if (Object.hasOwn(value, 'tasks')) return 'experiment';
  if (Object.hasOwn(value, 'errors') || Object.hasOwn(value, 'traps')) return 'truth';
  if (Object.hasOwn(value, 'workflow') || Object.hasOwn(value, 'findings')) return 'run';
  return undefined;
}

function kindOfItem(item: unknown): Kind | undefined {
  if (!isRecord(item)) return undefined;
  if (Object.hasOwn(item, 'workflow') || Object.hasOwn(item, 'findings')) return 'run';
  if (Object.hasOwn(item, 'check_name') || Object.hasOwn(item, 'fingerprint')) return 'code climate';
  return undefined;
}

/** The same for the first line of a JSONL file. */
export function kindOfLines(lines: readonly Source[], path: string): Kind | undefined {
  const first = lines[0]?.value;
  if (first === undefined) return path.endsWith('.rdjsonl') ? 'rdjson' : undefined;
  if (!isRecord(first)) return undefined;
  if (Object.hasOwn(first, 'message') && Object.hasOwn(first, 'location')) return 'rdjson';
  return kindOfItem(first);
}

/** Whether a name can only be a list of lines. */
export function isLines(path: string): boolean {
  return notationOf(path) === 'jsonl';
}
