import { extname } from 'node:path';
import { openEvaluation } from '../../archives/eval-archive.ts';
import { AssayError } from '../../errors.ts';
import { readJson, readText } from '../../files.ts';
import { check, MAX_ITEMS, type RawValue } from './fields.ts';
import type { Notation, RawFile } from './formats/importer.ts';
import { IMPORTERS } from './formats/importers.ts';
import { mappingSchema, type ValueMaps } from './mapping.ts';
import { parseYaml } from './parse-yaml.ts';

/** The notation of a file, detected by its suffix; its format is detected by its content. */
const NOTATIONS: ReadonlyMap<string, Notation> = new Map<string, Notation>([
  ['.json', 'json'],
  ['.yaml', 'yaml'],
  ['.yml', 'yaml'],
  ['.jsonl', 'jsonl'],
  ['.ndjson', 'jsonl'],
  ...IMPORTERS.flatMap(({ suffixes = {} }) => Object.entries(suffixes)),
  ['.txt', 'markdown'],
  ['.md', 'markdown'],
  ['.markdown', 'markdown'],
]);

export const SUFFIXES: readonly string[] = [...NOTATIONS.keys()];

function notationOf(path: string): Notation {
  const notation = NOTATIONS.get(extname(path).toLowerCase());
  if (notation !== undefined) return notation;
  throw new AssayError('INPUT_INVALID', `${path}: unknown file extension`, {
    remedy: `Name it with one of ${SUFFIXES.join(', ')}.`,
  });
}

/** Reads any file without interpreting its content. */
export function readFile(path: string): RawFile {
  switch (notationOf(path)) {
    case 'markdown':
      return { kind: 'text', path, text: readText(path) };
    case 'evaluation':
      return { kind: 'document', path, document: readEvaluation(path) };
    case 'jsonl':
      return { kind: 'lines', path, lines: readLines(path) };
    default:
      return { kind: 'document', path, document: readDocument(path) };
  }
}

/** A JSON or YAML file as one value. */
export function readDocument(path: string): RawValue {
  return notationOf(path) === 'yaml' ? parseYaml(readText(path), path) : { path, value: readJson(path) };
}

/** Reads an archive of samples as the equivalent JSON log. */
function readEvaluation(path: string): RawValue {
  const evaluation = openEvaluation(path);
  if (evaluation === undefined)
    throw new AssayError('INPUT_INVALID', `${path} is no archive of an evaluation, or it is damaged`);
  try {
    const samples: unknown[] = [];
    for (const sample of evaluation.samples()) {
      if (samples.length >= MAX_ITEMS)
        throw new AssayError('INPUT_INVALID', `${path} has more than ${MAX_ITEMS} samples`);
      samples.push(sample);
    }
    return { path, value: { eval: evaluation.about, samples } };
  } finally {
    evaluation.close();
  }
}

/** A JSONL file as one value per line; empty lines are skipped. */
function readLines(path: string): RawValue[] {
  return readText(path)
    .split('\n')
    .flatMap((text, index) => (text.trim() === '' ? [] : [parseLine(text, path, index + 1)]));
}

function parseLine(text: string, path: string, line: number): RawValue {
  try {
    return { path, value: JSON.parse(text) as unknown, lineOf: () => line };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split(/, (?:\.\.\.)?"| in JSON/)[0] : String(cause);
    throw new AssayError('INPUT_INVALID', `${path}:${line} is not JSON: ${why}`, { cause });
  }
}

export function readMapping(path: string): ValueMaps {
  const { severity, category } = check(mappingSchema, readDocument(path));
  return {
    ...(severity !== undefined && { severity: new Map(Object.entries(severity)) }),
    ...(category !== undefined && { category: new Map(Object.entries(category)) }),
  };
}
