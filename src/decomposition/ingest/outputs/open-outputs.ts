import { statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { AssayError } from '../../../errors.ts';
import { fileError, readJson } from '../../../files.ts';
import { readOutputFolder } from '../collect-cases.ts';
import type { GoldenCase } from '../golden-case.ts';
import { type ExtractionOutput, MOST_OUTPUT_BYTES } from '../output.ts';
import type { OutputMap } from './output-map.ts';
import { type ReadForeign, readForeign } from './read-foreign.ts';
import { type ResultItem, readResults } from './results-file.ts';

/** `failedCall`: there was no answer at all. An unreadable answer is also an error. */
export type Trial = ExtractionOutput | { readonly error: string; readonly failedCall?: true };

type CaseName = Pick<GoldenCase, 'id' | 'topic' | 'sourceText'>;

export type RecordedOutputs = {
  readonly count: number;
  readonly trialsOf: (golden: CaseName) => readonly Trial[];
  /** Notes about items without a case and about foreign shapes; complete once all cases were read. */
  readonly notes: () => readonly string[];
  /** Trials that some cases lack. */
  readonly missing: () => readonly string[];
};

export function openOutputs(path: string, map: OutputMap = {}): RecordedOutputs {
  let isFolder: boolean;
  try {
    isFolder = statSync(path).isDirectory();
  } catch (cause) {
    throw fileError(path, cause);
  }
  return isFolder ? folderOutputs(path, map) : fileOutputs(path, map);
}

function folderOutputs(path: string, map: OutputMap): RecordedOutputs {
  const folder = readOutputFolder(path);
  const ids: string[] = [];
  const shapes = new Set<string>();
  return {
    count: folder.count,
    trialsOf: ({ id }) => {
      ids.push(id);
      const files = folder.filesOf(id);
      if ('error' in files) return [files];
      return files.paths.map((file) =>
        trialOf(() => readForeign(readJson(file, MOST_OUTPUT_BYTES), map, file), shapes),
      );
    },
    missing: () => folder.missing(ids),
    notes: () => {
      const unmatched = folder.unmatched(ids);
      return [...shapeNotes(shapes), ...(unmatched.length > 0 ? [unmatchedNote(unmatched, path)] : [])];
    },
  };
}

function trialOf(read: () => ReadForeign, shapes: Set<string>): Trial {
  try {
    const { output, shape } = read();
    if (shape !== undefined) shapes.add(shape);
    return output;
  } catch (error) {
    if (!(error instanceof AssayError)) throw error;
    return { error: `${error.message}${hintOf(error)}` };
  }
}

/** An error of a case is one line of a report, so it includes the suggestion. */
function hintOf({ ways }: AssayError): string {
  const map = ways.map(({ options }) => options?.map).find((one) => typeof one === 'string');
  return map === undefined ? '' : `; perhaps by the mapping ${map}`;
}

function shapeNotes(shapes: ReadonlySet<string>): string[] {
  return [...shapes].map((shape) =>
    shape === 'the mapping says' ? 'Outputs were read with the mapping.' : `Outputs were read as ${shape}.`,
  );
}

function fileOutputs(path: string, map: OutputMap): RecordedOutputs {
  const { items, format } = readResults(path, map);
  if (items.length === 0) throw new AssayError('INPUT_INVALID', `${path} holds no outputs`);
  const shapes = new Set<string>();
  const [byName, byText] = [indexOf(items, ({ names }) => names.flatMap(namesOf)), indexOf(items, textKeys)];
  const paired = new Set<ResultItem>();
  return {
    count: items.length,
    trialsOf: ({ id, topic, sourceText }) => {
      const found =
        byName.get(keyOf(id)) ?? byText.get(textKey(sourceText)) ?? byName.get(keyOf(topic)) ?? [];
      if (found.length === 0) return [{ error: sayUnpaired(id, items, path) }];
      return found.map((item) => {
        paired.add(item);
        return trialOf(() => readItem(item, map), shapes);
      });
    },
    missing: () => [],
    notes: () => {
      const unmatched = items
        .filter((item) => !paired.has(item))
        .map(({ names, where }) => names[0] ?? where);
      return [
        `${path} was read as ${format}.`,
        ...shapeNotes(shapes),
        ...(unmatched.length > 0 ? [unmatchedNote([...new Set(unmatched)], path)] : []),
      ];
    },
  };
}

function readItem({ value, error, where, facts }: ResultItem, map: OutputMap): ReadForeign {
  if (error !== undefined) throw new AssayError('INPUT_INVALID', error);
  const { output, ...rest } = readForeign(value, map, where);
  return { ...rest, output: { ...facts, ...output } };
}

function indexOf(
  items: readonly ResultItem[],
  keysOf: (item: ResultItem) => readonly string[],
): ReadonlyMap<string, readonly ResultItem[]> {
  const index = new Map<string, ResultItem[]>();
  for (const item of items) {
    for (const key of new Set(keysOf(item))) {
      const known = index.get(key);
      if (known === undefined) index.set(key, [item]);
      else known.push(item);
    }
  }
  return index;
}

/** A name may be a file name. */
function namesOf(name: string): string[] {
  return [
    keyOf(name),
    keyOf(basename(name, extname(name))),
    keyOf(basename(name).replace(/\.gold\.json$/, '')),
  ];
}

function keyOf(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-');
}

function textKeys({ texts }: ResultItem): string[] {
  return texts.filter((text) => text.length > 40).map(textKey);
}

function textKey(text: string): string {
  return text.normalize('NFKC').replaceAll(/\s+/g, ' ').trim();
}

function sayUnpaired(id: string, items: readonly ResultItem[], path: string): string {
  const names = [...new Set(items.flatMap((item) => item.names.slice(0, 1)))].slice(0, 5);
  const there = names.length === 0 ? 'its outputs have no name' : `it has ${names.join(', ')}`;
  return `${path} has no output of ${id}, by its name, its topic or its text; ${there}`;
}

function unmatchedNote(unmatched: readonly string[], path: string): string {
  const named = unmatched
    .slice(0, 3)
    .map((name) => (name.length > 80 ? `${name.slice(0, 80)}…` : name))
    .join(', ');
  if (unmatched.length === 1) return `${path}: ${named} belongs to no golden case and was not read`;
  const more = unmatched.length > 3 ? ` and ${unmatched.length - 3} more` : '';
  return `${path}: ${named}${more} belong to no golden case and were not read`;
}
