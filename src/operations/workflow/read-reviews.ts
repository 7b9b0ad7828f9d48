/**
 * What every operation on reviews begins with: ground truth and runs are read, checked against each other and matched.
 * Nobody else reads or examines runs.
 */
import { resolve } from 'node:path';
import { AssayError } from '../../errors.ts';
import { didYouMean } from '../../suggest.ts';
import { checkRunsFitTruth, refuseCountsOnly } from '../../workflow/ingest/check-runs-fit-truth.ts';
import { collectRuns } from '../../workflow/ingest/collect-runs.ts';
import type { ImportedTruth } from '../../workflow/ingest/formats/importer.ts';
import { importTruth } from '../../workflow/ingest/import-file.ts';
import { expandPatterns, readDocuments } from '../../workflow/ingest/list-files.ts';
import type { Mapping, ValueMaps } from '../../workflow/ingest/mapping.ts';
import { readExperiment } from '../../workflow/ingest/read-experiment.ts';
import { readMapping } from '../../workflow/ingest/read-file.ts';
import { type ExamineOptions, examineRun } from '../../workflow/match/examine-run.ts';
import { type ExaminedArm, workflowsOf } from '../../workflow/reports/error-matrix.ts';
import type { ReviewRun } from '../../workflow/review.ts';
import { type UnmappedCategory, unmappedCategories, unmappedNotes } from '../../workflow/suggest-mapping.ts';
import type { GroundTruth } from '../../workflow/truth.ts';

/** A ground truth with what its runs are read by. */
export type TruthInputs = {
  readonly truth: string;
  /** Folder of the reviewed documents; quotes are looked up in them. */
  readonly documents?: string;
  /** Severities and categories of other tools. */
  readonly mapping?: string;
  /** How many lines from an error still count in part; the matcher has a default. */
  readonly lineTolerance?: number;
};

export type ReviewFiles = TruthInputs & {
  /** Files, folders or patterns. */
  readonly runs: readonly string[];
  /** What the workflow is called of runs whose format names none. */
  readonly called?: string;
};

type ExperimentInputs = {
  readonly experiment: string;
  /** Instead of the one that the experiment names. */
  readonly mapping?: string;
  readonly lineTolerance?: number;
  /** Nothing outside this folder is read, whatever the experiment names. */
  readonly within?: string;
};

export type ReviewInputs = ReviewFiles | ExperimentInputs;

export type ExaminedReviews = {
  readonly name: string;
  /** One workflow on one task each. */
  readonly arms: readonly ExaminedArm[];
  readonly mappings: readonly Mapping[];
  /** Categories of findings that no ground truth knows and no mapping translates. */
  readonly unmapped: readonly UnmappedCategory[];
  readonly notes: readonly string[];
};

/** `only`: the workflow that is asked for; runs of others are ignored. */
export function readReviews(inputs: ReviewInputs, only?: string): ExaminedReviews {
  if ('experiment' in inputs) {
    const read = examineExperiment(inputs);
    return withUnmapped({ ...read, arms: ofWorkflow(read.arms, only) });
  }
  const opened = openTruth(inputs);
  const { called } = inputs;
  const naming = called === undefined ? {} : { workflow: called };
  const read = examineFiles(opened, inputs.runs, naming, only);
  return withUnmapped({
    name: opened.imported.truth.task,
    arms: read.arms,
    mappings: [...opened.imported.mappings, ...read.mappings],
    notes: [...opened.imported.notes, ...read.notes],
  });
}

export function withUnmapped<Read extends Pick<ExaminedReviews, 'arms' | 'notes'>>(
  read: Read,
): Read & Pick<ExaminedReviews, 'unmapped'> {
  const unmapped = read.arms.flatMap(({ truth, reviews }) => unmappedCategories(truth, reviews));
  return { ...read, unmapped, notes: [...read.notes, ...unmappedNotes(unmapped)] };
}

export type OpenTruth = {
  readonly imported: ImportedTruth;
  readonly maps?: ValueMaps;
  readonly options: ExamineOptions;
};

export function openTruth({ truth, documents, mapping, lineTolerance }: TruthInputs): OpenTruth {
  const maps = mapping === undefined ? {} : { maps: readMapping(mapping) };
  return {
    imported: importTruth(truth, maps),
    ...maps,
    options: {
      ...(documents !== undefined && { documents: readDocuments(resolve(documents)) }),
      ...(lineTolerance !== undefined && { lineTolerance }),
    },
  };
}

export function examineFiles(
  { imported: { truth }, maps, options }: OpenTruth,
  patterns: readonly string[],
  naming: { readonly workflow?: string; readonly unnamed?: string },
  only?: string,
): Omit<ExaminedReviews, 'name' | 'unmapped'> {
  const collected = collectRuns(expandPatterns(patterns), {
    task: truth.task,
    ...naming,
    ...(maps && { maps }),
  });
  const runs = ofWorkflow(collected.runs, only);
  checkRunsFitTruth(truth, runs);
  const arms = workflowsOf(runs).map((workflow) =>
    examine(
      workflow,
      truth,
      runs.filter((run) => run.workflow === workflow),
      options,
    ),
  );
  return { arms, mappings: collected.mappings, notes: collected.notes };
}

function examineExperiment({ experiment, mapping, lineTolerance, within }: ExperimentInputs) {
  const maps = mapping === undefined ? undefined : readMapping(mapping);
  const { name, arms, mappings, notes } = readExperiment(experiment, within, maps);
  const folders = new Map<string, ReadonlyMap<string, string>>();
  const textsOf = (folder: string) => {
    const texts = folders.get(folder) ?? readDocuments(folder);
    folders.set(folder, texts);
    return texts;
  };
  return {
    name,
    mappings,
    notes,
    arms: arms.map(({ workflow, truth, runs, documents }) =>
      examine(workflow, truth, runs, {
        ...(documents !== undefined && { documents: textsOf(documents) }),
        ...(lineTolerance !== undefined && { lineTolerance }),
      }),
    ),
  };
}

function ofWorkflow<T extends { readonly workflow: string }>(
  all: readonly T[],
  name: string | undefined,
): readonly T[] {
  if (name === undefined) return all;
  const chosen = all.filter(({ workflow }) => workflow === name);
  if (chosen.length > 0) return chosen;
  const names = workflowsOf(all);
  throw new AssayError('WORKFLOW_NOT_FOUND', `no run is of workflow "${name}"${didYouMean(name, names)}`, {
    remedy: `There are runs of ${names.join(', ')}.`,
  });
}

function examine(
  workflow: string,
  truth: GroundTruth,
  runs: readonly ReviewRun[],
  options: ExamineOptions,
): ExaminedArm {
  refuseCountsOnly(runs);
  const reviews = runs.toSorted((a, b) => a.run.localeCompare(b.run, 'en', { numeric: true }));
  return {
    workflow,
    task: truth.task,
    truth,
    reviews,
    runs: reviews.map((run) => examineRun(truth, run, options)),
  };
}
