/**
 * What a verdict was judged on, as plain data: with the measurements of the run it is enough to judge again, with other
 * lines, without anything the run was made from.
 */
import type { Examined, Measured } from '../measure/measure.ts';
import type { Measurement } from '../measure/metric.ts';
import type { Approval, ComparePolicy, Comparison, Side } from './compare.ts';
import type { Check, GatePolicy } from './gate.ts';
import { judge, type Policy } from './judge.ts';
import type { Paired } from './paired.ts';
import type { TrendPoint } from './trend.ts';
import type { Declaration, Verdict } from './verdict.ts';

export type Judgement = {
  readonly reasons: readonly string[];
  readonly checks: readonly Check[];
  readonly metrics: readonly Declaration[];
  readonly gate: GatePolicy;
  readonly compare: ComparePolicy;
  /** Compared although scorer or truth differ. */
  readonly insisted?: boolean;
  /** What it was compared with. Its cases are not repeated: those that were missing, and what pairing them gave. */
  readonly baseline?: Omit<Side, 'cases'> & {
    readonly missingCases: readonly string[];
    readonly paired: Readonly<Record<string, Paired>>;
  };
  readonly standard?: string;
  readonly approvals: readonly Approval[];
  readonly notes?: readonly string[];
};

export type JudgedRun = {
  readonly runId: string;
  readonly at: string;
  readonly instrument: string;
  readonly subject: string;
  readonly scorer: string;
  readonly truthHash?: string;
  readonly metrics: Readonly<Record<string, Measurement>>;
  readonly cases: readonly {
    readonly caseId: string;
    readonly metrics: Readonly<Record<string, Measurement>>;
    readonly error?: string;
  }[];
  readonly judgement: Judgement;
};

export function judgementOf(
  { gate, metrics, comparison, notes, validity }: Verdict,
  policy: Policy,
): Judgement {
  const { baseline } = policy;
  return {
    reasons: gate.reasons,
    checks: gate.checks,
    metrics: metrics.map(({ id, title, unit, better, zones, documented }) => ({
      id,
      title,
      unit,
      better,
      ...(zones && { zones }),
      ...(documented !== undefined && { documented }),
    })),
    gate: policy.gate,
    compare: policy.compare,
    ...(policy.insist !== undefined && { insisted: policy.insist }),
    ...(baseline && comparison && { baseline: { ...withoutCases(baseline), ...pairingOf(comparison) } }),
    ...(validity.standard !== undefined && { standard: validity.standard }),
    approvals: comparison?.approvals ?? [],
    ...(notes.length > 0 && { notes }),
  };
}

function withoutCases({ runId, at, scorer, truthHash, standard, metrics }: Side): Omit<Side, 'cases'> {
  return { runId, at, scorer, truthHash, standard, metrics };
}

function pairingOf({ missingCases, changes }: Comparison) {
  const paired = Object.entries(changes).flatMap(([id, change]) =>
    change.paired === undefined ? [] : [[id, change.paired] as const],
  );
  return { missingCases, paired: Object.fromEntries(paired) };
}

export type OtherLines = Partial<Pick<Judgement, 'metrics' | 'gate' | 'compare' | 'approvals'>> & {
  readonly baseline?: Side;
  readonly insist?: boolean;
};

/**
 * The verdict again, as a fresh run would give it; what is said about single cases is not part of it. `earlier`: metric
 * id → its series before this run, oldest first.
 */
export function judgeAgain(
  run: JudgedRun,
  other: OtherLines = {},
  earlier: Readonly<Record<string, readonly TrendPoint[]>> = {},
): Verdict {
  const { judgement } = run;
  const { metrics, gate, compare, approvals, baseline: stored } = { ...judgement, ...other };
  const { insisted, standard } = judgement;
  const cases = run.cases.map((one): Examined<undefined> => {
    const { caseId: id, error } = one;
    if (!isMeasured(one)) return { id, error: error ?? '' };
    return { id, evidence: undefined, notes: [], fault: error };
  });
  return judge({ ...run, standard }, metrics, cases, measuredIn(run), earlier, {
    gate,
    compare,
    approve: () => approvals,
    insist: other.insist ?? insisted,
    baseline: stored && ('missingCases' in stored ? sideOf(stored) : stored),
  });
}

/** The measurements of a run as they were judged. */
export function measuredIn({ metrics, cases }: Pick<JudgedRun, 'metrics' | 'cases'>): Measured {
  const measured = cases.filter(isMeasured);
  return { suite: metrics, perCase: Object.fromEntries(measured.map((one) => [one.caseId, one.metrics])) };
}

/** A case of which a part failed has an error and its metrics all the same. */
function isMeasured({ error, metrics }: JudgedRun['cases'][number]): boolean {
  return error === undefined || Object.keys(metrics).length > 0;
}

/** Only its missing cases: they alone decide whether something is missing. Pairing was done then. */
function sideOf({ missingCases, ...side }: NonNullable<Judgement['baseline']>): Side {
  return { ...side, cases: Object.fromEntries(missingCases.map((id) => [id, {}])) };
}
