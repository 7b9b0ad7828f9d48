/** Reads whatever it is given, says what is in it and what is wrong with it. A file with faults is not the end. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AssayError } from '../../errors.ts';
import { fileError } from '../../files.ts';
import { filesBelow, sameFiles, sameRuns } from '../ingest/collect-runs.ts';
import { kindOf } from '../ingest/file-kind.ts';
import { importRuns } from '../ingest/import-runs.ts';
import { importTruth } from '../ingest/import-truth.ts';
import type { Mapping, ValueMaps } from '../ingest/mapping.ts';
import { readDocuments } from '../ingest/read-documents.ts';
import { EXPERIMENT_FILES, readExperiment } from '../ingest/read-experiment.ts';
import { readFile } from '../ingest/read-file.ts';
import { type Fault, InvalidInput } from '../ingest/validate.ts';
import { layOut, type ReviewedDocument } from '../match/document.ts';
import type { ReviewRun } from '../review.ts';
import type { GroundTruth } from '../truth.ts';
import type { LintFinding } from './lint-finding.ts';
import { lintRun, lintRuns } from './lint-run.ts';
import { lintTruth } from './lint-truth.ts';

export type InspectOptions = {
  /** Folder of the reviewed documents. */
  readonly documents?: string;
  readonly minErrors?: number;
  readonly maps?: ValueMaps;
  /** What a file is in a format that can hold either; told by its content when absent. */
  readonly as?: 'truth' | 'run';
};

type TruthFile = { readonly path: string; readonly truth: GroundTruth; readonly documents?: string };

export type Inspection = {
  readonly truths: readonly TruthFile[];
  readonly runs: readonly ReviewRun[];
  readonly experiments: readonly { readonly path: string; readonly name: string }[];
  readonly mappings: readonly Mapping[];
  readonly notes: readonly string[];
  readonly findings: readonly LintFinding[];
  /** Files that say nothing at all: absent, not JSON, not YAML, of no known kind. */
  readonly unreadable: readonly {
    readonly file: string;
    readonly message: string;
    readonly remedy: string;
  }[];
};

export function inspect(paths: readonly string[], options: InspectOptions = {}): Inspection {
  const parts = paths.flatMap((path) => attempt(path, () => expand(path, options)));
  const all = <K extends keyof Inspection>(key: K) =>
    parts.flatMap((part) => (part[key] ?? []) as readonly Inspection[K][number][]);
  const [truths, runs] = [all('truths'), all('runs')];
  const documents = documentReader(options.documents);
  const truthOf = new Map(truths.map((one) => [one.truth.task, one]));
  return {
    truths,
    runs,
    experiments: all('experiments'),
    mappings: all('mappings'),
    notes: all('notes'),
    unreadable: all('unreadable'),
    findings: [
      ...all('findings'),
      ...truths.flatMap((one) =>
        lintTruth(one.truth, one.path, {
          ...given('documents', documents(one.documents)),
          ...given('minErrors', options.minErrors),
        }),
      ),
      ...otherVersions(truths),
      ...[...sameFiles([...new Set(runs.flatMap(({ path }) => path ?? []))]), ...sameRuns(runs)].map(
        asFinding,
      ),
      ...runs.flatMap((run) => {
        const known = truthOf.get(run.task);
        return lintRun(run, {
          ...given('truth', known?.truth),
          ...given('documents', documents(known?.documents)),
        });
      }),
      ...lintRuns(runs),
    ],
  };
}

type Part = { [K in keyof Inspection]?: Inspection[K] };

function given<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]: V });
}

/** What one reader found, or why it could not: faults of the content are findings, anything else is unreadable. */
function attempt(path: string, read: () => Part[]): Part[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof InvalidInput) return [{ findings: error.faults.map(asFinding) }];
    if (!(error instanceof AssayError)) throw error;
    return [{ unreadable: [{ file: path, message: error.message, remedy: error.remedy }] }];
  }
}

function asFinding({ file, line, place, message }: Fault): LintFinding {
  return {
    level: 'error',
    rule: 'format',
    file,
    place: line === undefined ? place : `line ${line}: ${place}`,
    message,
  };
}

function expand(path: string, options: InspectOptions): Part[] {
  if (!isFolder(path)) return [inspectFile(path, options)];
  if (existsSync(join(path, 'truth')) || EXPERIMENT_FILES.some((name) => existsSync(join(path, name)))) {
    return [inspectExperiment(path)];
  }
  return filesBelow(path).flatMap((file) => attempt(file, () => [inspectFile(file, options)]));
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (cause) {
    throw fileError(path, cause);
  }
}

function inspectFile(path: string, options: InspectOptions): Part {
  const file = readFile(path);
  const kind = kindOf(file);
  if (kind === 'experiment') return inspectExperiment(path);
  if (kind === 'truth') return inspectTruth(path, options);
  if (kind !== undefined) {
    // Some formats hold either; what they hold is told by the content unless somebody says so.
    const isTruth =
      kind.truth !== undefined && (options.as ?? (kind.truth.detect(file) ? 'truth' : 'run')) === 'truth';
    return isTruth ? inspectTruth(path, options) : inspectRuns(path, options);
  }
  if (file.kind === 'text') return inspectTruth(path, options);
  if (file.kind === 'lines') return inspectRuns(path, options);
  throw new AssayError('INPUT_INVALID', `${path}: is no ground truth, no run and no experiment`, {
    remedy: 'A ground truth has errors, a run has workflow and findings, an experiment has tasks.',
  });
}

function inspectTruth(path: string, options: InspectOptions): Part {
  const { truth, mappings, notes } = importTruth(path, given('maps', options.maps));
  return { truths: [{ path, truth }], mappings, notes: notes.map((note) => `${path}: ${note}`) };
}

function inspectRuns(path: string, options: InspectOptions): Part {
  // A report of another tool names no task; what it holds can be checked all the same.
  const { runs, mappings, notes } = importRuns(path, { unnamed: 'unnamed', ...given('maps', options.maps) });
  return { runs, mappings, notes: notes.map((note) => `${path}: ${note}`) };
}

function inspectExperiment(path: string): Part {
  const { name, arms, mappings, notes } = readExperiment(path);
  const truths = new Map(
    arms.map(({ task, truth, truthPath, documents }) => [
      task,
      { path: truthPath, truth, ...given('documents', documents) },
    ]),
  );
  return {
    experiments: [{ path, name }],
    truths: [...truths.values()],
    runs: arms.flatMap(({ runs }) => runs),
    mappings,
    notes,
  };
}

/** The documents that were named for all files, else those that an experiment names; each folder is read once. */
function documentReader(forAll: string | undefined) {
  const read = new Map<string, readonly ReviewedDocument[]>();
  return (own: string | undefined): readonly ReviewedDocument[] | undefined => {
    const folder = forAll ?? own;
    if (folder === undefined) return undefined;
    const documents = read.get(folder) ?? layOut(readDocuments(folder));
    read.set(folder, documents);
    return documents;
  };
}

function otherVersions(truths: readonly TruthFile[]): LintFinding[] {
  return [...Map.groupBy(truths, ({ truth }) => truth.task)].flatMap(([task, [first, ...others]]) =>
    others
      .filter(({ truth }) => truth.hash !== first?.truth.hash)
      .map(({ path, truth }) => ({
        level: 'warning' as const,
        rule: 'other-version',
        file: path,
        place: `version ${truth.version}`,
        message: `differs from version ${first?.truth.version} of "${task}" in ${first?.path}; results against the two are not comparable`,
      })),
  );
}
