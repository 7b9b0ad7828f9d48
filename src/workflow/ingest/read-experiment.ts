/**
 * Reads an experiment: workflows × tasks, with the runs of each pair and the ground truth of each task. A folder with
 * the documented layout and a file that names the parts both give the same plan.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { z } from 'zod';
import { AssayError } from '../../errors.ts';
import { fileError, insideOf } from '../../files.ts';
import type { ReviewRun } from '../review.ts';
import type { GroundTruth } from '../truth.ts';
import { checkRunsFitTruth } from './check-runs-fit-truth.ts';
import { collectRuns, duplicateRuns, isReadme, refuseDuplicates } from './collect-runs.ts';
import {
  check,
  InvalidInput,
  name,
  properties,
  type RawValue,
  refuse,
  repeats,
  strict,
  text,
} from './fields.ts';
import { importTruth } from './import-file.ts';
import type { Mapping, ValueMaps } from './mapping.ts';
import { readDocument, readMapping, SUFFIXES } from './read-file.ts';

/** One workflow on one task. */
type Arm = {
  readonly workflow: string;
  readonly task: string;
  readonly truth: GroundTruth;
  readonly truthPath: string;
  readonly runs: readonly ReviewRun[];
  /** Folder of the reviewed documents. */
  readonly documents?: string;
};

export type Experiment = {
  readonly name: string;
  readonly arms: readonly Arm[];
  readonly mappings: readonly Mapping[];
  readonly notes: readonly string[];
};

/** File names to look for if only the folder of an experiment is given. */
export const EXPERIMENT_FILES = ['experiment.yaml', 'experiment.yml', 'experiment.json'] as const;

/**
 * `within`: never read outside this folder, whatever the file names. `maps`: used instead of the experiment's own
 * mapping.
 */
export function readExperiment(path: string, within?: string, maps?: ValueMaps): Experiment {
  const file = isFolder(path) ? EXPERIMENT_FILES.map((name) => join(path, name)).find(existsSync) : path;
  if (file === undefined) {
    const source: RawValue = { path, value: undefined };
    return build(planOfFolder(path), path, basename(join(path, '.')), source, within, maps);
  }
  const source = readDocument(file);
  const plan = check(experimentSchema, source, REMEDY);
  const folder = dirname(file);
  const runs = plan.runs ?? planOfFolder(folder).runs;
  return build({ ...plan, runs }, folder, basename(join(folder, '.')), source, within, maps);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (cause) {
    throw fileError(path, cause);
  }
}

function build(
  plan: ExperimentPlan,
  folder: string,
  otherwise: string,
  source: RawValue,
  within: string | undefined,
  given: ValueMaps | undefined,
): Experiment {
  if (within !== undefined) for (const path of pathsOf(plan)) insideOf(within, join(folder, path));
  const maps = given ?? (plan.mapping === undefined ? {} : readMapping(join(folder, plan.mapping)));
  const tasks = new Map(plan.tasks.map((task) => [task.task, { ...readTask(task, folder, maps), task }]));
  if (tasks.size < plan.tasks.length) throw refuse(source, ['tasks'], 'name one task twice', REMEDY);
  const arms = new Map<string, Arm>();
  const imported: { mappings: readonly Mapping[]; notes: readonly string[] }[] = [...tasks.values()];
  for (const [index, { workflow, task, files }] of plan.runs.entries()) {
    const known = tasks.get(task);
    if (known === undefined) {
      throw refuse(
        source,
        ['runs', index, 'task'],
        `"${task}" has no ground truth; tasks are ${[...tasks.keys()].join(', ')}`,
        REMEDY,
      );
    }
    const collected = collectRuns(
      files.map((file) => join(folder, file)),
      { workflow, task, maps },
    );
    refuseMisplacedRuns(collected.runs, workflow, task);
    checkRunsFitTruth(known.truth, collected.runs);
    imported.push(collected);
    const key = JSON.stringify([workflow, task]);
    const runs = [...(arms.get(key)?.runs ?? []), ...collected.runs];
    const { documents } = known.task;
    arms.set(key, {
      workflow,
      task,
      truth: known.truth,
      truthPath: known.path,
      runs,
      documents: documents === undefined ? undefined : join(folder, documents),
    });
  }
  refuseDuplicates(duplicateRuns([...arms.values()].flatMap(({ runs }) => runs)));
  if (arms.size === 0) throw refuse(source, ['runs'], 'there are no runs', REMEDY);
  return {
    name: plan.name ?? otherwise,
    arms: [...arms.values()],
    mappings: imported.flatMap(({ mappings }) => mappings),
    notes: imported.flatMap(({ notes }) => notes),
  };
}

function pathsOf({ tasks, runs, mapping }: ExperimentPlan): string[] {
  const named = tasks.flatMap(({ truth, documents }) => [truth, documents ?? []].flat());
  return [...named, ...runs.flatMap(({ files }) => files), ...(mapping === undefined ? [] : [mapping])];
}

function readTask({ task, truth: path, version }: TaskPlan, folder: string, maps: ValueMaps) {
  const file = join(folder, path);
  const { truth, mappings, notes } = importTruth(file, { task, maps, version });
  const refuse = (place: string, message: string) =>
    new InvalidInput([{ file, place, message }], { remedy: REMEDY });
  if (truth.task !== task)
    throw refuse('task', `is the ground truth of task "${truth.task}", not of "${task}"`);
  if (version !== undefined && truth.version !== version)
    throw refuse('version', `is version "${truth.version}"; the experiment names version "${version}"`);
  return { path: file, truth, mappings, notes };
}

/** A run in the wrong folder would count for the wrong workflow. */
function refuseMisplacedRuns(runs: readonly ReviewRun[], workflow: string, task: string): void {
  const faults = runs
    .filter((run) => run.workflow !== workflow || run.task !== task)
    .map((run) => ({
      file: run.path ?? '',
      place: run.workflow === workflow ? 'task' : 'workflow',
      message: `is workflow "${run.workflow}" on task "${run.task}", but it is placed under workflow "${workflow}" on task "${task}"`,
    }));
  if (faults.length > 0) throw new InvalidInput(faults, { remedy: REMEDY });
}

const REMEDY =
  'Correct the place that the message names; docs/formats/workflow-experiment.md describes an experiment with an example.';

const path = name.meta({ description: 'Relative to the folder of this file' });

/** An experiment file. Without `runs`, it uses the runs below the folder `runs`. */
export const experimentSchema = strict({
  name: name.optional(),
  description: text.optional(),
  tasks: z
    .array(
      strict({
        task: name,
        truth: path,
        version: name.optional().meta({ description: 'Refuses a ground truth of another version' }),
        documents: path.optional().meta({ description: 'Folder of the reviewed documents' }),
      }),
    )
    .min(1),
  runs: z
    .array(
      strict({
        workflow: name,
        task: name,
        files: z.array(path).min(1).meta({ description: 'Files, or folders with everything below them' }),
      }),
    )
    .optional(),
  mapping: path.optional().meta({ description: 'Severities and categories of other tools' }),
  properties,
  $schema: z.string().optional(),
});

type Plan = z.output<typeof experimentSchema>;
type TaskPlan = Plan['tasks'][number];
type RunPlan = NonNullable<Plan['runs']>[number];
type ExperimentPlan = Omit<Plan, 'runs'> & { readonly runs: readonly RunPlan[] };

/** The documented layout: `truth/<task>.*`, `documents/<task>/`, `runs/<workflow>/<task>/`. */
function planOfFolder(folder: string): ExperimentPlan {
  const truths = entriesOf(join(folder, 'truth'), 'file').filter((name) => SUFFIXES.includes(extname(name)));
  const tasks = truths.map((file) => {
    const task = basename(file, extname(file));
    const documents = join('documents', task);
    return { task, truth: join('truth', file), ...(existsSync(join(folder, documents)) && { documents }) };
  });
  const faults = repeats(tasks.map(({ task }) => task)).map(({ index, first }) => ({
    file: join(folder, tasks[index]?.truth ?? ''),
    place: 'task',
    message: `${join(folder, tasks[first]?.truth ?? '')} is a ground truth of task "${tasks[index]?.task}" as well`,
  }));
  if (faults.length > 0) {
    throw new InvalidInput(faults, {
      remedy: 'Keep one of them, or name the one to use in experiment.yaml.',
    });
  }
  const places = ['', ...entriesOf(join(folder, 'runs'), 'folder')].map((name) => join('runs', name));
  const misplaced = places.flatMap((place) =>
    entriesOf(join(folder, place), 'file')
      .filter((name) => !isReadme(name))
      .map((name) => ({
        file: join(folder, place, name),
        place: 'the whole document',
        message: 'lies outside of runs/<workflow>/<task>/, where no run is looked for',
      })),
  );
  if (misplaced.length > 0)
    throw new InvalidInput(misplaced, { remedy: 'Move it into the folder of its task, or out of runs/.' });
  const runs = entriesOf(join(folder, 'runs'), 'folder').flatMap((workflow) =>
    entriesOf(join(folder, 'runs', workflow), 'folder').map((task) => ({
      workflow,
      task,
      files: [join('runs', workflow, task)],
    })),
  );
  return { tasks, runs };
}

function entriesOf(folder: string, kind: 'file' | 'folder'): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(
        (entry) => !entry.name.startsWith('.') && (kind === 'file' ? entry.isFile() : entry.isDirectory()),
      )
      .map((entry) => entry.name)
      .sort();
  } catch (cause) {
    const error = fileError(folder, cause);
    throw new AssayError(error.code, error.message, {
      cause,
      remedy: 'An experiment is a folder with truth/ and runs/<workflow>/<task>/, or a file experiment.yaml.',
    });
  }
}
