/**
 * An experiment: workflows × tasks, each pair with its runs and the ground truth of the task. Either a folder laid out
 * as documented, or a file that names the parts; both become the same plan.
 */
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileError, insideOf } from '../../files.ts';
import type { ReviewRun } from '../review.ts';
import type { GroundTruth } from '../truth.ts';
import { refuseMisfits } from './check-runs-fit-truth.ts';
import { collectRuns, refuseTwice, sameRuns } from './collect-runs.ts';
import { type ExperimentPlan, experimentSchema, planOfFolder, type TaskPlan } from './experiment-plan.ts';
import { importTruth } from './import-truth.ts';
import type { Mapping, ValueMaps } from './mapping.ts';
import { readDocument } from './read-file.ts';
import { readMapping } from './read-mapping.ts';
import { check, InvalidInput, type RawValue, refuse } from './validate.ts';

/** One workflow on one task. */
export type Arm = {
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

/** What the file of an experiment is called when only its folder is named. */
export const EXPERIMENT_FILES = ['experiment.yaml', 'experiment.yml', 'experiment.json'] as const;

/** `within`: the folder that nothing outside of is read, whatever the file names. */
export function readExperiment(path: string, within?: string): Experiment {
  const file = isFolder(path) ? EXPERIMENT_FILES.map((name) => join(path, name)).find(existsSync) : path;
  if (file === undefined) {
    const source: RawValue = { path, value: undefined };
    return build(planOfFolder(path), path, basename(join(path, '.')), source, within);
  }
  const source = readDocument(file);
  const plan = check(experimentSchema, source, REMEDY);
  const folder = dirname(file);
  const runs = plan.runs ?? planOfFolder(folder).runs;
  return build({ ...plan, runs }, folder, basename(join(folder, '.')), source, within);
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
): Experiment {
  if (within !== undefined) for (const path of pathsOf(plan)) insideOf(within, join(folder, path));
  const maps = plan.mapping === undefined ? {} : readMapping(join(folder, plan.mapping));
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
    refuseStrangers(collected.runs, workflow, task);
    refuseMisfits(known.truth, collected.runs);
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
      ...(documents !== undefined && { documents: join(folder, documents) }),
    });
  }
  refuseTwice(sameRuns([...arms.values()].flatMap(({ runs }) => runs)));
  if (arms.size === 0) throw refuse(source, ['runs'], 'there are no runs', REMEDY);
  return {
    name: plan.name ?? otherwise,
    arms: [...arms.values()],
    mappings: imported.flatMap(({ mappings }) => mappings),
    notes: imported.flatMap(({ notes }) => notes),
  };
}

function pathsOf({ tasks, runs, mapping }: ExperimentPlan): string[] {
  return [
    ...tasks.flatMap(({ truth, documents }) => [truth, ...(documents === undefined ? [] : [documents])]),
    ...runs.flatMap(({ files }) => files),
    ...(mapping === undefined ? [] : [mapping]),
  ];
}

function readTask({ task, truth: path, version }: TaskPlan, folder: string, maps: ValueMaps) {
  const file = join(folder, path);
  const { truth, mappings, notes } = importTruth(file, {
    task,
    maps,
    version,
  });
  const wrong =
    truth.task !== task
      ? { place: 'task', message: `is the ground truth of task "${truth.task}", not of "${task}"` }
      : version !== undefined && truth.version !== version
        ? {
            place: 'version',
            message: `is version "${truth.version}"; the experiment names version "${version}"`,
          }
        : undefined;
  if (wrong !== undefined) throw new InvalidInput([{ file, ...wrong }], { remedy: REMEDY });
  return { path: file, truth, mappings, notes };
}

/** A run in the wrong folder would be counted for the wrong workflow. */
function refuseStrangers(runs: readonly ReviewRun[], workflow: string, task: string): void {
  const faults = runs.flatMap((run) =>
    run.workflow === workflow && run.task === task
      ? []
      : [
          {
            file: run.path ?? '',
            place: run.workflow === workflow ? 'task' : 'workflow',
            message: `is workflow "${run.workflow}" on task "${run.task}", but it is placed under workflow "${workflow}" on task "${task}"`,
          },
        ],
  );
  if (faults.length > 0) throw new InvalidInput(faults, { remedy: REMEDY });
}

const REMEDY =
  'Correct the place that the message names; docs/formats/workflow-experiment.md describes an experiment with an example.';
