import { decompositionResult, decompositionRun } from '../../api/schema/decomposition.ts';
import { encode } from '../../api/wire.ts';
import { writeBaseline } from '../../decomposition/baseline.ts';
import type { SuiteRun } from '../../decomposition/suite-run.ts';
import type { Ports } from '../ports.ts';
import { type RunSuiteRequest, runSuite } from './run-suite.ts';

export type SaveBaselineRequest = RunSuiteRequest & {
  /** The file to write. */
  readonly baseline: string;
};

export type SavedBaseline = SuiteRun & {
  readonly path: string;
  readonly saved: boolean;
  /** The cases that could not be measured: every later run would look complete beside a baseline with gaps. */
  readonly gaps: readonly string[];
};

/**
 * Measures and keeps. What is kept need not pass the gate: the point of a baseline is to start from where things are. A
 * run with gaps, or one in which nothing was measured, is not kept.
 */
export async function saveBaseline(request: SaveBaselineRequest, ports: Ports): Promise<SavedBaseline> {
  const run = await runSuite(request, ports);
  const { cases, gate } = run.verdict;
  const gaps = cases.flatMap(({ id, error }) => (error === undefined ? [] : [id]));
  const saved = gaps.length === 0 && cases.length > 0 && gate.verdict !== 'could not run';
  if (saved) await writeBaseline(request.baseline, decompositionResult.parse(encode(decompositionRun, run)));
  return { ...run, path: request.baseline, saved, gaps };
}
