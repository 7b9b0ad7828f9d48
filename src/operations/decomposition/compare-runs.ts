import type { Regression, SuiteRun } from '../../decomposition/suite-run.ts';
import { AssayError } from '../../errors.ts';
import type { Side } from '../../judge/compare.ts';
import { judge } from '../../judge/judge.ts';
import type { Judgement } from '../../judge/judgement.ts';
import type { Examined, Measured } from '../../measure/measure.ts';
import type { ApprovalRecord, CaseResult, RunRecord } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { findRun } from '../read-run.ts';
import { consequencesOf } from './baseline.ts';
import { storedSuite } from './stored-suite.ts';

export type CompareRunsRequest = {
  /** Ids of two stored runs; the beginning is enough while it is unique. */
  readonly before: string;
  readonly after: string;
  /** Compare although scorer or golden cases differ. */
  readonly insist: boolean;
};

/** Two stored runs side by side: the later one is judged again, by its own lines, against the earlier. Nothing is kept. */
export async function compareRuns(request: CompareRunsRequest, ports: Ports): Promise<SuiteRun> {
  const store = await ports.store('looking');
  const [before, after] = [await findRun(store, request.before), await findRun(store, request.after)];
  const { judgement } = after;
  if (judgement === undefined) throw tooOld(after);
  for (const { instrument, runId } of [before, after]) {
    if (instrument !== 'decomposition')
      throw new AssayError('USAGE', `run ${runId} is of ${instrument}, not of decomposition`);
  }
  const approvals = (await store.readApprovals({ runId: after.runId })).filter(
    ({ baselineRunId }) => baselineRunId === before.runId,
  );
  const verdict = judged(after, judgement, sideOf(before), approvals, request.insist);
  const suite = storedSuite(after, verdict);
  if (suite === undefined) throw tooOld(after);
  return { ...suite, regression: regressionOf(suite, measuredOf(after), judgement, before) };
}

function judged(
  record: RunRecord,
  judgement: Judgement,
  baseline: Side,
  approvals: readonly ApprovalRecord[],
  insist: boolean,
) {
  const { standard, metrics, gate, compare } = judgement;
  return judge(
    { ...record, ...(standard !== undefined && { standard }) },
    metrics,
    record.cases.map(examinedOf),
    measuredOf(record),
    {},
    {
      gate,
      compare,
      baseline,
      insist,
      approve: () => approvals.map(({ metric, reason, who, at }) => ({ metric, reason, who, at })),
    },
  );
}

function regressionOf(
  { verdict }: SuiteRun,
  measured: Measured,
  { metrics, gate, compare }: Judgement,
  before: RunRecord,
): Regression {
  return {
    ...consequencesOf(verdict, measured, metrics, sideOf(before), { gated: gate.gated, compare }),
    baselineSubject: before.subject,
    approval: 'not asked',
    reason: 'not asked',
  };
}

function sideOf(record: RunRecord): Side {
  const { runId, at, scorer, truthHash, judgement } = record;
  const { suite, perCase } = measuredOf(record);
  return {
    runId,
    at,
    scorer,
    truthHash,
    ...(judgement?.standard !== undefined && { standard: judgement.standard }),
    metrics: suite,
    cases: perCase,
  };
}

function measuredOf({ metrics, cases }: RunRecord): Measured {
  const measured = cases.filter(isMeasured);
  return {
    suite: metrics,
    perCase: Object.fromEntries(measured.map(({ caseId, metrics: own }) => [caseId, own])),
  };
}

function examinedOf(one: CaseResult): Examined<undefined> {
  const { caseId: id, error } = one;
  if (error !== undefined && !isMeasured(one)) return { id, error };
  return { id, evidence: undefined, notes: [], fault: error };
}

/** A case of which a part failed has an error and its metrics all the same. */
function isMeasured({ error, metrics }: CaseResult): boolean {
  return error === undefined || Object.keys(metrics).length > 0;
}

function tooOld({ runId }: RunRecord): AssayError {
  return new AssayError(
    'INPUT_INVALID',
    `run ${runId} is of the first release, which kept no lines to judge by`,
    {
      remedy: 'Measure again, and compare with the new run.',
    },
  );
}
