/** A report of a benchmark, or a folder of them, as labels. Which harness wrote it is told by its content. */
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AssayError } from '../../../errors.ts';
import { fileError, readJson } from '../../../files.ts';
import { FORMATS } from '../../ingest/formats/formats.ts';
import type { Harness, HarnessLabel } from '../../ingest/formats/harness.ts';
import { harbor } from './harbor.ts';
import { sweBench } from './swe-bench.ts';
import { terminalBench } from './terminal-bench.ts';

const OWN: readonly Harness[] = [harbor, terminalBench, sweBench];

/** A job has its trials one or two folders down. */
const MAX_DEPTH = 4;
const MAX_FILES = 20_000;
const RESULT = /^(?:results?|report)\.json$|\.eval$/;
/** Files that may be anything are not all read. */
const MAX_OTHERS = 200;
/** A file of runs holds their messages too. */
const MAX_BYTES = 1024 * 1024 * 1024;

export type HarnessReport = { readonly harness: string; readonly labels: readonly HarnessLabel[] };

export async function readReport(path: string): Promise<HarnessReport> {
  const formats = FORMATS.flatMap(({ labels }) => labels ?? []);
  const harnesses = [...(await Promise.all(formats.map((load) => load()))), ...OWN];
  const isFolder = statOf(path).isDirectory();
  const known = isFolder ? reportsIn(path, harnesses) : reportsOf([path], harnesses);
  const [first] = known;
  if (first === undefined) {
    const what = isFolder
      ? `no result of a known harness lies in ${path}`
      : `${path} is no report that is known`;
    throw new AssayError('INPUT_INVALID', what, {
      remedy: `Known are ${harnesses.map(({ name }) => name).join(', ')}; anything else as CSV with session_id,outcome.`,
    });
  }
  return { harness: first.harness, labels: known.flatMap(({ labels }) => labels) };
}

/** Under the names that harnesses give their results; where none is known, whatever is JSON there. */
function reportsIn(folder: string, harnesses: readonly Harness[]): HarnessReport[] {
  const named = reportsOf(resultsIn(folder, RESULT), harnesses);
  if (named.length > 0) return named;
  const others = resultsIn(folder, /\.json$/).slice(0, MAX_OTHERS);
  return others.map((file) => readOther(file, harnesses)).filter((one) => one !== undefined);
}

function reportsOf(files: readonly string[], harnesses: readonly Harness[]): HarnessReport[] {
  return files.map((file) => readOne(file, harnesses)).filter((one) => one !== undefined);
}

/** What is no JSON is no report either. */
function readOther(path: string, harnesses: readonly Harness[]): HarnessReport | undefined {
  try {
    return readOne(path, harnesses);
  } catch (error) {
    // One that cannot be read may be a report.
    if (!(error instanceof AssayError) || error.code !== 'INPUT_INVALID') throw error;
    return undefined;
  }
}

function readOne(path: string, harnesses: readonly Harness[]): HarnessReport | undefined {
  for (const { name, archive } of harnesses) {
    const labels = archive?.(path);
    if (labels !== undefined) return { harness: name, labels };
  }
  const document = readJson(path, MAX_BYTES);
  for (const { name, labels } of harnesses) {
    const found = labels(document, path);
    if (found !== undefined) return { harness: name, labels: found };
  }
  return undefined;
}

function resultsIn(folder: string, name: RegExp, depth = 0, found: string[] = []): string[] {
  for (const entry of entriesOf(folder)) {
    if (found.length >= MAX_FILES)
      throw new AssayError('INPUT_INVALID', `more than ${MAX_FILES} results lie in ${folder}`, {
        remedy: 'Name a folder below it: labels of a part would look like those of all.',
      });
    // A link is not followed: it may lead out of the folder, or round in it.
    if (entry.isFile() && name.test(entry.name)) found.push(join(folder, entry.name));
    else if (entry.isDirectory() && depth < MAX_DEPTH)
      resultsIn(join(folder, entry.name), name, depth + 1, found);
  }
  return found;
}

/** What lies in a folder that cannot be read may be a label: none is given rather than some. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (cause) {
    throw fileError(folder, cause);
  }
}

function statOf(path: string) {
  try {
    return statSync(path);
  } catch (cause) {
    throw fileError(path, cause);
  }
}
