/** Workflows × tasks for a report: from an experiment, or from a ground truth and runs. */
import { AssayError } from '../../errors.ts';
import { didYouMean } from '../../suggest.ts';
import { refuseMisfits } from '../../workflow/ingest/check-runs-fit-truth.ts';
import { collectRuns } from '../../workflow/ingest/collect-runs.ts';
import { importTruth } from '../../workflow/ingest/import-truth.ts';
import type { Mapping } from '../../workflow/ingest/mapping.ts';
import { readDocuments } from '../../workflow/ingest/read-documents.ts';
import { readExperiment } from '../../workflow/ingest/read-experiment.ts';
import { type ExamineOptions, examineRun } from '../../workflow/match/examine-run.ts';
import { type ExaminedArm, workflowsOf } from '../../workflow/reports/examined-arm.ts';
import type { ReviewRun } from '../../workflow/review.ts';
import type { GroundTruth } from '../../workflow/truth.ts';
import type { Arguments, Option, Options } from '../command.ts';
import { documentsOption, expand, mapsOption, REVIEW_OPTIONS, textOf } from './options.ts';

const { oes, ...INPUTS } = REVIEW_OPTIONS as Options & Record<'oes', Option>;

export const OES_OPTION: Options = { oes };

export const ARMS_USAGE = '[EXPERIMENT | RUN…]';

export const ARMS_OPTIONS: Options = {
  experiment: { type: 'string', value: 'PATH', doc: 'An experiment; also as a plain word without --truth' },
  runs: {
    type: 'string',
    value: 'PATH',
    doc: 'With --truth: files or folders with runs; more may follow as plain words',
  },
  ...INPUTS,
  workflow: { type: 'string', value: 'NAME', doc: 'Only this workflow' },
};

export type ExaminedArms = {
  readonly name: string;
  /** The inputs as the next command would name them. */
  readonly inputs: string;
  readonly arms: readonly ExaminedArm[];
  readonly mappings: readonly Mapping[];
  readonly notes: readonly string[];
};

export function readArms(args: Arguments, command: string): ExaminedArms {
  const truthPath = textOf(args, 'truth');
  const read = truthPath === undefined ? fromExperiment(args, command) : fromFiles(args, truthPath, command);
  const name = textOf(args, 'workflow');
  if (name === undefined) return read;
  const arms = read.arms.filter(({ workflow }) => workflow === name);
  if (arms.length > 0) return { ...read, arms };
  const names = workflowsOf(read.arms);
  throw new AssayError('USAGE', `no run is of workflow "${name}"${didYouMean(name, names)}`, {
    remedy: `There are runs of ${names.join(', ')}.`,
  });
}

/** Names come from files: one that a shell would not take as a plain word is never part of a command to copy. */
export function shellWord(name: string, otherwise: string): string {
  return /^[\w./][\w./:@+-]*$/.test(name) ? name : otherwise;
}

function fromExperiment(args: Arguments, command: string): ExaminedArms {
  const named = textOf(args, 'experiment');
  const [path, ...more] = [...(named === undefined ? [] : [named]), ...args.positionals];
  if (path === undefined) {
    throw new AssayError('USAGE', `assay ${command} needs an experiment, or --truth FILE and --runs PATH`);
  }
  if (more.length > 0) {
    throw new AssayError('USAGE', `assay ${command} takes one experiment, and "${more[0]}" is a second`, {
      remedy: 'Runs without an experiment need their ground truth: --truth FILE.',
    });
  }
  const { name, arms, mappings, notes } = readExperiment(path);
  const folders = new Map<string, ReadonlyMap<string, string>>();
  return {
    name,
    inputs: shellWord(path, 'EXPERIMENT'),
    mappings,
    notes,
    arms: arms.map((arm) => {
      const { documents: folder } = arm;
      if (folder !== undefined && !folders.has(folder)) folders.set(folder, readDocuments(folder));
      const texts = folder === undefined ? undefined : folders.get(folder);
      return examine(arm.workflow, arm.truth, arm.runs, texts === undefined ? {} : { documents: texts });
    }),
  };
}

function fromFiles(args: Arguments, path: string, command: string): ExaminedArms {
  const first = textOf(args, 'runs');
  const patterns = [...(first === undefined ? [] : [first]), ...args.positionals];
  if (textOf(args, 'experiment') !== undefined) {
    throw new AssayError(
      'USAGE',
      'an experiment has its own ground truths: give --truth or --experiment, not both',
    );
  }
  if (patterns.length === 0) throw new AssayError('USAGE', `assay ${command} --truth also needs --runs PATH`);
  const maps = mapsOption(args);
  const imported = importTruth(path, maps);
  const collected = collectRuns(expand(patterns), { task: imported.truth.task, ...maps });
  refuseMisfits(imported.truth, collected.runs);
  const options = documentsOption(args);
  return {
    name: imported.truth.task,
    inputs: '--truth FILE --runs PATH',
    mappings: [...imported.mappings, ...collected.mappings],
    notes: [...imported.notes, ...collected.notes],
    arms: workflowsOf(collected.runs).map((workflow) =>
      examine(
        workflow,
        imported.truth,
        collected.runs.filter((run) => run.workflow === workflow),
        options,
      ),
    ),
  };
}

function examine(
  workflow: string,
  known: GroundTruth,
  runs: readonly ReviewRun[],
  options: ExamineOptions,
): ExaminedArm {
  const reviews = runs.toSorted((a, b) => a.run.localeCompare(b.run, 'en', { numeric: true }));
  return {
    workflow,
    task: known.task,
    truth: known,
    reviews,
    runs: reviews.map((run) => examineRun(known, run, options)),
  };
}
