/**
 * The first step of every operation on reviews: reads ground truth and runs, validates them against each other and
 * matches them. No other code reads or matches runs.
 */
import { resolve } from 'node:path';
import { AssayError } from '../../errors.ts';
import { didYouMean } from '../../suggest.ts';
import { checkRunsFitTruth, refuseCountsOnly } from '../../workflow/ingest/check-runs-fit-truth.ts';
import { collectRuns } from '../../workflow/ingest/collect-runs.ts';
import type { ImportedTruth, ImportOptions } from '../../workflow/ingest/formats/importer.ts';
import { importTruth } from '../../workflow/ingest/import-file.ts';
import { expandPatterns, readDocuments } from '../../workflow/ingest/list-files.ts';
import type { Reading, ValueMaps } from '../../workflow/ingest/mapping.ts';
import { readExperiment } from '../../workflow/ingest/read-experiment.ts';
import { readMapping } from '../../workflow/ingest/read-file.ts';
import { type ExamineOptions, examineRun } from '../../workflow/match/examine-run.ts';
import { type ExaminedArm, workflowsOf } from '../../workflow/reports/error-matrix.ts';
import type { ReviewRun } from '../../workflow/review.ts';
import { type UnmappedCategory, unmappedCategories, unmappedNotes } from '../../workflow/suggest-mapping.ts';
import type { GroundTruth } from '../../workflow/truth.ts';

/** A ground truth and the options for reading its runs. */
export type TruthInputs = {
  readonly truth: string;
  /** Folder of the reviewed documents, in which quotes are looked up. */
  readonly documents?: string;
  /** Severities and categories of other tools. */
  readonly mapping?: string;
  /** Line distance from an error that still counts as a partial match; the matcher has a default. */
  readonly lineTolerance?: number;
};

export type ReviewFiles = TruthInputs & {
  /** Files, folders or patterns. */
  readonly runs: readonly string[];
  /** The workflow name for runs whose format has none. */
  readonly called?: string;
};

type ExperimentInputs = {
  readonly experiment: string;
  /** Overrides the mapping that the experiment names. */
  readonly mapping?: string;
  readonly lineTolerance?: number;
  /** Never read outside this folder, whatever the experiment names. */
  readonly within?: string;
};

export type ReviewInputs = ReviewFiles | ExperimentInputs;

export type ExaminedReviews = Reading & {
  readonly name: string;
  /** One workflow on one task each. */
  readonly arms: readonly ExaminedArm[];
  /** Categories of findings that neither the ground truth nor a mapping contains. */
  readonly unmapped: readonly UnmappedCategory[];
};

/** `only`: the workflow to read; runs of others are ignored. */
export function readReviews(inputs: ReviewInputs, only?: string): ExaminedReviews {
  if ('experiment' in inputs) {
    const { name, arms, mappings, notes } = examineExperiment(inputs);
    return { name, ...withUnmapped(ofWorkflow(arms, only), { mappings, notes }) };
  }
  const opened = openTruth(inputs);
  const { imported } = opened;
  const read = examineFiles(opened, inputs.runs, { workflow: inputs.called }, only);
  return {
    ...read,
    name: imported.truth.task,
    mappings: [...imported.mappings, ...read.mappings],
    notes: [...imported.notes, ...read.notes],
  };
}

function withUnmapped(arms: readonly ExaminedArm[], { mappings, notes }: Reading) {
  const unmapped = arms.flatMap(({ truth, reviews }) => unmappedCategories(truth, reviews));
  return { arms, mappings, unmapped, notes: [...notes, ...unmappedNotes(unmapped)] };
}

export type OpenTruth = {
  readonly imported: ImportedTruth;
  readonly maps?: ValueMaps;
  readonly options: ExamineOptions;
};

export function openTruth({ truth, documents, mapping, lineTolerance }: TruthInputs): OpenTruth {
  const maps = mapping === undefined ? undefined : readMapping(mapping);
  const texts = documents === undefined ? undefined : readDocuments(resolve(documents));
  return { imported: importTruth(truth, { maps }), maps, options: { documents: texts, lineTolerance } };
}

export function examineFiles(
  { imported: { truth }, maps, options }: OpenTruth,
  patterns: readonly string[],
  naming: Pick<ImportOptions, 'workflow' | 'unnamed'>,
  only?: string,
): Omit<ExaminedReviews, 'name'> {
  const collected = collectRuns(expandPatterns(patterns), { task: truth.task, ...naming, maps });
  const runs = ofWorkflow(collected.runs, only);
  checkRunsFitTruth(truth, runs);
  const arms = [...Map.groupBy(runs, ({ workflow }) => workflow)].map(([workflow, own]) =>
    examine(workflow, truth, own, options),
  );
  return withUnmapped(arms, collected);
}

function examineExperiment({ experiment, mapping, lineTolerance, within }: ExperimentInputs) {
  const maps = mapping === undefined ? undefined : readMapping(mapping);
  const { arms, ...read } = readExperiment(experiment, within, maps);
  const folders = new Map<string, ReadonlyMap<string, string>>();
  const textsOf = (folder: string) => {
    const texts = folders.get(folder) ?? readDocuments(folder);
    folders.set(folder, texts);
    return texts;
  };
  return {
    ...read,
    arms: arms.map(({ workflow, truth, runs, documents }) =>
      examine(workflow, truth, runs, {
        documents: documents === undefined ? undefined : textsOf(documents),
        lineTolerance,
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
