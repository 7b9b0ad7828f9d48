import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { AssayError } from '../../errors.ts';
import { progressOf, readSession } from '../../workflow/blind/folder.ts';
import { EXPERIMENT_FILES, readExperiment } from '../../workflow/ingest/read-experiment.ts';

export type FoundEvaluations = ReturnType<typeof findEvaluations>;

/** Limits the search: experiments are near the top, and a project may be huge. */
const MOST_FOLDERS = 4000;
const MOST_DEPTH = 6;
/** Each of them is read completely. */
const MOST_FOUND = 100;

/** Finds experiments and blind evaluations below a folder. Skips links, hidden folders and packages. */
export function findEvaluations(folder: string) {
  const { experiments, blind, partial } = pathsBelow(folder);
  const found = blind.map((path) => blindAt(folder, path));
  const sealed = sealedIn(found);
  return {
    experiments: experiments.map((path) => experimentAt(folder, path, sealed)),
    blind: found,
    /** True if the search stopped at its limit. */
    partial,
  };
}

/** Ground truths that evaluators below a folder must not see yet: hash → the evaluation that sealed it. */
export function findSealedTruths(folder: string): ReadonlyMap<string, string> {
  return sealedIn(pathsBelow(folder).blind.map((path) => blindAt(folder, path)));
}

function sealedIn(blind: readonly ReturnType<typeof blindAt>[]): ReadonlyMap<string, string> {
  return new Map(
    blind.flatMap(({ path, status }) =>
      status === undefined || status.openedIn !== undefined ? [] : [[status.truthHash, path]],
    ),
  );
}

function pathsBelow(folder: string) {
  const found = { experiments: [] as string[], blind: [] as string[] };
  const queue = [{ path: '', depth: 0 }];
  let looked = 0;
  let partial = false;
  for (const { path, depth } of queue) {
    if (found.experiments.length + found.blind.length >= MOST_FOUND) break;
    looked += 1;
    const { files, folders } = entriesOf(join(folder, path));
    if (isExperiment(files, folders)) found.experiments.push(path);
    if (files.includes('blind.jsonl')) found.blind.push(path);
    const below = folders.filter((name) => !name.startsWith('.') && name !== 'node_modules');
    if (depth >= MOST_DEPTH || queue.length + below.length > MOST_FOLDERS) partial ||= below.length > 0;
    else queue.push(...below.map((name) => ({ path: join(path, name), depth: depth + 1 })));
  }
  return { ...found, partial: partial || looked < queue.length };
}

/** A folder with an experiment file, or with the documented layout. */
function isExperiment(files: readonly string[], folders: readonly string[]): boolean {
  return (
    EXPERIMENT_FILES.some((name) => files.includes(name)) ||
    (folders.includes('truth') && folders.includes('runs'))
  );
}

/** An unreadable experiment is listed with the reason. */
function experimentAt(folder: string, path: string, sealed: ReadonlyMap<string, string>) {
  const { value, fault } = orFault(() => readExperiment(join(folder, path), folder));
  const arms = (value?.arms ?? []).map(({ workflow, task, truth, runs, truthPath, documents }) => ({
    workflow,
    task,
    hash: truth.hash,
    truth: relative(folder, truthPath),
    documents: documents === undefined ? undefined : relative(folder, documents),
    runs: runs.flatMap(({ path: file }) => (file === undefined ? [] : [relative(folder, file)])),
  }));
  return {
    path,
    name: value?.name,
    /** The blind evaluation that sealed its ground truth and is not opened yet. */
    sealedBy: arms.map(({ hash }) => sealed.get(hash)).find((by) => by !== undefined),
    arms: arms.map(({ hash: _, ...arm }) => arm),
    fault,
  };
}

function blindAt(folder: string, path: string) {
  const { value, fault } = orFault(() => progressOf(readSession(join(folder, path))));
  return { path, status: value, fault };
}

function orFault<Value>(read: () => Value): { readonly value?: Value; readonly fault?: string } {
  try {
    return { value: read() };
  } catch (cause) {
    if (!(cause instanceof AssayError)) throw cause;
    return { fault: cause.message };
  }
}

function entriesOf(path: string): { files: string[]; folders: string[] } {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    const names = (kind: 'isFile' | 'isDirectory') =>
      entries
        .filter((entry) => entry[kind]())
        .map(({ name }) => name)
        .sort();
    return { files: names('isFile'), folders: names('isDirectory') };
  } catch {
    // Treat an unreadable folder as empty.
    return { files: [], folders: [] };
  }
}
