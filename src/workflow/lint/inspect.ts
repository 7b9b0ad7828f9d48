/** Reads any file, and lists its content and its faults. A file with faults does not stop it. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AssayError } from '../../errors.ts';
import { fileError } from '../../files.ts';
import { duplicateFiles, duplicateRuns, filesBelow } from '../ingest/collect-runs.ts';
import { type Fault, InvalidInput } from '../ingest/fields.ts';
import { importRuns, importTruth, kindOf } from '../ingest/import-file.ts';
import { readDocuments } from '../ingest/list-files.ts';
import type { Mapping, ValueMaps } from '../ingest/mapping.ts';
import { EXPERIMENT_FILES, readExperiment } from '../ingest/read-experiment.ts';
import { readFile } from '../ingest/read-file.ts';
import { layOut, type ReviewedDocument } from '../match/document.ts';
import { LABELS, type ReviewRun } from '../review.ts';
import { type GroundTruth, SEVERITIES, type Severity } from '../truth.ts';
import { lintRun, lintRuns, lintTruth } from './checks.ts';

export type InspectOptions = {
  /** Folder of the reviewed documents. */
  readonly documents?: string;
  readonly minErrors?: number;
  readonly maps?: ValueMaps;
  /** What a file is in a format that can hold either; detected by its content when absent. */
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
  /** Errors per category, in the order of the ground truths. */
  readonly categories: readonly (readonly CategoryRow[])[];
  /** Labels per author. */
  readonly authors: readonly AuthorRow[];
  /** Unreadable files: missing, not JSON, not YAML, or of an unknown kind. */
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
  const twice = [
    ...duplicateFiles([...new Set(runs.flatMap(({ path }) => path ?? []))]),
    ...duplicateRuns(runs),
  ];
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
          documents: documents(one.documents),
          minErrors: options.minErrors,
        }),
      ),
      ...otherVersions(truths),
      ...twice.map(asFinding),
      ...runs.flatMap((run) => {
        const known = truthOf.get(run.task);
        return lintRun(run, { truth: known?.truth, documents: documents(known?.documents) });
      }),
      ...lintRuns(runs),
    ],
    categories: truths.map(({ truth }) => categoryRows([truth])),
    authors: authorRows(runs),
  };
}

type Part = { [K in keyof Inspection]?: Inspection[K] };

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
    // Some formats hold either; their content decides unless an option does.
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
  const { truth, mappings, notes } = importTruth(path, { maps: options.maps });
  return { truths: [{ path, truth }], mappings, notes: notes.map((note) => `${path}: ${note}`) };
}

function inspectRuns(path: string, options: InspectOptions): Part {
  // A report of another tool names no task; its content can be checked all the same.
  const { runs, mappings, notes } = importRuns(path, { unnamed: 'unnamed', maps: options.maps });
  return { runs, mappings, notes: notes.map((note) => `${path}: ${note}`) };
}

function inspectExperiment(path: string): Part {
  const { name, arms, mappings, notes } = readExperiment(path);
  const truths = new Map(
    arms.map(({ task, truth, truthPath, documents }) => [task, { path: truthPath, truth, documents }]),
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

/** What is in the files, as plain rows for a table. */

export type CategoryRow = { readonly category: string; readonly all: number } & Readonly<
  Record<Severity, number>
>;

/** Errors per category and severity; categories without errors come last. */
export function categoryRows(truths: readonly GroundTruth[]): CategoryRow[] {
  const errors = truths.flatMap((truth) => truth.errors);
  const categories = [...new Set(truths.flatMap((truth) => truth.categories))];
  const byCategory = Map.groupBy(errors, ({ category }) => category);
  return categories
    .map((category) => {
      const own = byCategory.get(category) ?? [];
      const count = (severity: Severity) => own.filter((error) => error.severity === severity).length;
      const [CRITICAL, IMPORTANT, MINOR] = SEVERITIES.map(count) as [number, number, number];
      return { category, CRITICAL, IMPORTANT, MINOR, all: own.length };
    })
    .sort((a, b) => b.all - a.all);
}

export type AuthorRow = { readonly author: string; readonly all: number } & Readonly<
  Record<(typeof LABELS)[number], number>
>;

/** Labels per author. */
export function authorRows(runs: readonly ReviewRun[]): AuthorRow[] {
  const labels = runs.flatMap(({ findings }) => findings.flatMap((finding) => finding.labels));
  return [...Map.groupBy(labels, ({ by }) => by)].map(([author, own]) => {
    const counts = Object.fromEntries(
      LABELS.map((match) => [match, own.filter((label) => label.match === match).length]),
    );
    return { author, ...(counts as Record<(typeof LABELS)[number], number>), all: own.length };
  });
}

/**
 * The levels of lint. An error makes the file unusable, a warning makes a result doubtful, a note limits its
 * conclusions; only the first two fail.
 */
export const LINT_LEVELS = ['error', 'warning', 'note'] as const;
type LintLevel = (typeof LINT_LEVELS)[number];

export type LintFinding = {
  readonly level: LintLevel;
  readonly rule: string;
  readonly file: string;
  /** Where in the file, as a person would look for it: an id, a key, a line. */
  readonly place: string;
  readonly message: string;
};
