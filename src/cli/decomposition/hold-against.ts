/** A run beside its baseline: what changed, what to do about it, and which approvals let it through. */
import {
  type ApprovalEntry,
  appendApprovals,
  approvalsFileOf,
  covers,
  readApprovals,
} from '../../decomposition/approvals.ts';
import { REGRESSION_POLICY } from '../../decomposition/policy.ts';
import { noiseNotes, regressionAction } from '../../decomposition/regression-action.ts';
import { type Result, sideOf } from '../../decomposition/result-file.ts';
import { AssayError } from '../../errors.ts';
import { type CaseChange, caseChanges } from '../../judge/case-changes.ts';
import { type Approval, compareWithBaseline, type Side } from '../../judge/compare.ts';
import { type JudgedMetric, judgeMetrics } from '../../judge/verdict.ts';
import { metricKey } from '../../measure/metric.ts';
import type { Store } from '../../store/store.ts';
import type { Arguments, Terminal } from '../command.ts';
import { whoIsThere } from '../git-identity.ts';
import { textOf } from './run-options.ts';

export type Baseline = { readonly path: string; readonly result: Result };

export type Held = {
  readonly side: Side;
  readonly insist: boolean;
  readonly approvals: readonly Approval[];
  readonly caseChanges: readonly CaseChange[];
  readonly action: string;
  readonly notes: readonly string[];
  /** Writes down what was approved just now. */
  readonly keepApprovals: (store: Store) => Promise<void>;
};

type Declared = Parameters<typeof judgeMetrics>[0];

/** One side of the comparison, with its name and the cases that could not be measured. */
export type Candidate = Side & { readonly subject: string; readonly errored: readonly string[] };

export function holdAgainst(
  metrics: Declared,
  current: Candidate,
  baseline: Baseline,
  gated: readonly string[],
  args: Arguments,
  terminal: Terminal,
): Held {
  const side = sideOf(baseline.result);
  const insist = args.values.insist === true;
  const reason = approveOption(args);
  const plain = compareWithBaseline(metrics, current, side, REGRESSION_POLICY, { insist });
  const gaps = [...new Set([...current.errored, ...plain.missingCases])];
  // Nobody can let through what was not seen.
  const open = gaps.length > 0 ? [] : openRegressions(plain.changes, current, side);
  const file = approvalsFileOf(baseline.path);
  const known = open.length === 0 ? [] : readApprovals(file);
  const fresh: ApprovalEntry[] =
    reason === undefined
      ? []
      : open.map((one) => ({
          at: current.at,
          who: whoIsThere(terminal.cwd),
          reason,
          run: current.runId,
          ...one,
        }));
  const approvals = open.flatMap(
    (one) =>
      fresh.find(({ metric }) => metric === one.metric) ??
      known.findLast((entry) => covers(entry, one)) ??
      [],
  );
  const comparison = compareWithBaseline(metrics, current, side, REGRESSION_POLICY, {
    insist,
    approvals: approvals.map(asApproval),
  });
  const comparable = comparison.differences.length === 0 || insist;
  return {
    side,
    insist,
    approvals: approvals.map(asApproval),
    caseChanges: comparable ? caseChanges(metrics, current, side, REGRESSION_POLICY) : [],
    action: regressionAction(
      comparison,
      enteredFail(
        metrics.filter(({ id }) => gated.includes(id)),
        current,
        side,
      ),
      gaps,
    ),
    notes: [
      ...otherSubject(baseline.result.run.subject, current.subject),
      ...noiseNotes(metrics, comparison),
      ...(open.length > approvals.length
        ? ['Once somebody has looked at it, --approve "why" on the same command accepts the fall.']
        : []),
      ...(reason !== undefined && open.length === 0
        ? ['Nothing needed an approval; none was recorded.']
        : []),
    ],
    keepApprovals: async (store) => {
      if (fresh.length === 0) return;
      await appendApprovals(file, fresh);
      await store.appendApprovals(fresh.map(asRecord));
    },
  };
}

function otherSubject(before: string, now: string): string[] {
  return before === now ? [] : [`The baseline is of ${before}, this run of ${now}.`];
}

function approveOption(args: Arguments): string | undefined {
  const reason = textOf(args, 'approve');
  if (reason !== undefined && reason.trim() === '') throw new AssayError('USAGE', '--approve needs a reason');
  return reason;
}

type Open = Pick<ApprovalEntry, 'metric' | 'baseline_run' | 'subject' | 'golden_hash' | 'scorer' | 'fell'>;

/** Regressions that block until somebody lets them through. */
function openRegressions(
  changes: ReturnType<typeof compareWithBaseline>['changes'],
  current: Candidate,
  baseline: Side,
): Open[] {
  return REGRESSION_POLICY.blocking.flatMap((id) => {
    const change = changes[id];
    if (change?.size !== 'regression' && change?.size !== 'lost') return [];
    return [
      {
        metric: id,
        baseline_run: baseline.runId,
        subject: current.subject,
        golden_hash: current.truthHash ?? null,
        scorer: current.scorer,
        fell: change.points === undefined ? null : -change.points,
      },
    ];
  });
}

/** Titles of the metrics that are in the fail zone now and were not before. */
function enteredFail(metrics: Declared, current: Side, baseline: Side): string[] {
  const before = judgeMetrics(metrics, baseline.metrics);
  return judgeMetrics(metrics, current.metrics)
    .filter((now: JudgedMetric, i) => now.zone === 'fail' && before[i]?.zone !== 'fail')
    .map(({ title }) => title);
}

function asApproval({ metric, reason, who, at }: ApprovalEntry): Approval {
  return { metric, reason, who, at };
}

function asRecord({ metric, reason, who, at, run, baseline_run }: ApprovalEntry) {
  return {
    approvalId: `${run}:${metricKey(metric)}`,
    instrument: 'decomposition',
    runId: run,
    baselineRunId: baseline_run,
    metric,
    reason,
    who,
    at,
  };
}
