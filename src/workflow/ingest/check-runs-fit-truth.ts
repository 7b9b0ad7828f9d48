import type { ReviewRun } from '../review.ts';
import type { GroundTruth } from '../truth.ts';
import { type Fault, InvalidInput } from './fields.ts';

/**
 * Reasons why a run cannot be scored against this ground truth: another task, another version, or labels for errors it
 * does not have.
 */
export function misfits(truth: GroundTruth, run: ReviewRun): Fault[] {
  const file = run.path ?? `run ${run.run}`;
  if (run.task !== truth.task)
    return [
      { file, place: 'task', message: `"${run.task}" is not the task "${truth.task}" of the ground truth` },
    ];
  const known = new Set(truth.errors.map(({ id }) => id));
  const labels = run.findings.flatMap(({ id, labels: own }, index) =>
    own.map((label) => ({ ...label, id, index })),
  );
  const faults = labels
    .filter(({ error }) => error !== undefined && !known.has(error))
    .map(({ id, index, by, error }) => ({
      file,
      place: `findings.${index}.label`,
      message: `"${by}" matches ${id} with "${error}", which version "${truth.version}" of the ground truth does not have`,
    }));
  if (run.truthVersion === undefined || run.truthVersion === truth.version) return faults;
  const message = `its labels refer to version "${run.truthVersion}" of the ground truth; this one is "${truth.version}"`;
  return [{ file, place: 'truth_version', message }, ...faults];
}

export function checkRunsFitTruth(truth: GroundTruth, runs: readonly ReviewRun[]): void {
  refuseCountsOnly(runs);
  const faults = runs.flatMap((run) => misfits(truth, run));
  if (faults.length > 0) {
    const otherTask = runs.some(({ task }) => task !== truth.task);
    throw new InvalidInput(faults, {
      remedy: otherTask
        ? 'Score the runs of each task against the ground truth of that task; an experiment holds several.'
        : 'Use the ground truth that the run was labelled against, or correct the labels that the message names.',
    });
  }
}

/** Counts without findings cannot be scored against a ground truth. */
export function refuseCountsOnly(runs: readonly ReviewRun[]): void {
  const counted = runs.find(({ tally }) => tally !== undefined);
  if (counted === undefined) return;
  throw new InvalidInput(
    [
      {
        file: counted.path ?? `run ${counted.run}`,
        place: 'the whole document',
        message: 'holds counts per instance, in which findings have no identity: no error can be matched',
      },
    ],
    {
      remedy: [
        {
          say: 'Detection rate, precision and F1 of such files are in the leaderboard',
          step: { operation: 'workflow leaderboard', options: { runs: counted.path ?? true } },
        },
      ],
    },
  );
}
