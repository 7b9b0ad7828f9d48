import { extname } from 'node:path';
import { AssayError } from '../../errors.ts';
import { readJson, readText } from '../../files.ts';
import type { Source } from './validate.ts';
import { parseYaml } from './yaml.ts';

/** What a file is written in, told by the end of its name; what it holds is told by its content. */
const NOTATIONS: ReadonlyMap<string, 'json' | 'yaml' | 'jsonl' | 'markdown'> = new Map([
  ['.json', 'json'],
  ['.sarif', 'json'],
  ['.rdjson', 'json'],
  ['.yaml', 'yaml'],
  ['.yml', 'yaml'],
  ['.jsonl', 'jsonl'],
  ['.ndjson', 'jsonl'],
  ['.rdjsonl', 'jsonl'],
  ['.md', 'markdown'],
  ['.markdown', 'markdown'],
]);

export const SUFFIXES: readonly string[] = [...NOTATIONS.keys()];

export function notationOf(path: string): 'json' | 'yaml' | 'jsonl' | 'markdown' {
  const notation = NOTATIONS.get(extname(path).toLowerCase());
  if (notation !== undefined) return notation;
  throw new AssayError('INPUT_INVALID', `${path}: the end of its name does not say what it is written in`, {
    remedy: `Name it with one of ${SUFFIXES.join(', ')}.`,
  });
}

/** A JSON or YAML file as one value. */
export function readSource(path: string): Source {
  return notationOf(path) === 'yaml' ? parseYaml(readText(path), path) : { path, value: readJson(path) };
}

/** A JSONL file as one value per line; empty lines are skipped. */
export function readLines(path: string): Source[] {
  return readText(path)
    .split('\n')
    .flatMap((text, index) => (text.trim() === '' ? [] : [parseLine(text, path, index + 1)]));
}

function parseLine(text: string, path: string, line: number): Source {
  try {
    return { path, value: JSON.parse(text) as unknown, lineOf: () => line };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split(/, (?:\.\.\.)?"| in JSON/)[0] : String(cause);
    throw new AssayError('INPUT_INVALID', `${path}:${line} is not JSON: ${why}`, { cause });
  }
}

/** A plain object, as far as a reader that only looks at keys can tell. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
