/** Collects runs from files and folders and counts each run once. */
import { hash } from 'node:crypto';
import { lstatSync, realpathSync, statSync } from 'node:fs';
import { extname, resolve, sep } from 'node:path';
import { AssayError } from '../../errors.ts';
import { fileError, readText } from '../../files.ts';
import type { ReviewRun } from '../review.ts';
import { type Fault, InvalidInput, repeats } from './fields.ts';
import type { ImportedRuns, ImportOptions } from './formats/importer.ts';
import { importRuns } from './import-file.ts';
import { listFiles } from './list-files.ts';
import type { Mapping } from './mapping.ts';
import { SUFFIXES } from './read-file.ts';

export type CollectedRuns = {
  readonly runs: readonly ReviewRun[];
  readonly mappings: readonly Mapping[];
  readonly notes: readonly string[];
};

/** Reads files and folders recursively. A run that occurs twice is an error. */
export function readRuns(paths: readonly string[], options?: ImportOptions): readonly ReviewRun[] {
  return collectRuns(paths, options).runs;
}

export function collectRuns(paths: readonly string[], options: ImportOptions = {}): CollectedRuns {
  const files = paths.flatMap(filesBelow);
  const imported = files.map((path) => ({ path, ...importRuns(path, options) }));
  refuseDuplicates([...duplicateFiles(files), ...duplicateRuns(imported.flatMap(({ runs }) => runs))]);
  return {
    runs: imported.flatMap(({ runs }) => runs),
    mappings: addUp(imported),
    notes: imported.flatMap(({ path, notes }) => notes.map((note) => `${path}: ${note}`)),
  };
}

/** The file itself, or every file below a folder except a README, sorted. An unreadable file stops the command. */
export function filesBelow(path: string): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    const files = listFiles(path, (other) => refuseOther(other, path)).filter((file) => !isReadme(file));
    if (files.length > 0) return files;
  } catch (cause) {
    throw fileError(path, cause);
  }
  throw new AssayError('INPUT_INVALID', `${path}: holds no file that could be a run`, {
    remedy: `Runs are files that end in ${SUFFIXES.join(', ')}.`,
  });
}

/** An unreadable run must not look like a missing one. A link to another file of the folder adds nothing. */
function refuseOther(path: string, folder: string): void {
  if (!SUFFIXES.includes(extname(path).toLowerCase())) return;
  const target = tryReal(path);
  if (target?.startsWith(realpathSync(folder) + sep)) return;
  throw new AssayError(
    'FILE_EXPECTED',
    `${path} is a link out of the folder, or a pipe, and is not followed`,
    {
      remedy: 'Put the file itself in its place, or name it.',
    },
  );
}

function tryReal(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? realpathSync(path) : undefined;
  } catch {
    return undefined;
  }
}

/** Every other file of the folder must be a run: nobody would notice a skipped one. */
export function isReadme(path: string): boolean {
  return /(?:^|[/\\])readme\.\w+$/i.test(path);
}

/** A duplicate under another name would count the same execution twice and make the workflow look stable. */
export function duplicateFiles(files: readonly string[]): Fault[] {
  return repeats(files, (path) => hash('sha256', readText(path))).map(({ item: file, original }) => {
    const isSame = resolve(file) === resolve(original);
    const message = `${isSame ? 'is given twice' : `has the same content as ${original}`}; a run counts once`;
    return { file, place: 'the whole document', message };
  });
}

/** Two executions need different names, whatever they found. */
export function duplicateRuns(runs: readonly ReviewRun[]): Fault[] {
  const keyOf = ({ workflow, task, run }: ReviewRun) => JSON.stringify([workflow, task, run]);
  return repeats(runs, keyOf).map(({ item: { workflow, task, run, path = '' }, original }) => ({
    file: path,
    place: 'run',
    message: `"${run}" of workflow "${workflow}" on task "${task}" is in ${original.path} as well; a run counts once`,
  }));
}

export function refuseDuplicates(faults: readonly Fault[]): void {
  if (faults.length > 0) {
    throw new InvalidInput(faults, {
      remedy: 'Leave one of the two out. Two executions of one workflow differ in their "run".',
    });
  }
}

/** Merges the same translation from several files into one line. */
function addUp(imported: readonly ImportedRuns[]): Mapping[] {
  const sums = new Map<string, Mapping>();
  for (const mapping of imported.flatMap(({ mappings }) => mappings)) {
    const { count, ...rest } = mapping;
    const key = JSON.stringify(rest);
    sums.set(key, { ...mapping, count: count + (sums.get(key)?.count ?? 0) });
  }
  return [...sums.values()];
}
