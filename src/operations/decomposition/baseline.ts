import { decompositionResult, decompositionRun } from '../../api/schema/decomposition.ts';
import { encode } from '../../api/wire.ts';
import {
  type ApprovalEntry,
  type ApprovedSubject,
  appendApprovals,
  approvalsFileOf,
  covers,
  readApprovals,
} from '../../decomposition/approvals.ts';
import { changedWithoutVersion, type GoldenVersions, valuesHash } from '../../decomposition/integrity.ts';
import { unmeasuredPrompts } from '../../decomposition/prompts/unmeasured-prompts.ts';
import { readBaseline, sideOf, tampering, writeBaseline } from '../../decomposition/result-file.ts';
import { DOCUMENTED, gatePolicy, regressionPolicy } from '../../decomposition/standard.ts';
import type { ApprovalState, Regression, RunFacts, SuiteRun } from '../../decomposition/suite-run.ts';
import { AssayError } from '../../errors.ts';
import { caseChanges } from '../../judge/case-changes.ts';
import type { Approval, ComparePolicy, Comparison, OpenRegression, Side } from '../../judge/compare.ts';
import { type CandidateRun, type Policy, sideOfRun } from '../../judge/judge.ts';
import { measuredIn } from '../../judge/judgement.ts';
import { noiseNotes, regressionAction } from '../../judge/regression-action.ts';
import { judgeMetrics, type Verdict } from '../../judge/verdict.ts';
import type { Measured } from '../../measure/measure.ts';
import { metricKey } from '../../measure/metric.ts';
import type { ApprovalRecord, Position } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { APPROVE_AGAIN, IN_ITS_FILE, storageFailure } from '../storage-failure.ts';
import { type RunSuiteRequest, runSuite, type Thresholds } from './run-suite.ts';

export type BaselineRequest = {
  /** The baseline file. Approvals are in the same folder. */
  readonly baseline: string;
  /** The reason to approve a regression of the overall score. */
  readonly approve?: string;
  /** The reason why metrics fell by one to five points. */
  readonly reason?: string;
  /** Compare even if scorer or golden cases differ. */
  readonly insist: boolean;
};

type Declared = Parameters<typeof judgeMetrics>[0];

export type BaselineCheck = {
  /** For the judge, which calls `approve` once and only with regressions that would block. */
  readonly policy: Pick<Policy, 'baseline' | 'approve' | 'insist'>;
  readonly regressionOf: (
    verdict: Verdict,
    measured: Measured,
    metrics: Declared,
    thresholds: Thresholds,
  ) => Regression;
  /** Why a comparison with this baseline proves nothing. */
  readonly doubtsAbout: (facts: RunFacts, golden?: GoldenVersions) => readonly string[];
  /** Whether the stored run of the baseline has other values. */
  readonly storedDoubts: (ports: Pick<Ports, 'store'>) => Promise<readonly string[]>;
  readonly asked: () => Pick<Regression, 'baselineSubject' | 'approval' | 'reason'>;
  readonly storeApprovals: (ports: Pick<Ports, 'store' | 'reportStorageFailure'>) => Promise<void>;
};

export function openBaseline(
  { baseline: path, insist, ...words }: BaselineRequest,
  identity: () => string,
): BaselineCheck {
  const given = { approval: filled(words.approve, 'an approval'), reason: filled(words.reason, 'a fall') };
  const result = readBaseline(path);
  const side = sideOf(result);
  const file = approvalsFileOf(path);
  const fresh: ApprovalEntry[] = [];
  const state = { approval: stateBefore(given.approval), reason: stateBefore(given.reason) };
  const approve = (open: readonly OpenRegression[], comparison: Comparison, run: CandidateRun) => {
    // Unmeasured cases cannot be approved.
    if (run.errored.length + comparison.missingCases.length > 0) return [];
    const known = readApprovals(file);
    const entries = open.flatMap((one): ApprovalEntry[] => {
      const asked = subjectOf(one, side, run);
      // A reason for a large fall also covers the small ones.
      const why = given[one.needs] ?? given.approval;
      const earlier = known.findLast((entry) => covers(entry, asked));
      if (why === undefined) return earlier === undefined ? [] : [earlier];
      const entry = { ...asked, at: run.at, who: identity(), reason: why, run: run.runId };
      fresh.push(entry);
      return [entry];
    });
    for (const kind of ['approval', 'reason'] as const) {
      const wanted = open.filter(({ needs }) => needs === kind).length;
      if (wanted === 0) continue;
      state[kind] = wanted > entries.filter((entry) => entry.kind === kind).length ? 'wanted' : 'given';
    }
    return entries.map(asApproval);
  };
  const asked = () => ({ baselineSubject: result.run.subject, ...state });
  return {
    policy: { baseline: side, approve, insist },
    doubtsAbout: (facts, golden) => [
      ...tampering(result, path),
      ...changedWithoutVersion(result.suite.golden_versions, golden),
      ...unmeasuredPrompts(result.run.prompt_files, facts),
    ],
    storedDoubts: async ({ store }) => {
      // An unreadable store is reported when the run is to be stored.
      const record = await store('looking')
        .then((opened) => opened.readRun(result.run.id))
        .catch(() => undefined);
      if (record === undefined) return [];
      const { suite, perCase } = measuredIn(record);
      const same = valuesHash({ runId: record.runId, metrics: suite, cases: perCase }) === valuesHash(side);
      return same ? [] : [`${path} has other values than its run ${record.runId} in the store`];
    },
    storeApprovals: async ({ store, reportStorageFailure: tell }) => {
      if (fresh.length === 0) return;
      try {
        await appendApprovals(file, fresh);
      } catch (error) {
        tell(
          storageFailure(
            error,
            'The result is given, but what was approved is not written down',
            APPROVE_AGAIN,
          ),
        );
        return;
      }
      try {
        await (await store()).appendApprovals(fresh.map(asRecord));
      } catch (error) {
        tell(storageFailure(error, `What was approved is in ${file}, but not in the store`, IN_ITS_FILE));
      }
    },
    regressionOf: (verdict, measured, metrics, thresholds) => ({
      ...consequencesOf(verdict, measured, metrics, side, {
        gated: gatePolicy(thresholds).gated,
        compare: regressionPolicy(thresholds),
      }),
      ...asked(),
    }),
    asked,
  };
}

export function consequencesOf(
  verdict: Verdict,
  measured: Measured,
  metrics: Declared,
  baseline: Side,
  { gated, compare }: { readonly gated: readonly string[]; readonly compare: ComparePolicy },
): Pick<Regression, 'caseChanges' | 'action' | 'noise'> {
  const comparison = verdict.comparison as Comparison;
  const errored = verdict.cases.flatMap(({ id, error }) => (error === undefined ? [] : [id]));
  const gaps = [...new Set([...errored, ...comparison.missingCases])];
  const comparable = comparison.differences.length === 0 || comparison.insisted;
  const entered = enteredFail(verdict, judgeMetrics(metrics, baseline.metrics), gated);
  return {
    caseChanges: comparable
      ? caseChanges(metrics, sideOfRun(verdict.validity, measured), baseline, compare)
      : [],
    action: regressionAction(metrics, comparison, compare, { entersFail: entered, gaps }),
    noise: noiseNotes(metrics, comparison),
  };
}

/** Titles of the gated metrics that newly entered the fail zone. */
function enteredFail(
  { metrics }: Verdict,
  before: ReturnType<typeof judgeMetrics>,
  gated: readonly string[],
): string[] {
  return metrics
    .filter(({ id, zone }, i) => gated.includes(id) && zone === 'fail' && before[i]?.zone !== 'fail')
    .map(({ title }) => title);
}

function filled(words: string | undefined, what: string): string | undefined {
  if (words !== undefined && words.trim() === '') throw new AssayError('USAGE', `${what} needs a reason`);
  return words;
}

function stateBefore(words: string | undefined): ApprovalState {
  return words === undefined ? 'not asked' : 'not needed';
}

function subjectOf(
  { metric, points, needs }: OpenRegression,
  baseline: Side,
  run: CandidateRun,
): ApprovedSubject {
  return {
    kind: needs,
    metric,
    baseline_run: baseline.runId,
    content_sha256: run.content ?? null,
    subject: run.subject,
    golden_hash: run.truthHash ?? null,
    scorer: run.scorer,
    standard: run.standard ?? DOCUMENTED,
    fell: points === undefined ? null : -points,
  };
}

function asApproval({ kind, metric, reason, who, at }: ApprovalEntry): Approval {
  return { metric, reason, who, at, ...(kind === 'reason' && { kind }) };
}

function asRecord({ kind, metric, reason, who, at, run, baseline_run }: ApprovalEntry) {
  return {
    approvalId: `${run}:${metricKey(metric)}${kind === 'reason' ? ':reason' : ''}`,
    instrument: 'decomposition',
    runId: run,
    baselineRunId: baseline_run,
    metric,
    reason,
    who,
    at,
  };
}

export type SaveBaselineRequest = RunSuiteRequest & {
  readonly baseline: string;
};

export type SavedBaseline = SuiteRun & {
  readonly path: string;
  readonly saved: boolean;
  /** Cases that could not be measured. Every later run would look complete against a baseline with gaps. */
  readonly gaps: readonly string[];
};

/**
 * Measures and saves. A baseline may fail the gate, because it records the starting point. A run with gaps or without
 * measurements is not saved.
 */
export async function saveBaseline(request: SaveBaselineRequest, ports: Ports): Promise<SavedBaseline> {
  const run = await runSuite(request, ports);
  const { cases, gate } = run.verdict;
  const gaps = cases.flatMap(({ id, error }) => (error === undefined ? [] : [id]));
  const saved = gaps.length === 0 && cases.length > 0 && gate.verdict !== 'could not run';
  if (saved) await writeBaseline(request.baseline, decompositionResult.parse(encode(decompositionRun, run)));
  return { ...run, path: request.baseline, saved, gaps };
}

export type CompareToBaselineRequest = RunSuiteRequest & { readonly against: BaselineRequest };

export function compareToBaseline(request: CompareToBaselineRequest, ports: Ports): Promise<SuiteRun> {
  return runSuite(request, ports);
}

export type ListApprovalsRequest = {
  readonly limit?: number;
  /** Only approvals after this one in the list, which are older. */
  readonly after?: Position;
};

export async function listApprovals(
  request: ListApprovalsRequest,
  ports: Ports,
): Promise<readonly ApprovalRecord[]> {
  return (await ports.store('looking')).readApprovals({ ...request, order: 'newest' });
}
