import type { BlindStarted } from '../../workflow/blind/desk.ts';
import { startSession } from '../../workflow/blind/folder.ts';
import { freeze } from '../../workflow/blind/material.ts';
import { collectRuns } from '../../workflow/ingest/collect-runs.ts';
import { expandPatterns } from '../../workflow/ingest/expand-patterns.ts';
import { examineRun } from '../../workflow/match/examine-run.ts';
import type { Ports } from '../ports.ts';
import { openTruth, type ReviewFiles } from './read-reviews.ts';

export type BlindStartRequest = {
  readonly inputs: Omit<ReviewFiles, 'called'>;
  readonly folder: string;
  readonly by: string;
  /** Who will evaluate: the results stay closed until all of them are done. */
  readonly evaluators: readonly string[];
};

/** Findings are frozen, the ground truth is sealed. */
export function startBlind(request: BlindStartRequest, { now }: Pick<Ports, 'now'>): BlindStarted {
  const { inputs, folder, by, evaluators } = request;
  const { imported, maps, options } = openTruth(inputs);
  const { truth } = imported;
  // A report of another tool names no task.
  const { runs } = collectRuns(expandPatterns(inputs.runs), { task: truth.task, ...(maps && { maps }) });
  const material = freeze(truth, runs, (against, run) => examineRun(against, run, options));
  const { hash } = startSession(folder, material, { who: by, now }, evaluators);
  return {
    folder,
    findings: material.findings.length,
    reported: runs.reduce((sum, { findings }) => sum + findings.length, 0),
    runs: runs.length,
    errors: truth.errors.length,
    truthHash: truth.hash,
    receipt: `1:${hash}`,
    evaluators,
  };
}
