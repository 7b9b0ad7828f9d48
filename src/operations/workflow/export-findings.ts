import { gzipSync } from 'node:zlib';
import { AssayError } from '../../errors.ts';
import { RUNS_TO_CONFIRM } from '../../workflow/reports/confirmed-findings.ts';
import { type ExaminedArm, workflowsOf } from '../../workflow/reports/error-matrix.ts';
import {
  type ExportedFindings,
  RESULTS_PER_RUN,
  RUNS_PER_FILE,
  type SarifExport,
  sarifExport,
} from '../../workflow/reports/sarif.ts';
import { type ReviewInputs, readReviews } from './read-reviews.ts';

export type ExportRequest = {
  readonly inputs: ReviewInputs;
  readonly workflow?: string;
  readonly task?: string;
};

/** The confirmed findings of one workflow: correct, and in more than half of its runs. */
export function exportFindings({ inputs, workflow, task }: ExportRequest): ExportedFindings {
  const { arms: all } = readReviews(inputs, workflow);
  const arms = oneTool(task === undefined ? all : all.filter((arm) => arm.task === task));
  const repeated = arms.filter(({ runs }) => runs.length >= RUNS_TO_CONFIRM);
  return {
    tooFew: arms
      .filter((arm) => !repeated.includes(arm))
      .map((arm) => ({ workflow: arm.workflow, task: arm.task, runs: arm.runs.length })),
    ...(repeated.length > 0 && { exported: fitting(repeated) }),
  };
}

/** The workflow becomes the tool of the file. GitHub accepts up to twenty tasks per tool. */
function oneTool(arms: readonly ExaminedArm[]): readonly ExaminedArm[] {
  const names = workflowsOf(arms);
  if (names.length > 1) {
    throw new AssayError('USAGE', `the runs are of ${names.length} workflows: ${names.join(', ')}`, {
      remedy: 'Choose one of them.',
    });
  }
  if (arms.length === 0) throw new AssayError('USAGE', 'no run is of that task');
  if (arms.length > RUNS_PER_FILE) {
    throw new AssayError(
      'USAGE',
      `${arms.length} tasks are more than the ${RUNS_PER_FILE} runs that one SARIF file may hold`,
      { remedy: 'Write one file per task.' },
    );
  }
  return arms;
}

/** GitHub's limit for the compressed file. */
const MAX_GZIP_BYTES = 10_000_000;

/** As many findings as fit, most severe first. */
function fitting(arms: readonly ExaminedArm[]): SarifExport {
  for (let limit = RESULTS_PER_RUN; ; limit = Math.floor(limit * 0.7)) {
    const exported = sarifExport(arms, limit);
    if (limit === 0 || gzipSync(JSON.stringify(exported.log, null, 2)).length <= MAX_GZIP_BYTES)
      return exported;
  }
}
