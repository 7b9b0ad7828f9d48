import type { SuiteRun } from '../../decomposition/suite-run.ts';
import { AssayError } from '../../errors.ts';
import type { Side } from '../../judge/compare.ts';
import { judgeAgain, measuredIn } from '../../judge/judgement.ts';
import type { RunRecord } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { findRun } from '../read-run.ts';
import { consequencesOf } from './baseline.ts';
import { storedSuite } from './stored-suite.ts';

export type CompareRunsRequest = {
  /** Ids of two stored runs; a unique prefix is enough. */
  readonly before: string;
  readonly after: string;
  /** Compare even if scorer or golden cases differ. */
  readonly insist: boolean;
};

/**
 * Compares two stored runs: judges the later one again, with its own thresholds, against the earlier. Stores nothing.
 */
export async function compareRuns(
  { before: earlier, after: later, insist }: CompareRunsRequest,
  ports: Ports,
): Promise<SuiteRun> {
  const store = await ports.store('looking');
  const [before, after] = [await findRun(store, earlier), await findRun(store, later)];
  const { judgement } = after;
  if (judgement === undefined) throw withoutLines(after);
  for (const { instrument, runId } of [before, after]) {
    if (instrument !== 'decomposition')
      throw new AssayError('USAGE', `run ${runId} is of ${instrument}, not of decomposition`);
  }
  const approvals = (await store.readApprovals({ runId: after.runId })).filter(
    ({ baselineRunId }) => baselineRunId === before.runId,
  );
  const baseline = sideOf(before);
  const verdict = judgeAgain(
    { ...after, judgement },
    {
      baseline,
      insist,
      approvals: approvals.map(({ metric, reason, who, at }) => ({ metric, reason, who, at })),
    },
  );
  const suite = storedSuite(after, verdict);
  if (suite === undefined) throw withoutLines(after);
  const { metrics, gate, compare } = judgement;
  const lines = { gated: gate.gated, compare };
  return {
    ...suite,
    regression: {
      ...consequencesOf(suite.verdict, measuredIn(after), metrics, baseline, lines),
      baselineSubject: before.subject,
      approval: 'not asked',
      reason: 'not asked',
    },
  };
}

function sideOf(record: RunRecord): Side {
  const { runId, at, scorer, truthHash, judgement } = record;
  const { suite, perCase } = measuredIn(record);
  return { runId, at, scorer, truthHash, standard: judgement?.standard, metrics: suite, cases: perCase };
}

function withoutLines({ runId }: RunRecord): AssayError {
  return new AssayError('INPUT_INVALID', `run ${runId} has no lines to judge by`, {
    remedy: 'Measure again, and compare with the new run.',
  });
}
