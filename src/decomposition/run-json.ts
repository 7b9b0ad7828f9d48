/**
 * A run as programs read it, and as a baseline keeps it: one shape for `run --format json`, `.baseline.json` and
 * `compare A B`. Full precision; what was not measured has `value: null` and a `reason`.
 */
import type { CaseChange } from '../judge/case-changes.ts';
import type { Change, Comparison } from '../judge/compare.ts';
import type { JudgedCase, JudgedMetric, Verdict } from '../judge/verdict.ts';
import { type Measurement, metricKey } from '../measure/metric.ts';
import type { CaseEvidence, MatchLevel, TrialEvidence } from './evidence.ts';

export const RESULT_FORMAT = 'assay-decomposition-result';
export const RESULT_VERSION = 1;

/** What was run: the names that a series of results goes by. */
export type RunFacts = {
  readonly extractor: string;
  readonly prompt?: string;
  /** Of the text that was sent; absent where only its name is known. */
  readonly promptHash?: string;
  readonly model?: string;
  readonly matchLevel: MatchLevel;
};

/** Beside the verdict: what the report shows and the gate does not use. */
export type RunExtras = {
  /** Case id → its evidence, at the match level of the gate. Absent: only the numbers are known. */
  readonly evidence?: ReadonlyMap<string, CaseEvidence>;
  readonly caseChanges?: readonly CaseChange[];
  readonly action?: string;
  /** The suite at other match levels: level → metrics. */
  readonly levels?: Readonly<Record<string, readonly JudgedMetric[]>>;
};

export function runJson(verdict: Verdict, facts: RunFacts, extras: RunExtras) {
  const { validity, gate, comparison } = verdict;
  return {
    format: RESULT_FORMAT,
    version: RESULT_VERSION,
    run: {
      id: validity.runId,
      at: validity.at,
      subject: verdict.subject,
      extractor: facts.extractor,
      prompt: facts.prompt ?? null,
      prompt_sha256: facts.promptHash ?? null,
      model: facts.model ?? null,
      scorer: validity.scorer,
      match_level: facts.matchLevel,
    },
    suite: {
      golden_hash: validity.truthHash ?? null,
      n_cases: verdict.cases.length,
      n_errored: verdict.cases.filter((one) => one.error !== undefined).length,
      metrics: metricsJson(verdict.metrics),
      ...(extras.levels && { at_match_level: mapValues(extras.levels, metricsJson) }),
    },
    cases: verdict.cases.map((one) => ({
      ...caseJson(one),
      ...(extras.evidence && listsOf(extras.evidence.get(one.id))),
    })),
    ...(comparison && { comparison: comparisonJson(comparison, extras) }),
    gate: {
      verdict: gate.verdict,
      exit_code: gate.exitCode,
      reasons: gate.reasons,
      checks: gate.checks.map(({ id, outcome, reason }) => ({ id, outcome, reason })),
    },
    alerts: verdict.trends
      .filter((trend) => trend.alert)
      .map(({ metric, declines }) => ({ metric: metricKey(metric), declines })),
    notes: verdict.notes,
  };
}

export type RunJson = ReturnType<typeof runJson>;

function metricsJson(metrics: readonly JudgedMetric[]) {
  return Object.fromEntries(metrics.map((metric) => [metricKey(metric.id), metricJson(metric)]));
}

function metricJson({ measurement, zone }: JudgedMetric) {
  return { ...measurementJson(measurement), zone: zone ?? null };
}

export function measurementJson(measurement: Measurement) {
  if (!measurement.measured) {
    return { value: null, low: null, high: null, n: 0, micro: null, reason: measurement.reason };
  }
  const { value, low, high, n, pooled, coverage, skipped } = measurement;
  return {
    value,
    low: low ?? null,
    high: high ?? null,
    n,
    // Of one case or one execution the pooled value is the value.
    micro: pooled ?? value,
    ...(coverage !== undefined && { coverage }),
    ...(skipped && { skipped }),
  };
}

function caseJson({ id, error, metrics, zone }: JudgedCase) {
  return { id, ...(error !== undefined && { error }), metrics: metricsJson(metrics), zone: zone ?? null };
}

/** A case with repeats lists what any of them showed; `trials` tells them apart. */
function listsOf(evidence: CaseEvidence | undefined) {
  const trials = (evidence?.trials ?? []).map(trialJson);
  const all = <T>(list: (trial: ReturnType<typeof trialJson>) => readonly T[]) =>
    distinct(trials.flatMap(list));
  return {
    matches: all((trial) => trial.matches),
    missed: all((trial) => trial.missed),
    extra: all((trial) => trial.extra),
    canaries: all((trial) => trial.canaries),
    forbidden_relationships: all((trial) => trial.forbidden_relationships),
    ...(trials.length > 1 && { trials }),
  };
}

function trialJson({ concepts, expected, relationships }: TrialEvidence) {
  return {
    matches: concepts.flatMap(({ label, match }) => (match === undefined ? [] : [{ label, ...match }])),
    missed: expected.filter((concept) => concept.found === undefined).map((concept) => concept.label),
    extra: concepts.filter(({ match, canary }) => !match && canary === undefined).map(({ label }) => label),
    canaries: concepts.flatMap(({ canary }) => canary ?? []),
    forbidden_relationships: relationships
      .filter((edge) => edge.forbidden === true)
      .map(({ source, target, predicate }) => ({ source, target, predicate })),
  };
}

function distinct<T>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

function comparisonJson(comparison: Comparison, extras: RunExtras) {
  return {
    baseline: { id: comparison.baseline.runId, at: comparison.baseline.at },
    differences: comparison.differences,
    insisted: comparison.insisted,
    ...(extras.action !== undefined && { action: extras.action }),
    metrics: changesJson(comparison.changes),
    cases: (extras.caseChanges ?? []).map(({ id, changes }) => ({ id, metrics: changesJson(changes) })),
    missing_cases: comparison.missingCases,
    approvals: comparison.approvals.map((approval) => ({ ...approval, metric: metricKey(approval.metric) })),
  };
}

function changesJson(changes: Readonly<Record<string, Change>>) {
  return Object.fromEntries(
    Object.entries(changes).map(([id, { size, points, baseline, paired }]) => [
      metricKey(id),
      {
        size,
        points: points ?? null,
        baseline: baseline.measured ? baseline.value : null,
        ...(paired && { paired }),
      },
    ]),
  );
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
